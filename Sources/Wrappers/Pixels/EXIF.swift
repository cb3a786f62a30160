// SPDX-License-Identifier: MIT

package import Photos

/// What we want to know from a block of EXIF data.
package struct EXIF: Hashable, Sendable {
    package var orientation: Orientation?
    package var taken: CaptureDate?
    /// Where in the data a small JPEG of the picture is said to be.
    package var thumbnail: Range<Int>?
    /// The data itself, where it is a part of a file.
    package private(set) var data: ArraySlice<UInt8>?

    /// Reads a TIFF structure, as it stands in a JPEG's APP1 segment or a PNG's eXIf chunk.
    ///
    /// Damage is not an error: what can be read is read, the rest is nil.
    ///
    /// - Source: EXIF 2.32, 4.5 and 4.6; TIFF 6.0, section 2.
    package init(tiff bytes: ArraySlice<UInt8>) {
        self.init(bytes)
        data = bytes
    }

    /// Reads a TIFF structure.
    init(_ source: any ByteSource) {
        guard let (main, order) = TIFFDirectory.first(in: source) else { return }
        read(main, main.number(Tag.exifDirectory).map { TIFFDirectory(source, order, at: $0) })
        guard main.next > 0 else { return }
        let second = TIFFDirectory(source, order, at: main.next)
        if let offset = second.number(Tag.previewOffset),
            let count = second.number(Tag.previewByteCount), count > 0
        {
            thumbnail = offset..<offset + count
        }
    }

    /// Reads the first directory and EXIF's own one, wherever they are.
    init(_ main: TIFFDirectory, _ exif: TIFFDirectory?) {
        read(main, exif)
    }

    private mutating func read(_ main: TIFFDirectory, _ exif: TIFFDirectory?) {
        orientation = main.number(Tag.orientation).flatMap { UInt8(exactly: $0) }
            .flatMap(Orientation.init(rawValue:))
        taken =
            Self.date(exif, Tag.dateTimeOriginal, Tag.offsetTimeOriginal)
            ?? Self.date(exif, Tag.dateTimeDigitized, Tag.offsetTimeDigitized)
            ?? Self.date(main, Tag.dateTime, Tag.offsetTime)
    }

    private static func date(
        _ directory: TIFFDirectory?, _ date: UInt16, _ offset: UInt16
    ) -> CaptureDate? {
        directory?.text(date).flatMap { CaptureDate(exif: $0, offset: directory?.text(offset)) }
    }
}

private enum Tag {
    static let orientation: UInt16 = 0x0112
    static let dateTime: UInt16 = 0x0132
    static let previewOffset: UInt16 = 0x0201
    static let previewByteCount: UInt16 = 0x0202
    static let exifDirectory: UInt16 = 0x8769
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
}
