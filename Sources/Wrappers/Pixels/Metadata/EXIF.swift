// SPDX-License-Identifier: MIT

package import Photos

/// The part of EXIF data that we use.
package struct EXIF: Hashable, Sendable {
    package var orientation: Orientation?
    /// When the photo was taken.
    package var captured: CaptureDate?
    /// When the file was last changed.
    package var changed: CaptureDate?
    /// The range of a small JPEG of the picture, according to the data; always inside the data.
    package var thumbnail: Range<Int>?
    /// The data itself, if the file contains it in one piece.
    package private(set) var data: ArraySlice<UInt8>?

    /// When the photo was taken, as far as the data tells.
    package var taken: CaptureDate? { captured ?? changed }

    /// Whether the picture was changed after it was taken: cameras write the same time as both.
    var isEdited: Bool {
        guard let captured, let changed else { return false }
        let hasZones = captured.offset != nil && changed.offset != nil
        func seconds(_ date: CaptureDate) -> Int64 {
            date.secondsIfUTC - (hasZones ? Int64(date.offset ?? 0) * 60 : 0)
        }
        return seconds(changed) - seconds(captured) > Self.longestProcessing
    }

    /// The longest time that a camera takes to make a picture of what it recorded, in seconds.
    private static let longestProcessing: Int64 = 60

    /// Reads a TIFF structure, for example the content of the eXIf chunk of a PNG.
    ///
    /// Damage is not an error; values that cannot be read are nil.
    ///
    /// - Source: EXIF 2.32, 4.5 and 4.6; TIFF 6.0, section 2.
    package init(tiff bytes: ArraySlice<UInt8>) {
        self.init(Block(bytes))
        data = bytes
    }

    /// Reads a TIFF structure that may fill a whole file.
    init(_ structure: Block) {
        guard let main = TIFFDirectory.first(in: structure) else { return }
        read(main, main.number(Tag.exifDirectory).map { main.directory(at: $0) })
        guard main.next > 0 else { return }
        let second = main.directory(at: main.next)
        thumbnail = second.block(at: Tag.previewOffset, size: Tag.previewByteCount).map {
            let start = $0.range.lowerBound - structure.range.lowerBound
            return start..<start + $0.count
        }
    }

    /// Reads the first directory and the EXIF directory, wherever they are.
    init(_ main: TIFFDirectory, _ exif: TIFFDirectory?) {
        read(main, exif)
    }

    private mutating func read(_ main: TIFFDirectory, _ exif: TIFFDirectory?) {
        orientation = main.number(Tag.orientation).flatMap { UInt8(exactly: $0) }
            .flatMap(Orientation.init(rawValue:))
        captured =
            Self.date(exif, Tag.dateTimeOriginal, Tag.offsetTimeOriginal)
            ?? Self.date(exif, Tag.dateTimeDigitized, Tag.offsetTimeDigitized)
            // Some programs write it to the wrong directory.
            ?? Self.date(main, Tag.dateTimeOriginal, Tag.offsetTimeOriginal)
            ?? exif.flatMap(CameraDate.reconyx)
        // Some programs write the zone to the wrong directory.
        let zone = exif?.text(Tag.offsetTime) ?? main.text(Tag.offsetTime)
        changed = main.text(Tag.dateTime).flatMap { CaptureDate(exif: $0, offset: zone) }
    }

    private static func date(
        _ directory: TIFFDirectory?, _ date: UInt16, _ offset: UInt16
    ) -> CaptureDate? {
        directory?.text(date).flatMap { CaptureDate(exif: $0, offset: directory?.text(offset)) }
    }
}

/// The tags of EXIF data, TIFF files and raw files that we read or change.
///
/// - Source: TIFF 6.0, sections 8 and 22; EXIF 2.32, 4.6; TIFF/EP; DNG 1.6.
enum Tag {
    static let gpsVersion: UInt16 = 0x0000
    static let gpsLatitudeSide: UInt16 = 0x0001
    static let gpsLatitude: UInt16 = 0x0002
    static let gpsLongitudeSide: UInt16 = 0x0003
    static let gpsLongitude: UInt16 = 0x0004
    static let gpsMapDatum: UInt16 = 0x0012
    static let jpegFromRaw: UInt16 = 0x002E
    static let width: UInt16 = 0x0100
    static let height: UInt16 = 0x0101
    static let compression: UInt16 = 0x0103
    static let photometric: UInt16 = 0x0106
    static let description: UInt16 = 0x010E
    static let make: UInt16 = 0x010F
    static let model: UInt16 = 0x0110
    static let stripOffsets: UInt16 = 0x0111
    static let orientation: UInt16 = 0x0112
    static let stripByteCounts: UInt16 = 0x0117
    static let xmp: UInt16 = 0x02BC
    static let dateTime: UInt16 = 0x0132
    static let artist: UInt16 = 0x013B
    static let subdirectories: UInt16 = 0x014A
    static let previewOffset: UInt16 = 0x0201
    static let previewByteCount: UInt16 = 0x0202
    static let rating: UInt16 = 0x4746
    static let copyright: UInt16 = 0x8298
    static let iptc: UInt16 = 0x83BB
    static let photoshop: UInt16 = 0x8649
    static let profile: UInt16 = 0x8773
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let exposureTime: UInt16 = 0x829A
    static let fNumber: UInt16 = 0x829D
    static let sensitivity: UInt16 = 0x8827
    static let focalLength: UInt16 = 0x920A
    static let makerNote: UInt16 = 0x927C
    static let userComment: UInt16 = 0x9286
    static let interoperability: UInt16 = 0xA005
    static let colourSpace: UInt16 = 0xA001
    static let pixelWidth: UInt16 = 0xA002
    static let pixelHeight: UInt16 = 0xA003
    static let lensModel: UInt16 = 0xA434
    static let windowsTitle: UInt16 = 0x9C9B
    static let windowsComment: UInt16 = 0x9C9C
    static let windowsKeywords: UInt16 = 0x9C9E
    static let windowsSubject: UInt16 = 0x9C9F
    static let dngVersion: UInt16 = 0xC612
}
