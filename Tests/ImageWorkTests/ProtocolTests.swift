// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage
import Testing

@Suite struct ProtocolTests {
    private static let subject = ThumbnailSubject(
        uri: "file:///tmp/%C3%A4.jpg", modified: -1, byteCount: .max)

    private static let conversion = Derivation(
        removesLocation: false,
        picture: PictureChange(
            format: .webP, clip: PixelRectangle(x: 1, y: 2, width: 3, height: 4),
            size: PixelSize(width: 65_535, height: 1), quality: 100, maximumByteCount: .max,
            isStandard: true))

    @Test(
        arguments: [
            .supportedTypes, .probe, .thumbnail(side: 256, subject: nil),
            .thumbnail(side: 1, fidelity: .exact, subject: subject), .readThumbnail(subject),
            .failureMark(subject), .derive(Derivation(removesLocation: true)), .derive(conversion),
            .readClaim, .adoptThumbnail(of: "file:///old", subject),
        ] as [DecoderJob])
    func `jobs survive the way`(job: DecoderJob) {
        #expect(DecoderProtocol.decodeJob(DecoderProtocol.encode(job)) == job)
    }

    @Test(arguments: [
        ImageFacts(mediaType: .webm),
        ImageFacts(mediaType: .gif, isAnimated: true),
        ImageFacts(
            mediaType: .jpeg, storedSize: PixelSize(width: 65_535, height: 1),
            orientation: .turnedLeft,
            taken: CaptureDate(
                year: 1999, month: 12, day: 31, hour: 23, minute: 59, second: 60, offset: -570)),
        ImageFacts(
            mediaType: .png,
            taken: CaptureDate(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)),
    ])
    func `facts survive the way`(facts: ImageFacts) throws {
        let (bytes, descriptors) = DecoderProtocol.encode(.facts(facts))
        guard case .facts(let read) = DecoderProtocol.decodeReply(bytes, descriptors) else {
            Issue.record("no facts")
            return
        }
        #expect(read == facts)
    }

    @Test(arguments: [nil, 0, Int64.max])
    func `a claim survives the way`(byteCount: Int64?) throws {
        let claim = ThumbnailClaim(uri: "file:///a", modified: -2, byteCount: byteCount)
        let (bytes, descriptors) = DecoderProtocol.encode(.claim(claim))
        guard case .claim(let read) = DecoderProtocol.decodeReply(bytes, descriptors) else {
            Issue.record("no claim")
            return
        }
        #expect(read == claim)
    }

    @Test(arguments: [nil, [], [0..<1, 7..<7, 10..<Int64.max]])
    func `a finished file survives the way`(parts: [Range<Int64>]?) throws {
        let file = try MemoryFile.make(named: "file", holding: [1, 2])
        let derived = DerivedFile(
            file: file, isLocationRemoved: true, isConverted: false, parts: parts)
        let (bytes, descriptors) = DecoderProtocol.encode(.derived(derived))
        guard case .derived(let read) = DecoderProtocol.decodeReply(bytes, descriptors) else {
            Issue.record("no file")
            return
        }
        #expect(read.isLocationRemoved && !read.isConverted && read.parts == parts)
        #expect(DecoderProtocol.decodeReply(bytes, []) == nil)
    }

    @Test func `a picture needs a file that is large enough`() throws {
        let size = PixelSize(width: 4, height: 4)
        let small = try MemoryFile.make(named: "small", holding: [UInt8](repeating: 0, count: 47))
        let exact = try MemoryFile.make(named: "exact", holding: [UInt8](repeating: 0, count: 48))
        for (file, isRead) in [(small, false), (exact, true)] {
            let picture = RawPicture(size: size, hasAlpha: false, file: file)
            let (bytes, descriptors) = DecoderProtocol.encode(.picture(picture, png: nil))
            #expect((DecoderProtocol.decodeReply(bytes, descriptors) != nil) == isRead)
            #expect(DecoderProtocol.decodeReply(bytes, []) == nil)
        }
    }

    @Test func `a memory file that its sender could still change is not mapped`() throws {
        let sealed = try MemoryFile.make(named: "sealed", holding: [1])
        #expect(try MappedMemory(sealed: sealed).bytes.count == 1)
        let home = try Descriptor.openForReading("/dev/null")
        #expect(throws: (any Error).self) { try MappedMemory(sealed: home) }
    }

    /// Packets of a decoder that was taken over: nil, never a trap.
    @Test func `garbage is no reply and no job`() {
        var generator = SystemRandomNumberGenerator()
        let valid = [
            DecoderProtocol.encode(.thumbnail(side: 256, subject: Self.subject)),
            DecoderProtocol.encode(.facts(ImageFacts(mediaType: .jpeg))).0,
            DecoderProtocol.encode(.derive(Self.conversion)),
        ]
        for round in 0..<20_000 {
            var packet = valid[round % valid.count]
            switch round / valid.count % 3 {
            case 0: packet = Array(packet.prefix(.random(in: 0...packet.count)))
            case 1:
                let position = Int.random(in: packet.indices)
                packet[position] = .random(in: .min ... .max, using: &generator)
            default: packet = (0..<Int.random(in: 0...64)).map { _ in .random(in: .min ... .max) }
            }
            if let job = DecoderProtocol.decodeJob(packet) {
                #expect(DecoderProtocol.decodeJob(DecoderProtocol.encode(job)) == job)
            }
            _ = DecoderProtocol.decodeReply(packet, [])
        }
    }

    @Test func `a packet with something behind its end is refused`() {
        let packet = DecoderProtocol.encode(.probe) + [0]
        #expect(DecoderProtocol.decodeJob(packet) == nil)
    }
}
