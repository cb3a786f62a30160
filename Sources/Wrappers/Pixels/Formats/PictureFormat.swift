// SPDX-License-Identifier: MIT

import Files
import Photos

/// A picture format: the code that reads its headers and decodes its pixels.
///
/// Each format has a conforming type in a file of its own; a few formats that use the same library,
/// or none, share a file. Everything that follows from the media type alone (extension, aliases, signature,
/// …) is in a row of ``Photos/MediaType/table``.
protocol PictureFormat: Sendable {
    /// The types of files in this format.
    static var mediaTypes: [MediaType] { get }

    /// Whether the library on this machine decodes a type. A library may be installed without the
    /// codec it needs, as for HEIC.
    static func decodes(_ type: MediaType) -> Bool

    /// Whether this program reads headers in this format; then other jobs than decoding, too.
    static var isInstalled: Bool { get }

    /// Loads everything that the library would load from files at first use.
    ///
    /// Afterwards a decoder can no longer open files.
    static func prepare()

    /// Reads the header without decoding pixels.
    ///
    /// Damage is not an error; a fact that cannot be read is unknown.
    static func header(of file: FileBytes) -> PictureHeader

    /// The EXIF data of a file that does not contain it in one piece; nil for most formats.
    static func metadata(of file: FileBytes) -> EXIFSource?

    /// Where a file keeps what people wrote about the photo outside of EXIF data.
    static func written(in file: FileBytes) -> WrittenMetadata

    /// Decodes the picture as it is stored, at least at the wanted size.
    ///
    /// Most formats end with ``DecodeRequest/scaled(_:)``, which also converts to sRGB.
    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap

    /// Whether every program shows a file as it is meant: its colours are sRGB, and its compression is a
    /// common one; called only for formats that we write.
    static func isStandard(_ file: Descriptor) -> Bool
}

extension PictureFormat {
    static func decodes(_ type: MediaType) -> Bool { true }
    static var isInstalled: Bool { true }
    static func prepare() {}
    static func metadata(of file: FileBytes) -> EXIFSource? { nil }
    static func written(in file: FileBytes) -> WrittenMetadata { WrittenMetadata(xmp: nil) }
    static func isStandard(_ file: Descriptor) -> Bool { true }
}

/// The facts from the header of a picture.
struct PictureHeader {
    /// The size as stored, before turning; nil if unknown.
    var size: PixelSize?
    /// How the stored pixels must be turned.
    var orientation: Orientation
    /// Whether the picture is animated; its first frame is shown.
    var isAnimated: Bool
    var taken: CaptureDate?
    /// EXIF data, starting with the byte order, if the file contains it in one piece.
    var exif: ArraySlice<UInt8>?
    /// The type, if the header is more specific than the first bytes of the file.
    var mediaType: MediaType?
    /// What people wrote outside of EXIF data, if it was found together with the header.
    var texts: (() -> PhotoTexts)?
    /// Finds the video of a motion photo by the EXIF data, among others, if the format has such photos.
    var motionVideo: ((EXIFSource?) -> Range<Int64>?)?
    /// Finds out the dominant colour, if the camera embedded a small picture; only on demand, because that
    /// is decoded.
    var colour: (() -> PhotoColour?)?

    init(
        size: PixelSize?, orientation: Orientation = .upright, isAnimated: Bool = false,
        taken: CaptureDate? = nil, mediaType: MediaType? = nil
    ) {
        self.size = size
        self.orientation = orientation
        self.isAnimated = isAnimated
        self.taken = taken
        self.mediaType = mediaType
    }

    /// Makes a header with the orientation and date of EXIF data.
    ///
    /// - Parameters:
    ///   - xmp: An XMP packet, whose date counts more than that of the last change.
    ///   - iptc: Records, whose date counts less than that of the packet.
    ///   - settings: A date that counts least.
    init(
        size: PixelSize?, isAnimated: Bool = false, exif: EXIF?,
        xmp: @autoclosure () -> ArraySlice<UInt8>? = nil,
        iptc: @autoclosure () -> Block? = nil, settings: @autoclosure () -> CaptureDate? = nil
    ) {
        var taken = exif?.captured
        if taken == nil {
            let written =
                xmp().flatMap(XMPDate.read) ?? iptc().flatMap { IPTCRecords($0).created }
            taken = written?.withTime(of: exif?.changed) ?? exif?.changed
        }
        self.init(
            size: size, orientation: exif?.orientation ?? .upright, isAnimated: isAnimated,
            taken: taken ?? settings())
        self.exif = exif?.data
    }
}
