// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// Work that a decoder process does on one open file.
///
/// A job names the type of its reply, so a caller of ``DecoderPool/run(_:on:priority:client:)``
/// sees only replies that its job can have.
package protocol DecoderJob: Hashable, Sendable {
    associatedtype Reply: DecoderReply

    /// The first byte of a packet with such a job.
    static var code: JobCode { get }
    /// Whether the job may encode a picture several times, which takes longer than decoding it
    /// once.
    static var isLong: Bool { get }

    /// Whether the decoder of videos does such jobs, too.
    static var isForVideos: Bool { get }

    /// Whether the picture is decoded, which may take the decoder of rare formats.
    static var needsPixels: Bool { get }

    /// Whether the decoder of videos would know more.
    func isIncomplete(_ reply: Reply) -> Bool

    /// Whether a reply can be true: what was asked for, within its limits.
    ///
    /// The process that sent it may have been taken over by an earlier file.
    func accepts(_ reply: Reply, of file: Descriptor) -> Bool

    func write(to writer: inout PacketWriter)
    /// Reads a job that ``write(to:)`` wrote.
    init(from reader: inout PacketReader) throws(PacketError)
}

extension DecoderJob {
    package static var isLong: Bool { false }
    package static var isForVideos: Bool { false }
    package static var needsPixels: Bool { isForVideos }

    package func isIncomplete(_ reply: Reply) -> Bool { false }

    package func accepts(_ reply: Reply, of file: Descriptor) -> Bool { true }
}

/// A decoder's reply to one kind of job.
package protocol DecoderReply: Sendable {
    func write(to writer: inout PacketWriter)
    /// Reads a reply that ``write(to:)`` wrote; the process that wrote it is not trusted.
    init(from reader: inout PacketReader) throws(PacketError)
}

/// The kinds of jobs, with their numbers in packets.
package enum JobCode: UInt8, CaseIterable, Sendable {
    case probe = 1
    case thumbnail = 2
    case readThumbnail = 3
    case failureMark = 4
    case supportedTypes = 5
    case derive = 6
    case readClaim = 7
    case adoptThumbnail = 8
    case pixels = 9
    case sidecar = 10
    case frame = 11
}

/// The jobs of a decoder process: one method for each kind, which returns the reply.
package protocol JobPerformer {
    func perform(_ job: SupportedTypesJob, on file: Descriptor) throws -> SupportedTypes
    func perform(_ job: ProbeJob, on file: Descriptor) throws -> ImageFacts
    func perform(_ job: SidecarJob, on file: Descriptor) throws -> PhotoDetails
    func perform(_ job: PixelsJob, on file: Descriptor) throws -> RawPicture
    func perform(_ job: FrameJob, on file: Descriptor) throws -> MovingFrame
    func perform(_ job: DeriveJob, on file: Descriptor) throws -> DerivedFile?
    func perform(_ job: ThumbnailJob, on file: Descriptor) throws -> MadeThumbnail
    func perform(_ job: ReadThumbnailJob, on file: Descriptor) throws -> RawPicture?
    func perform(_ job: FailureMarkJob, on file: Descriptor) throws -> CacheEntry
    func perform(_ job: ReadClaimJob, on file: Descriptor) throws -> ThumbnailClaim?
    func perform(_ job: AdoptThumbnailJob, on file: Descriptor) throws -> MadeThumbnail?

    /// The error to send when one of the methods above throws.
    func failure(of error: any Error) -> DecodeError

    /// Whether the disk of the file has failed since the last call, so that a reply may be about a part
    /// of the file.
    func takeReadFailure() -> Bool
}

/// Why a decoder could not do a job.
package enum DecodeError: UInt8, Error, Hashable, Sendable {
    case damaged = 1
    case tooLarge = 2
    case unsupported = 3
    case unreadable = 4
    /// Two decoder processes in a row died while they worked on the file.
    case crashed = 5
    /// The decoder worked on the file for as long as it may.
    case timedOut = 6
    /// The caller no longer wants the result.
    case cancelled = 7
    /// No decoder process could be started, or it found no sandbox.
    case unavailable = 8
    /// The decoder sent a packet that is not a reply to the job, or a reply that cannot be true.
    case garbage = 9
    /// What the decoder made of the file was wrong when it was read again.
    case miswritten = 10
    /// The decoder did not reply in time, but hardly worked: its disk does not answer, or the machine is
    /// busy. That says nothing about the file.
    case stalled = 11
    /// The location cannot be removed.
    case locationStays = 12
    /// The file needs a newer libheif than the one that is installed.
    case needsLibheif = 13
    /// The file may need a newer LibRaw than the one that is installed.
    case needsLibRaw = 14
}

extension DecodeError {
    /// The library that is too old for the file, and its first version that may read it.
    ///
    /// - Source: for uncompressed pictures, libheif's issue 1869: Debian enables them since 1.19.1;
    ///   for cameras since 2021, LibRaw's list of supported cameras.
    package var neededVersion: String? {
        switch self {
        case .needsLibheif: "libheif 1.19"
        case .needsLibRaw: "LibRaw 0.21"
        default: nil
        }
    }
}
