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
            rotation: Rotation(quarters: 3, hundredths: -4500),
            size: PixelSize(width: 65_535, height: 1), quality: 100, maximumByteCount: .max,
            isStandard: true))

    private static let circle: Derivation = {
        var change = PictureChange(
            format: .png, size: PixelSize(width: 1, height: 1), quality: 1)
        change.isRound = true
        return Derivation(removesLocation: true, picture: change)
    }()

    private static let jobs: [any DecoderJob] = [
        SupportedTypesJob(), ProbeJob(), SidecarJob(), job(.pixels(side: 256)),
        job(.thumbnail(side: 1, fidelity: .exact, of: subject)), job(.readThumbnail(subject)),
        job(.failureMark(subject)), job(.derive(Derivation(removesLocation: true))),
        job(.derive(conversion)), job(.derive(circle)), ReadClaimJob(),
        job(.adoptThumbnail(of: "file:///old", subject)), job(.frame(at: 1_500_000, side: 1280)),
    ]

    private static func job(_ job: some DecoderJob) -> some DecoderJob { job }

    private static func comesBack<Job: DecoderJob>(_ job: Job) throws -> Bool {
        try DecoderProtocol.decodeJob(Job.self, DecoderProtocol.encode(job)) == job
    }

    @Test func `jobs survive encoding and decoding, and each kind has its own code`() throws {
        for job in Self.jobs { #expect(try Self.comesBack(job), "\(job)") }
        let codes = Set(Self.jobs.map { type(of: $0).code })
        #expect(codes == Set(JobCode.allCases))
    }

    private func replied<Reply: DecoderReply>(_ reply: Reply) throws -> Reply {
        let (bytes, descriptors) = DecoderProtocol.encode(.success(reply))
        return try DecoderProtocol.decodeReply(Reply.self, bytes, descriptors).get()
    }

    @Test func `a failure survives encoding and decoding, whatever the job`() throws {
        let result: Result<ImageFacts, DecodeError> = .failure(.tooLarge)
        let (bytes, _) = DecoderProtocol.encode(result)
        #expect(try DecoderProtocol.decodeReply(ImageFacts.self, bytes, []) == result)
        #expect(throws: DecodeError.tooLarge) {
            try DecoderProtocol.decodeReply(DerivedFile?.self, bytes, []).get()
        }
    }
    private static func facts(exposure: Exposure) -> ImageFacts {
        var facts = ImageFacts(mediaType: .jpeg)
        facts.exposure = exposure
        return facts
    }

    private static func facts(colour: Int) -> ImageFacts {
        var facts = ImageFacts(mediaType: .jpeg)
        facts.colour = PhotoColour(number: colour)
        return facts
    }

    private static func facts(latitude: Double, longitude: Double) -> ImageFacts {
        var facts = ImageFacts(mediaType: .jpeg)
        facts.position = GeoPosition(latitude: latitude, longitude: longitude)
        return facts
    }

    private static func burst(isPrimary: Bool) -> BurstMark? {
        ContentIdentifier("1111-BBBB").map { BurstMark($0, isPrimary: isPrimary) }
    }

    @Test(arguments: [
        ImageFacts(mediaType: .webm),
        ImageFacts(
            mediaType: .quickTime, contentIdentifier: ContentIdentifier("1111-AAAA"),
            motionVideo: nil),
        facts(exposure: Exposure(nanoseconds: 125_000, aperture: 110, sensitivity: 102_400)),
        facts(exposure: Exposure(nanoseconds: 86_400_000_000_000, focalLength: 10_000_000)),
        facts(colour: 0), facts(colour: 0xFF_FFFF),
        facts(latitude: -90, longitude: 179.999_999_9),
        ImageFacts(mediaType: .jpeg, burst: burst(isPrimary: false)),
        ImageFacts(mediaType: .heic, burst: burst(isPrimary: true)),
        ImageFacts(mediaType: .jpeg, motionVideo: 1..<1 + ImageFacts.largestMotionVideo),
        ImageFacts(mediaType: .gif, isAnimated: true),
        ImageFacts(
            mediaType: .jpeg, storedSize: PixelSize(width: 65_535, height: 1),
            orientation: .turnedLeft,
            taken: CaptureDate(
                year: 1999, month: 12, day: 31, hour: 23, minute: 59, second: 60, offset: -570)),
        ImageFacts(
            mediaType: .png,
            taken: CaptureDate(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)),
        ImageFacts(
            mediaType: .mp4, milliseconds: 1,
            details: PhotoDetails(
                title: "ä", caption: "one\ntwo", keywords: ["日落", "b"], rating: 5, camera: "c",
                lens: "d", hasPlace: true)),
        // As much as there can be fits into a packet.
        ImageFacts(
            mediaType: .jpeg,
            details: PhotoDetails(
                title: String(repeating: "x", count: PhotoDetails.longestLine),
                caption: String(repeating: "y", count: PhotoDetails.longestCaption),
                keywords: (0..<PhotoDetails.mostKeywords).map {
                    "\($0)" + String(repeating: "z", count: 126)
                })),
    ])
    func `facts survive encoding and decoding`(facts: ImageFacts) throws {
        #expect(try replied(facts) == facts)
    }

    @Test func `a colour that is none is refused`() throws {
        let (bytes, _) = DecoderProtocol.encode(.success(Self.facts(colour: 0x12_3456)))
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x56, 0x34, 0x12, 0]) })
        var changed = bytes
        changed[place + 3] = 1
        #expect(throws: PacketError(.value)) {
            try DecoderProtocol.decodeReply(ImageFacts.self, changed, [])
        }
    }

    @Test(
        arguments: [0..<5, 7..<7, 1..<2 + ImageFacts.largestMotionVideo, -5..<9] as [Range<Int64>])
    func `a motion photo whose video cannot be there is refused`(range: Range<Int64>) {
        let facts = ImageFacts(mediaType: .jpeg, motionVideo: range)
        #expect(throws: PacketError(.value)) { try replied(facts) }
    }

    @Test(arguments: [nil, 0, Int64.max])
    func `a claim survives encoding and decoding`(byteCount: Int64?) throws {
        let claim = ThumbnailClaim(uri: "file:///a", modified: -2, byteCount: byteCount)
        #expect(try replied(claim) == claim)
        #expect(try replied(ThumbnailClaim?.none) == nil)
    }

    @Test(arguments: [nil, [], [0..<1, 7..<7, 10..<Int64.max]])
    func `a derived file survives encoding and decoding`(parts: [Range<Int64>]?) throws {
        let file = try MemoryFile.make(named: "file", holding: [1, 2])
        let derived = DerivedFile(
            file: file, isLocationRemoved: true, isConverted: false, parts: parts)
        let read = try replied(derived)
        #expect(read.isLocationRemoved && !read.isConverted && read.parts == parts)
        let (bytes, _) = DecoderProtocol.encode(.success(derived))
        #expect(throws: PacketError(.missing)) {
            try DecoderProtocol.decodeReply(DerivedFile.self, bytes, [])
        }
    }

    @Test func `a picture needs a file that is large enough`() throws {
        let size = PixelSize(width: 4, height: 4)
        let small = try MemoryFile.make(named: "small", holding: [UInt8](repeating: 0, count: 47))
        let exact = try MemoryFile.make(named: "exact", holding: [UInt8](repeating: 0, count: 48))
        for (file, isRead) in [(small, false), (exact, true)] {
            let picture = RawPicture(size: size, hasAlpha: false, file: file)
            #expect(((try? replied(picture)) != nil) == isRead)
            let (bytes, _) = DecoderProtocol.encode(.success(picture))
            #expect(throws: PacketError(.missing)) {
                try DecoderProtocol.decodeReply(RawPicture.self, bytes, [])
            }
        }
    }

    @Test func `a memory file that its sender could still change is not mapped`() throws {
        let sealed = try MemoryFile.make(named: "sealed", holding: [1])
        #expect(try MappedMemory(sealed: sealed).bytes.count == 1)
        let home = try Descriptor.openForReading("/dev/null")
        #expect(throws: (any Error).self) { try MappedMemory(sealed: home) }
    }

    /// Packets of a compromised decoder give an error, never a trap.
    @Test func `garbage is neither a reply nor a job`() {
        var generator = SystemRandomNumberGenerator()
        let facts: Result<ImageFacts, DecodeError> = .success(ImageFacts(mediaType: .jpeg))
        let valid =
            Self.jobs.map { DecoderProtocol.encode($0) } + [DecoderProtocol.encode(facts).0]
        for round in 0..<20_000 {
            var packet = valid[round % valid.count]
            switch round / valid.count % 3 {
            case 0: packet = Array(packet.prefix(.random(in: 0...packet.count)))
            case 1:
                let position = Int.random(in: packet.indices)
                packet[position] = .random(in: .min ... .max, using: &generator)
            default: packet = (0..<Int.random(in: 0...64)).map { _ in .random(in: .min ... .max) }
            }
            for job in Self.jobs { Self.read(packet, as: job) }
        }
    }

    /// Reads a packet as a job, and as a reply to one.
    private static func read<Job: DecoderJob>(_ packet: [UInt8], as _: Job) {
        if let job = try? DecoderProtocol.decodeJob(Job.self, packet) {
            #expect((try? comesBack(job)) == true)
        }
        _ = try? DecoderProtocol.decodeReply(Job.Reply.self, packet, [])
    }

    @Test func `a packet with trailing bytes is rejected`() {
        let packet = DecoderProtocol.encode(ProbeJob()) + [0]
        #expect(throws: PacketError(.tooLong)) {
            try DecoderProtocol.decodeJob(ProbeJob.self, packet)
        }
    }
}
