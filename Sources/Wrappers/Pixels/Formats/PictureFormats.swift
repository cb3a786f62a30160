// SPDX-License-Identifier: MIT

import Files
package import Photos

/// All picture formats.
package enum PictureFormats {
    /// One entry for each conforming type; a test compares their types with ``MediaType/table``.
    static let all: [any PictureFormat.Type] = [
        JPEGFormat.self, PNGFormat.self, WebPFormat.self, GIFFormat.self, HEIFFormat.self,
        JPEGXLFormat.self, JPEG2000Format.self, OpenEXRFormat.self, TIFFFormat.self,
        BitmapFormat.self, IconFormat.self, SVGFormat.self,
        PhotoshopFormat.self, RadianceFormat.self, NetpbmFormat.self, PCXFormat.self,
        QOIFormat.self, TargaFormat.self, RawTIFFFormat.self, CanonRawFormat.self,
        FujifilmRawFormat.self,
    ]

    /// The formats, the most frequent one first; to hash a type would take longer than to find it.
    private static let byType = all.flatMap { format in format.mediaTypes.map { ($0, format) } }

    /// The format of a type; nil for videos and for types that are not recognized.
    static func format(of type: MediaType) -> (any PictureFormat.Type)? {
        byType.first { $0.0 == type }?.1
    }

    /// The types that ``PictureFile/decode(_:fitting:_:)`` supports on this machine.
    package static var supportedTypes: [MediaType] {
        MediaType.recognized.filter { type in
            format(of: type).map { $0.isInstalled && $0.decodes(type) } ?? false
        }
    }

    /// The types that have a format.
    package static var mediaTypes: [MediaType] { all.flatMap { $0.mediaTypes } }

    /// Loads everything that the libraries would load from files at first use.
    ///
    /// For a process that is about to lose the right to open files.
    package static func prepare() {
        for format in all { format.prepare() }
    }
}
