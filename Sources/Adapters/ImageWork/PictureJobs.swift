// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// Returns the media types that a decoder supports on this machine.
///
/// The file is ignored.
package struct SupportedTypesJob: DecoderJob {
    package typealias Reply = SupportedTypes

    package static let code = JobCode.supportedTypes

    package init() {}

    package func write(to writer: inout PacketWriter) {}
    package init(from reader: inout PacketReader) throws(PacketError) {}
}

/// The media types that a decoder supports.
package struct SupportedTypes: Hashable, Sendable {
    package let types: [MediaType]

    package init(types: [MediaType]) {
        self.types = types
    }
}

/// Reads the header of a picture or video.
package struct ProbeJob: DecoderJob {
    package typealias Reply = ImageFacts

    package static let code = JobCode.probe

    package init() {}

    package func isIncomplete(_ reply: ImageFacts) -> Bool {
        reply.mediaType.isVideo && reply.storedSize == nil
    }

    package func write(to writer: inout PacketWriter) {}
    package init(from reader: inout PacketReader) throws(PacketError) {}
}

/// Reads what a sidecar file says about the photo beside it.
///
/// A file that is none is unsupported.
package struct SidecarJob: DecoderJob {
    package typealias Reply = PhotoDetails

    package static let code = JobCode.sidecar

    package init() {}

    package func write(to writer: inout PacketWriter) {}
    package init(from reader: inout PacketReader) throws(PacketError) {}
}

/// Decodes a picture to fit a square, upright and in sRGB.
package struct PixelsJob: DecoderJob {
    package typealias Reply = RawPicture

    package static let code = JobCode.pixels
    package static let isForVideos = true

    /// The longest side of the result in pixels.
    package let side: Int
    package let fidelity: Fidelity

    package func write(to writer: inout PacketWriter) {
        writer.write(UInt32(clamping: side))
        writer.write(fidelity.rawValue)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        self.init(side: try reader.side(), fidelity: try reader.fidelity())
    }

    init(side: Int, fidelity: Fidelity) {
        self.side = side
        self.fidelity = fidelity
    }

    package func accepts(_ reply: RawPicture, of file: Descriptor) -> Bool {
        reply.size.fits(in: side)
    }
}

/// Makes a derived file; nil if the original already meets the requirements.
package struct DeriveJob: DecoderJob {
    package typealias Reply = DerivedFile?

    package static let code = JobCode.derive
    package static let isLong = true
    /// The videos' program checks that removing the location leaves the packets alone.
    package static let isForVideos = true

    package let derivation: Derivation

    package func write(to writer: inout PacketWriter) {
        writer.write(derivation)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        derivation = try reader.derivation()
    }

    init(derivation: Derivation) {
        self.derivation = derivation
    }

    package func accepts(_ reply: DerivedFile?, of file: Descriptor) -> Bool {
        reply?.isPossible(derivation, of: file) ?? true
    }
}

// MARK: - Names for callers

extension DecoderJob where Self == SupportedTypesJob {
    package static var supportedTypes: Self { SupportedTypesJob() }
}

extension DecoderJob where Self == ProbeJob {
    package static var probe: Self { ProbeJob() }
}

extension DecoderJob where Self == SidecarJob {
    package static var sidecar: Self { SidecarJob() }
}

extension DecoderJob where Self == PixelsJob {
    package static func pixels(side: Int, fidelity: Fidelity = .fast) -> Self {
        PixelsJob(side: side, fidelity: fidelity)
    }
}

extension DecoderJob where Self == DeriveJob {
    package static func derive(_ derivation: Derivation) -> Self {
        DeriveJob(derivation: derivation)
    }
}

// MARK: - Fields of packets

extension PacketReader {
    /// The side of a square that fits into a reply.
    mutating func side() throws(PacketError) -> Int {
        let side = Int(try uint32())
        guard (1...RawPicture.maximumSide).contains(side) else { throw PacketError(.value) }
        return side
    }

    mutating func fidelity() throws(PacketError) -> Fidelity {
        guard let fidelity = Fidelity(rawValue: try uint8()) else { throw PacketError(.value) }
        return fidelity
    }
}

extension PixelSize {
    func fits(in side: Int) -> Bool { max(width, height) <= side }
}
