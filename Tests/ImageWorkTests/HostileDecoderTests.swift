// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Glibc
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Replies of a decoder that was taken over: `hostile-decoder` lies about one thing at a time.
@Suite(.serialized) struct HostileDecoderTests {
    private static let subject = ThumbnailSubject(
        uri: "file:///photo.jpg", modified: 5, byteCount: 7)
    private static let conversion = Derivation(
        removesLocation: false,
        picture: PictureChange(
            format: .png, size: PixelSize(width: 64, height: 48), quality: 90,
            maximumByteCount: 50_000))

    @Test(arguments: [
        "unsealed", "shrinkable", "writable", "regularFile", "pipe", "shortPixels", "longPixels",
        "largerThanAsked", "hugeSize", "emptySize", "overflowingSize", "noDescriptor",
        "extraDescriptor", "otherReply", "unknownCode", "unknownError", "trailingByte",
    ])
    func `a picture that is not as the decoder says is refused`(lie: String) async throws {
        await expectGarbage(.pixels(side: 256), lie)
        await expectGarbage(.thumbnail(side: 256, of: Self.subject), lie)
        await expectGarbage(.readThumbnail(Self.subject), lie)
        await expectGarbage(.adoptThumbnail(of: "file:///old.jpg", Self.subject), lie)
    }

    @Test(arguments: [
        "entryUnsealed", "entryHuge", "entryText", "entryCut", "entryTail", "entryUnknownChunk",
        "entryOfOtherFile", "entryOfOtherTime", "entryOfOtherSize", "entryTwiceNamed",
    ])
    func `a cache entry that is not the thumbnail of the file is refused`(lie: String) async throws
    {
        await expectGarbage(.thumbnail(side: 256, of: Self.subject), lie)
        await expectGarbage(.failureMark(Self.subject), lie)
        await expectGarbage(.adoptThumbnail(of: "file:///old.jpg", Self.subject), lie)
    }

    @Test(arguments: [
        "frameBeforeStart", "frameOfLaterTime", "frameOfEarlierTime", "frameWithoutDuration",
        "frameBackwards", "frameForEver", "unsealed", "shrinkable", "writable", "shortPixels",
        "largerThanAsked", "hugeSize", "overflowingSize", "noDescriptor", "otherReply",
    ])
    func `a frame of another time or size than was asked for is refused`(lie: String) async throws {
        let home = try TestHome()
        let pool = try playingPool(lie, in: home)
        defer { pool.close() }
        let player = try #require(pool.player(of: try Fixtures.open("video/moving.mp4")))
        await #expect(throws: DecodeError.garbage) { try await player.frame(at: 5, fitting: 256) }
    }

    @Test(arguments: [
        ("silent", DecodeError.stalled), ("busy", .timedOut), ("emptyPacket", .crashed),
    ])
    func `a decoder that plays and hangs or dies is ended`(lie: String, error: DecodeError)
        async throws
    {
        let home = try TestHome()
        let pool = try playingPool(lie, in: home)
        defer { pool.close() }
        let player = try #require(pool.player(of: try Fixtures.open("video/moving.mp4")))
        await #expect(throws: error) { try await player.frame(at: 0, fitting: 256) }
    }

    @Test(arguments: ["hugeFacts", "unknownOrientation", "unknownType"])
    func `facts that no file can have are refused`(lie: String) async throws {
        await expectGarbage(.probe, lie)
    }

    @Test(arguments: [
        "longTitle", "hiddenCharacters", "titleInLines", "longKeywords", "sixStars",
    ])
    func `texts beyond their limits are refused`(lie: String) async throws {
        await expectGarbage(.probe, lie)
        await expectGarbage(.sidecar, lie)
    }

    @Test func `a count of types that does not fit into the packet is refused`() async throws {
        await expectGarbage(.supportedTypes, "typesCount")
    }

    @Test(arguments: [
        "derivedUnsealed", "derivedHuge", "derivedText", "derivedOfOtherFormat", "derivedTooLong",
        "derivedUnaskedRemoval", "derivedWithoutChange",
    ])
    func `a converted file that was not asked for is refused`(lie: String) async throws {
        await expectGarbage(.derive(Self.conversion), lie)
    }

    @Test(arguments: [
        "derivedUnsealed", "derivedHuge", "derivedText", "derivedOfOtherFormat",
        "derivedWithoutChange", "partsOverlap", "partsUnordered",
        "partsBeyondEnd", "partsOfOtherSize", "partsCount",
    ])
    func `a file without its location that is another file is refused`(lie: String) async throws {
        await expectGarbage(.derive(Derivation(removesLocation: true)), lie)
    }

