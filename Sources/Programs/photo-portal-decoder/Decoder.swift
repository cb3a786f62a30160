// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import Pixels
import Processes

/// Does the jobs that come over the socket, one after the other.
struct Decoder {
    /// Answers jobs until the other end closes the socket.
    ///
    /// - Throws: when the socket breaks; there is nobody to tell then.
    func run() throws {
        while let packet = try WorkerSocket.receive(capacity: DecoderProtocol.packetSize) {
            let (bytes, descriptors) = DecoderProtocol.encode(reply(to: packet))
            try WorkerSocket.send(bytes, descriptors: descriptors)
        }
    }

    private func reply(to packet: WorkerProcess.Packet) -> DecoderReply {
        guard let job = DecoderProtocol.decodeJob(packet.bytes),
            let file = packet.descriptors.first
        else { return .failed(.garbage) }
        do {
            return try perform(job, on: file)
        } catch let error as PixelError {
            return .failed(DecodeError(error))
        } catch {
            // No memory file could be made: memory or the file size limit is exhausted.
            return .failed(.tooLarge)
        }
    }

    private func perform(_ job: DecoderJob, on file: Descriptor) throws -> DecoderReply {
        switch job {
        case .supportedTypes:
            return .types(Codecs.supportedTypes)
        case .probe:
            return .facts(try ImageFacts(reading: FileBytes(file)))
        case .thumbnail(let side, let fidelity, let subject):
            let (bitmap, facts) = try Picture.decode(file, fitting: side, fidelity)
            let png = try subject.map { try pngFile(bitmap, texts(of: $0, facts)) }
            return .picture(try rawPicture(bitmap), png: png)
        case .readThumbnail(let subject):
            guard try isThumbnail(file, of: subject) else { return .stale }
            let (bitmap, _) = try Picture.decode(file, fitting: ThumbnailSize.xxLarge.pixels)
            return .picture(try rawPicture(bitmap), png: nil)
        case .failureMark(let subject):
            let pixel = Bitmap(
                size: PixelSize(width: 1, height: 1), format: .rgba, bytes: [0, 0, 0, 0])
            return .picture(try rawPicture(pixel), png: try pngFile(pixel, texts(of: subject)))
        case .derive(let derivation):
            guard let derived = try Picture.derive(file, derivation) else { return .unchanged }
            return .derived(
                DerivedFile(
                    file: try MemoryFile.make(named: "derived", holding: derived.bytes),
                    isLocationRemoved: derived.isLocationRemoved, isConverted: derived.isConverted,
                    parts: derived.parts?.map { Int64($0.lowerBound)..<Int64($0.upperBound) }))
        case .readClaim:
            guard let claim = claim(of: PNGChunks(try FileBytes(file))) else { return .stale }
            return .claim(claim)
        case .adoptThumbnail(let uri, let subject):
            return try adopt(file, of: uri, as: subject)
        }
    }

    /// Whether a file of the cache shows this version of the subject.
    ///
    /// Whole seconds decide: some programs write a fraction that the standard does not have.
    private func isThumbnail(
        _ file: Descriptor, of subject: ThumbnailSubject
    ) throws(PixelError) -> Bool {
        let texts = PNGChunks(try FileBytes(file)).texts
        let seconds = texts[ThumbnailKey.modified].flatMap { Int64($0.prefix { $0 != "." }) }
        return texts[ThumbnailKey.uri] == subject.uri && seconds == subject.modified
            && texts[ThumbnailKey.byteCount].map { Int64($0) == subject.byteCount } ?? true
    }

    /// What a file of the cache says it shows; nil when it is not complete, or when readers that
    /// take the standard by its word would not believe it.
    private func claim(of chunks: PNGChunks) -> ThumbnailClaim? {
        guard chunks.isComplete, let uri = chunks.texts[ThumbnailKey.uri],
            uri.utf8.count <= ThumbnailSubject.longestURI,
            let text = chunks.texts[ThumbnailKey.modified], let modified = Int64(text),
            "\(modified)" == text
        else { return nil }
        let size = chunks.texts[ThumbnailKey.byteCount]
        let byteCount = size.flatMap { Int64($0) }
        guard (size == nil) == (byteCount == nil) else { return nil }
        return ThumbnailClaim(uri: uri, modified: modified, byteCount: byteCount)
    }

    /// The same thumbnail under another URI, with what else is known of the picture.
    private func adopt(
        _ file: Descriptor, of uri: String, as subject: ThumbnailSubject
    ) throws -> DecoderReply {
        let chunks = PNGChunks(try FileBytes(file))
        let old = ThumbnailSubject(
            uri: uri, modified: subject.modified, byteCount: subject.byteCount)
        guard claim(of: chunks)?.names(old) == true else { return .stale }
        let (bitmap, _) = try Picture.decode(file, fitting: ThumbnailSize.xxLarge.pixels)
        let kept = [ThumbnailKey.mediaType, ThumbnailKey.width, ThumbnailKey.height]
            .compactMap { key in chunks.texts[key].map { (keyword: key, text: $0) } }
        let png = try pngFile(bitmap, texts(of: subject) + kept)
        return .picture(try rawPicture(bitmap), png: png)
    }

    private func texts(
        of subject: ThumbnailSubject, _ facts: ImageFacts? = nil
    ) -> [(keyword: String, text: String)] {
        var texts = [
            (ThumbnailKey.uri, subject.uri),
            (ThumbnailKey.modified, "\(subject.modified)"),
            (ThumbnailKey.byteCount, "\(subject.byteCount)"),
            (ThumbnailKey.software, "Photo Portal"),
        ]
        if let facts { texts.append((ThumbnailKey.mediaType, facts.mediaType.rawValue)) }
        if let size = facts?.size {
            texts.append((ThumbnailKey.width, "\(size.width)"))
            texts.append((ThumbnailKey.height, "\(size.height)"))
        }
        return texts.map { (keyword: $0.0, text: $0.1) }
    }

    private func pngFile(
        _ bitmap: Bitmap, _ texts: [(keyword: String, text: String)]
    ) throws -> Descriptor {
        try MemoryFile.make(named: "thumbnail", holding: bitmap.png(texts: texts))
    }

    private func rawPicture(_ bitmap: Bitmap) throws -> RawPicture {
        RawPicture(
            size: bitmap.size, hasAlpha: bitmap.format == .rgba,
            file: try MemoryFile.make(named: "pixels", holding: bitmap.bytes))
    }
}

/// The keywords of a thumbnail's `tEXt` chunks.
private enum ThumbnailKey {
    static let uri = "Thumb::URI"
    static let modified = "Thumb::MTime"
    static let byteCount = "Thumb::Size"
    static let mediaType = "Thumb::Mimetype"
    static let width = "Thumb::Image::Width"
    static let height = "Thumb::Image::Height"
    static let software = "Software"
}

extension DecodeError {
    fileprivate init(_ error: PixelError) {
        switch error {
        case .damaged: self = .damaged
        case .tooLarge: self = .tooLarge
        case .unsupported: self = .unsupported
        case .unreadable: self = .unreadable
        }
    }
}
