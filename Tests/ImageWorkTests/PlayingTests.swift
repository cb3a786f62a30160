// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Frames of videos and animations, from the real program.
@Suite(.serialized) struct PlayingTests {
    private let pool = DecoderPool(
        program: FilePath(Programs.path("photo-portal-decoder")),
        videos: FilePath(Programs.path("photo-portal-video")), workers: 1)

    private func player(_ name: String) throws -> FramePlayer {
        try #require(pool.player(of: try Fixtures.open(name)))
    }

    /// Plays a file to its end.
    private func frames(of name: String) async throws -> [MovingFrame] {
        let player = try player(name)
        var frames: [MovingFrame] = []
        var time: Int64 = 0
        repeat {
            let frame = try await player.frame(at: time, fitting: 256)
            #expect(frame.start == time)
            frames.append(frame)
            time = frame.end
        } while frames.last?.isLast == false && frames.count < 100
        return frames
    }

    private func pixels(_ frame: MovingFrame) throws -> [UInt8] {
        let memory = try frame.picture.mapped()
        return withExtendedLifetime(memory) { Array(memory.bytes) }
    }

    /// The colour of a pixel.
    private func colour(_ frame: MovingFrame, x: Int, y: Int) throws -> [UInt8] {
        let channels = frame.picture.hasAlpha ? 4 : 3
        let start = (y * frame.picture.size.width + x) * channels
        return Array(try pixels(frame)[start..<start + 3])
    }

    @Test func `a video has its frames, one after the other, and is shown once`() async throws {
        defer { pool.close() }
        let frames = try await frames(of: "video/moving.mp4")
        #expect(frames.map(\.start) == (0..<10).map { $0 * 200_000 })
        #expect(frames.last?.end == 2_000_000)
        #expect(frames.allSatisfy { $0.rounds == 1 })
        #expect(frames.allSatisfy { $0.picture.size == PixelSize(width: 96, height: 64) })
        #expect(Set(try frames.map(pixels)).count == 10)
    }

    @Test func `a seek finds the frame of that time, forward and back`() async throws {
        defer { pool.close() }
        let all = try await frames(of: "video/moving.mp4")
        let player = try player("video/moving.mp4")
        for time in [1_900_000, 0, 799_999, 800_000, 250_000, 1_000_000] as [Int64] {
            let frame = try await player.frame(at: time, fitting: 256)
            let expected = all[Int(time / 200_000)]
            #expect(frame.start == expected.start && frame.end == expected.end)
            let isSame = try pixels(frame) == pixels(expected)
            #expect(isSame, "at \(time)")
        }
        // A header may tell a longer duration than there are frames.
        #expect(try await player.frame(at: 60_000_000, fitting: 256).start == 1_800_000)
        #expect(try await player.frame(at: .max, fitting: 256).isLast)
        #expect(try await player.frame(at: .min, fitting: 256).start == 0)
    }

    @Test func `frames are no larger than they are shown`() async throws {
        defer { pool.close() }
        let frame = try await player("video/moving.mp4").frame(at: 0, fitting: 48)
        #expect(frame.picture.size == PixelSize(width: 48, height: 32))
    }

    @Test func `a video that was held upright is played upright`() async throws {
        defer { pool.close() }
        let home = try TestHome()
        let path = home.scratch.appending("turned.mp4")
        var bytes = try Fixtures.bytes("video/moving.mp4")
        // The matrix of the track, behind its times and numbers, turns by a quarter.
        let name = try #require(
            bytes.indices.dropLast(80).first { bytes[$0..<$0 + 4].elementsEqual("tkhd".utf8) })
        let matrix: [[UInt8]] = [
            [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [255, 255, 0, 0], [0, 0, 0, 0],
        ]
        bytes.replaceSubrange(name + 44..<name + 64, with: matrix.flatMap(\.self))
        try home.write(bytes, to: path)
        let player = try #require(pool.player(of: try .openForReading(path)))
        let frame = try await player.frame(at: 0, fitting: 256)
        #expect(frame.picture.size == PixelSize(width: 64, height: 96))
    }

    @Test(
        arguments: [
            ("formats/moving.gif", 2, 100_000, 1), ("formats/moving.webp", 2, 100_000, 1),
            ("sequence/blocks.heics", 2, 500_000, nil),
        ] as [(String, Int, Int64, Int?)])
    func `an animation has its frames, their durations and its rounds`(
        name: String, count: Int, length: Int64, rounds: Int?
    ) async throws {
        defer { pool.close() }
        let frames = try await frames(of: name)
        #expect(frames.count == count)
        #expect(frames.allSatisfy { $0.end - $0.start == length && $0.rounds == rounds })
        let first = try colour(try #require(frames.first), x: 8, y: 8)
        for (found, expected) in zip(first, [230, 30, 30]) {
            #expect(abs(Int(found) - expected) < 20)
        }
    }

    @Test(arguments: ["jpeg/baseline.jpg", "formats/blocks.png", "texts/xmp.jpg"])
    func `nothing moves in a photo`(name: String) async throws {
        defer { pool.close() }
        let player = try player(name)
        await #expect(throws: DecodeError.unsupported) {
            try await player.frame(at: 0, fitting: 256)
        }
    }

    @Test func `a file that ends early plays as far as it goes`() async throws {
        defer { pool.close() }
        let home = try TestHome()
        let whole = try Fixtures.bytes("formats/moving.gif")
        let path = home.scratch.appending("cut.gif")
        try home.write(Array(whole.dropLast(40)), to: path)
        let player = try #require(pool.player(of: try .openForReading(path)))
        #expect(try await player.frame(at: 0, fitting: 256).start == 0)
        let video = home.scratch.appending("cut.mp4")
        try home.write(Array(try Fixtures.bytes("video/moving.mp4").prefix(60)), to: video)
        let cut = try #require(pool.player(of: try .openForReading(video)))
        await #expect(throws: DecodeError.damaged) { try await cut.frame(at: 0, fitting: 256) }
    }

    @Test func `a process that is killed is replaced, and the video goes on`() async throws {
        let home = try TestHome()
        let pool = try named("played-and-killed", in: home)
        defer { pool.close() }
        let player = try #require(pool.player(of: try Fixtures.open("video/moving.mp4")))
        #expect(try await player.frame(at: 0, fitting: 256).start == 0)
        for process in processes("played-and-killed") { kill(process, SIGKILL) }
        #expect(try await player.frame(at: 1_000_000, fitting: 256).start == 1_000_000)
    }

    @Test func `the process ends with whoever played`() async throws {
        let home = try TestHome()
        let pool = try named("played", in: home)
        defer { pool.close() }
        var player = pool.player(of: try Fixtures.open("video/moving.mp4"))
        _ = try await player?.frame(at: 0, fitting: 256)
        // One is the template, which reads no files.
        #expect(processes("played").count == 2)
        player = nil
        try await eventually("the end of the process") { processes("played").count == 1 }
    }

    /// A pool whose program for videos has another name.
    private func named(_ name: String, in home: TestHome) throws -> DecoderPool {
        let program = home.scratch.appending(name)
        let target = Programs.path("photo-portal-video")
        try #require(program.withPlatformString { symlink(target, $0) } == 0)
        return DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), videos: program, workers: 1)
    }

    /// The processes of a program with this name.
    private func processes(_ name: String) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0.string) }.filter { process in
            (try? Descriptor.openForReading(FilePath("/proc/\(process)/cmdline")).read(upTo: 100))?
                .starts(with: "\(name)\0".utf8) == true
        }
    }
}
