// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// Decodes a picture and makes a cache entry for it.
package struct ThumbnailJob: DecoderJob {
    package typealias Reply = MadeThumbnail

    package static let code = JobCode.thumbnail
    package static let isForVideos = true

    /// The longest side of the result in pixels.
    package let side: Int
    package let fidelity: Fidelity
    package let subject: ThumbnailSubject

    package func write(to writer: inout PacketWriter) {
        writer.write(UInt32(clamping: side))
        writer.write(fidelity.rawValue)
        writer.write(subject)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        side = try reader.side()
        fidelity = try reader.fidelity()
        subject = try reader.subject()
    }

    init(side: Int, fidelity: Fidelity, subject: ThumbnailSubject) {
        self.side = side
        self.fidelity = fidelity
        self.subject = subject
    }

    package func accepts(_ reply: MadeThumbnail, of file: Descriptor) -> Bool {
        reply.picture.size.fits(in: side)
            && reply.entry.shows(subject, size: reply.picture.size)
    }
}

/// Decodes a cache entry; nil unless it shows the current version of the subject.
package struct ReadThumbnailJob: DecoderJob {
    package typealias Reply = RawPicture?

    package static let code = JobCode.readThumbnail

    package let subject: ThumbnailSubject

    package func write(to writer: inout PacketWriter) {
        writer.write(subject)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        subject = try reader.subject()
    }

    init(subject: ThumbnailSubject) {
        self.subject = subject
    }

    package func accepts(_ reply: RawPicture?, of file: Descriptor) -> Bool {
        reply?.size.fits(in: ThumbnailSize.xxLarge.pixels) ?? true
    }
}

/// Makes a cache entry that records that the subject has no thumbnail.
///
/// The file is ignored.
package struct FailureMarkJob: DecoderJob {
    package typealias Reply = CacheEntry

    package static let code = JobCode.failureMark

    package let subject: ThumbnailSubject

    package func write(to writer: inout PacketWriter) {
        writer.write(subject)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        subject = try reader.subject()
    }

    init(subject: ThumbnailSubject) {
        self.subject = subject
    }

    package func accepts(_ reply: CacheEntry, of file: Descriptor) -> Bool {
        reply.shows(subject, size: PixelSize(width: 1, height: 1))
    }
}

/// Reads the claim of a cache entry; nil if the claim is incomplete or invalid.
package struct ReadClaimJob: DecoderJob {
    package typealias Reply = ThumbnailClaim?

    package static let code = JobCode.readClaim

    package init() {}

    package func write(to writer: inout PacketWriter) {}
    package init(from reader: inout PacketReader) throws(PacketError) {}
}

/// Makes the subject's cache entry from the entry of the same picture under another URI; nil if the
/// old entry does not show that picture.
package struct AdoptThumbnailJob: DecoderJob {
    package typealias Reply = MadeThumbnail?

    package static let code = JobCode.adoptThumbnail

    package let uri: String
    package let subject: ThumbnailSubject

    package func write(to writer: inout PacketWriter) {
        writer.write(uri)
        writer.write(subject)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        uri = try reader.text()
        subject = try reader.subject()
    }

    init(uri: String, subject: ThumbnailSubject) {
        self.uri = uri
        self.subject = subject
    }

    package func accepts(_ reply: MadeThumbnail?, of file: Descriptor) -> Bool {
        guard let reply else { return true }
        return reply.picture.size.fits(in: ThumbnailSize.xxLarge.pixels)
            && reply.entry.shows(subject, size: reply.picture.size)
    }
}

// MARK: - Names for callers

extension DecoderJob where Self == ThumbnailJob {
    package static func thumbnail(
        side: Int, fidelity: Fidelity = .fast, of subject: ThumbnailSubject
    ) -> Self {
        ThumbnailJob(side: side, fidelity: fidelity, subject: subject)
    }
}

extension DecoderJob where Self == ReadThumbnailJob {
    package static func readThumbnail(_ subject: ThumbnailSubject) -> Self {
        ReadThumbnailJob(subject: subject)
    }
}

extension DecoderJob where Self == FailureMarkJob {
    package static func failureMark(_ subject: ThumbnailSubject) -> Self {
        FailureMarkJob(subject: subject)
    }
}

extension DecoderJob where Self == ReadClaimJob {
    package static var readClaim: Self { ReadClaimJob() }
}

extension DecoderJob where Self == AdoptThumbnailJob {
    package static func adoptThumbnail(of uri: String, _ subject: ThumbnailSubject) -> Self {
        AdoptThumbnailJob(uri: uri, subject: subject)
    }
}

// MARK: - Fields of packets

extension PacketWriter {
    fileprivate mutating func write(_ subject: ThumbnailSubject) {
        write(subject.uri)
        write(UInt64(bitPattern: subject.modified))
        write(UInt64(bitPattern: subject.byteCount))
    }
}

extension PacketReader {
    fileprivate mutating func subject() throws(PacketError) -> ThumbnailSubject {
        ThumbnailSubject(
            uri: try text(), modified: try int64(), byteCount: try int64())
    }
}
