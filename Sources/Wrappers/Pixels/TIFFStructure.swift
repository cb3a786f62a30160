// SPDX-License-Identifier: MIT

import Photos

/// The first page of a TIFF file, without its pixels.
struct TIFFStructure {
    let size: PixelSize?
    let exif: EXIF

    /// Reads the first directory; nil when the file is no TIFF.
    ///
    /// - Source: TIFF 6.0, sections 2 and 8.
    init?(_ file: FileBytes) {
        guard let (main, _) = TIFFDirectory.first(in: file) else { return nil }
        exif = EXIF(file)
        guard let width = main.number(0x0100), let height = main.number(0x0101) else {
            size = nil
            return
        }
        size = PixelSize(width: width, height: height)
    }
}
