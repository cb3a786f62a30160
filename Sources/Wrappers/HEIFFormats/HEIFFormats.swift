// SPDX-License-Identifier: MIT

internal import CHEIF

/// The codecs that only `photo-portal-heif` contains: libheif, for HEIF and AVIF, and libjxl, for JPEG XL.
package enum HEIFFormats {
    /// Makes Pixels use the codecs; call it before the first file is read.
    package static func install() {
        pp_heif_install()
    }
}
