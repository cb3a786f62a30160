// SPDX-License-Identifier: MIT

internal import CCodecs
package import Files
package import Photos
import Synchronization

/// A codec that only one program contains, because its library is large and rarely needed.
///
/// Headers of its files are read in every program. Where the codec is missing, decoding fails with
/// ``PixelError/unsupported``, and whoever asked can ask the program that has it.
package enum ExtraCodec: Hashable, Sendable {
    case drawing
    case jpeg2000
    case openEXR
    case raw
    /// Sequences of pictures that are stored like videos.
    case sequence

    /// Decodes a file; the second parameter is the wanted size, which a drawing has afterwards.
    package typealias Decoder =
        @Sendable (Descriptor, PixelSize) throws(PixelError) -> ExtraPicture

    private static let installed = Mutex<[ExtraCodec: Decoder]>([:])

    package func install(_ decoder: @escaping Decoder) {
        Self.installed.withLock { $0[self] = decoder }
    }

    var isInstalled: Bool { decoder != nil }

    private var decoder: Decoder? { Self.installed.withLock { $0[self] } }

    func decode(_ file: Descriptor, at size: PixelSize) throws(PixelError) -> ExtraPicture {
        guard let decoder else { throw .unsupported }
        return try decoder(file, size)
    }
}

/// A picture from an ``ExtraCodec``.
package struct ExtraPicture {
    /// The kind of pixels.
    package enum Content {
        /// One byte for each channel.
        case bytes
        /// Linear light: always four half floats.
        case light
    }

    fileprivate let size: PixelSize
    fileprivate let content: Content
    fileprivate let hasAlpha: Bool
    fileprivate let isPremultiplied: Bool
    fileprivate let profile: [UInt8]?
    fileprivate let pixels: UnsafeMutableRawPointer

    /// - Parameter pixels: Rows from top to bottom, without padding, in memory from malloc(3), which
    ///   the receiver of the picture frees.
    package init(
        size: PixelSize, content: Content, hasAlpha: Bool, isPremultiplied: Bool,
        profile: [UInt8]?, pixels: UnsafeMutableRawPointer
    ) {
        self.size = size
        self.content = content
        self.hasAlpha = hasAlpha
        self.isPremultiplied = isPremultiplied
        self.profile = profile
        self.pixels = pixels
    }

    /// Copies a bitmap.
    package init(_ bitmap: Bitmap) {
        let pixels = UnsafeMutableRawPointer.allocate(byteCount: bitmap.bytes.count, alignment: 1)
        pixels.copyMemory(from: bitmap.bytes, byteCount: bitmap.bytes.count)
        self.init(
            size: bitmap.size, content: .bytes, hasAlpha: bitmap.format == .rgba,
            isPremultiplied: false, profile: nil, pixels: pixels)
    }

    /// Moves the pixels.
    fileprivate func move(to picture: inout pp_picture) {
        let width = UInt32(clamping: size.width)
        let height = UInt32(clamping: size.height)
        let isPremultiplied: CInt = isPremultiplied ? 1 : 0
        switch content {
        case .bytes:
            pp_picture_take_pixels(
                &picture, pixels, width, height, hasAlpha ? 4 : 3, isPremultiplied)
        case .light:
            pp_picture_take_light(
                &picture, pixels, width, height, hasAlpha ? 1 : 0, isPremultiplied)
        }
        if let profile { pp_picture_copy_profile(&picture, profile, profile.count) }
    }
}

extension DecodeRequest {
    /// Decodes the file with a codec that may be missing here.
    func extra(_ codec: ExtraCodec) throws(PixelError) -> Bitmap {
        let size =
            facts.storedSize?.fitted(in: side) ?? PixelSize(width: side, height: side)
        let decoded = try codec.decode(file, at: size)
        return try whole {
            decoded.move(to: &$0)
            return PP_OK
        }
    }
}
