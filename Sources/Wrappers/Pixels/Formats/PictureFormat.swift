// SPDX-License-Identifier: MIT

import Files
import Photos

/// A picture format: how its headers are read and its pixels decoded.
///
/// One file conforms to it for each format, or for a few that share a library. What follows from
/// the media type alone (extension, aliases, signature, …) is in a row of
/// ``Photos/MediaType/table``.
protocol PictureFormat: Sendable {
    /// The types of files in this format.
    static var mediaTypes: [MediaType] { get }

    /// Whether the library on this machine decodes a type; a library may be there without the codec
    /// below it, as for HEIC.
    static func decodes(_ type: MediaType) -> Bool

    /// Loads what the library would load from files at first use.
    ///
    /// Afterwards a decoder can no longer open files.
    static func prepare()

    /// Reads what the header says, without decoding a pixel.
    ///
    /// Damage is not an error: what cannot be read stays unknown.
    static func header(of file: FileBytes) -> PictureHeader

    /// Decodes the picture as it is stored, at a size from which the wanted one can be made.
    ///
    /// Most formats end with ``DecodeRequest/scaled(_:)``, which also converts to sRGB.
    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap

    /// Whether the colours of a file are not those of sRGB; only asked for formats that we write.
    static func hasOtherColours(_ file: Descriptor) -> Bool
}

extension PictureFormat {
    static func decodes(_ type: MediaType) -> Bool { true }
    static func prepare() {}
    static func hasOtherColours(_ file: Descriptor) -> Bool { false }
}

/// What the header of a picture says.
struct PictureHeader {
    /// The size as stored, before turning; nil if it is unknown.
    var size: PixelSize?
    /// How the stored pixels must be turned.
    var orientation: Orientation
    /// Whether the picture moves; its first frame is shown.
    var isAnimated: Bool
    var taken: CaptureDate?
    /// EXIF data from the byte order on, if it is a part of the file.
    var exif: ArraySlice<UInt8>?
    /// The type, if the header tells it more exactly than the first bytes of the file.
    var mediaType: MediaType?

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

    /// A header whose orientation and date are those of EXIF data.
    init(size: PixelSize?, isAnimated: Bool = false, exif: EXIF?) {
        self.init(
            size: size, orientation: exif?.orientation ?? .upright, isAnimated: isAnimated,
            taken: exif?.taken)
        self.exif = exif?.data
    }
}
