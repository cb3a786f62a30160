// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import Pixels
import Platform

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
        case .probe:
            return .facts(try ImageFacts(reading: FileBytes(file)))
        case .thumbnail(let side, let texts):
            let bitmap = try Picture.decode(file, fitting: side)
            let png = try texts.isEmpty ? nil : pngFile(bitmap, texts)
            return .picture(try rawPicture(bitmap), png: png)
        case .readThumbnail(let texts):
            let found = PNGChunks(try FileBytes(file)).texts
            guard texts.allSatisfy({ found[$0.keyword] == $0.text }) else { return .stale }
            let bitmap = try Picture.decode(file, fitting: ThumbnailSize.xxLarge.pixels)
            return .picture(try rawPicture(bitmap), png: nil)
        }
    }

    private func pngFile(_ bitmap: Bitmap, _ texts: [DecoderJob.Text]) throws -> Descriptor {
        let bytes = bitmap.png(texts: texts.map { ($0.keyword, $0.text) })
        return try MemoryFile.make(named: "thumbnail", holding: bytes)
    }

    private func rawPicture(_ bitmap: Bitmap) throws -> RawPicture {
        RawPicture(
            size: bitmap.size, hasAlpha: bitmap.format == .rgba,
            file: try MemoryFile.make(named: "pixels", holding: bitmap.bytes))
    }
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