    @Test func `a decoder that tells the truth is believed`() async throws {
        try await withPool("honest") { pool, file in
            _ = try await pool.run(.probe, on: file, priority: .visible)
            _ = try await pool.run(.pixels(side: 256), on: file, priority: .visible)
            let made = try await pool.run(
                .thumbnail(side: 256, of: Self.subject), on: file, priority: .visible)
            #expect(made.picture.size == PixelSize(width: 64, height: 48))
            _ = try await pool.run(.failureMark(Self.subject), on: file, priority: .visible)
            for derivation in [Self.conversion, Derivation(removesLocation: true)] {
                #expect(
                    try await pool.run(.derive(derivation), on: file, priority: .visible) != nil)
            }
        }
    }

    @Test(arguments: [("silent", DecodeError.stalled), ("busy", .timedOut)])
    func `a decoder that does not reply is stopped, and only work counts against the file`(
        lie: String, error: DecodeError
    ) async throws {
        try await withPool(lie) { pool, file in
            await #expect(throws: error) {
                try await pool.run(.probe, on: file, priority: .visible)
            }
        }
    }

    @Test func `a busy machine does not make a photo count as one that takes too long`()
        async throws
    {
        try await withPool("starved") { pool, file in
            _ = try await pool.run(.probe, on: file, priority: .visible)
        }
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a file of an unknown type on a disk that does not answer blocks nothing else`()
        async throws
    {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        let path = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: path)
        let files = try (0..<8).map { _ in try Descriptor.openForReading(path) }
        let pool = DecoderPool(
            program: try HostileDecoder.program("ignorant", in: home), workers: 2)
        try disk.stall(.read)
        let jobs = files.map { file in
            Task {
                _ = await #expect(throws: DecodeError.unsupported) {
                    try await pool.run(.pixels(side: 64), on: file, priority: .visible)
                }
            }
        }
        try await eventually("the replies of the decoders") { pool.waitingCount == 0 }
        // Each thread of Swift's pool that waits for the disk is one less for everybody, for this test too.
        let end = DispatchWorkItem { try? disk.answer() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5, execute: end)
        let start = ContinuousClock.now
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(start.duration(to: .now) < .seconds(4))
        end.cancel()
        try disk.answer()
        for job in jobs { await job.value }
        pool.close()
        try await disk.end()
    }

    @Test(arguments: ["emptyPacket", "longPacket"])
    func `a packet without content, or with too much, counts as a crash`(lie: String) async throws {
        try await withPool(lie) { pool, file in
            await #expect(throws: DecodeError.crashed) {
                try await pool.run(.probe, on: file, priority: .visible)
            }
        }
    }

    @Test(arguments: ["early", "twice"])
    func `a reply that nobody asked for is not taken for the reply to a job`(lie: String)
        async throws
    {
        try await withPool(lie) { pool, file in
            for _ in 0..<3 {
                do {
                    let facts = try await pool.run(.probe, on: file, priority: .visible)
                    #expect(facts.size == PixelSize(width: 64, height: 48))
                } catch {
                    #expect(lie == "early" && error as? DecodeError == .crashed)
                }
            }
        }
    }

    @Test(arguments: ["unready", "otherVersion"])
    func `a decoder that has no sandbox, or is of another version, says nothing about the file`(
        lie: String
    ) async throws {
        try await withPool(lie) { pool, file in
            await #expect(throws: DecodeError.unavailable) {
                try await pool.run(.probe, on: file, priority: .visible)
            }
        }
    }

    // MARK: -

    private func expectGarbage(_ job: some DecoderJob, _ lie: String) async {
        await #expect(throws: DecodeError.garbage, "\(lie): \(job)") {
            try await withPool(lie) { pool, file in
                let reply = try await pool.run(job, on: file, priority: .visible)
                Issue.record("\(lie) was believed: \(reply)")
            }
        }
    }

    /// A pool in which the program that plays videos lies.
    private func playingPool(_ lie: String, in home: TestHome) throws -> DecoderPool {
        DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")),
            videos: try HostileDecoder.program(lie, in: home), workers: 1,
            timeout: .milliseconds(["silent": 300, "busy": 2000][lie] ?? 20_000))
    }

    private func withPool(
        _ lie: String, _ body: (DecoderPool, Descriptor) async throws -> Void
    ) async throws {
        let home = try TestHome()
        let pool = DecoderPool(
            program: try HostileDecoder.program(lie, in: home), workers: 1,
            timeout: .milliseconds(["silent": 300, "busy": 2000, "starved": 600][lie] ?? 20_000))
        defer { pool.close() }
        try await body(pool, try Fixtures.open("jpeg/baseline.jpg"))
    }
}
