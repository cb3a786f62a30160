// SPDX-License-Identifier: MIT

import PickModel
import Testing

/// Which frame is shown when.
///
/// A picture is the number of its frame, and a frame lasts 40 ms.
@Suite struct PlaybackTests {
    private typealias Frame = Playback<Int>.Frame

    /// A file with frames of the same duration, and a decoder that answers at once.
    private struct Player {
        var playback: Playback<Int>
        let count: Int64
        let length: Int64
        /// The times that were asked for.
        var asked: [Int64] = []

        init(_ kind: Playback<Int>.Kind = .video, count: Int64 = 10, length: Int64 = 40_000) {
            playback = Playback(kind)
            self.count = count
            self.length = length
        }

        func frame(at time: Int64) -> Frame {
            let number = min(time / length, count - 1)
            return Frame(
                Int(number), start: number * length, end: (number + 1) * length,
                isLast: number == count - 1)
        }

        /// Decodes all that is wanted at a moment, and shows what is due.
        mutating func step(_ now: Int64) -> Int? {
            var shown: Int?
            while let request = playback.request(at: now) {
                asked.append(request.time)
                _ = playback.receive(frame(at: request.time), for: request, at: now)
                shown = playback.advance(to: now) ?? shown
            }
            return playback.advance(to: now) ?? shown
        }

        /// Plays until nothing changes, but no longer than until a moment.
        ///
        /// - Returns: The frames and when they were shown.
        mutating func run(from start: Int64, to end: Int64) -> [Int64: Int] {
            var shown: [Int64: Int] = [:]
            var now = start
            while true {
                if let frame = step(now) { shown[now] = frame }
                guard let change = playback.nextChange, change <= end else { return shown }
                now = max(change, now)
            }
        }
    }

    @Test func `frames are shown in their time, and the last one stays`() {
        var player = Player(count: 3)
        player.playback.play(at: 1000)
        #expect(player.run(from: 1000, to: .max) == [1000: 0, 41_000: 1, 81_000: 2])
        #expect(!player.playback.isPlaying)
        #expect(player.playback.position(at: 999_000) == 120_000)
    }

    @Test func `a video that has ended begins again`() {
        var player = Player(count: 2)
        player.playback.play(at: 0)
        _ = player.run(from: 0, to: .max)
        player.playback.play(at: 500_000)
        #expect(player.run(from: 500_000, to: .max) == [500_000: 0, 540_000: 1])
    }

    @Test func `the clock begins with the first frame, however late`() throws {
        var player = Player()
        player.playback.play(at: 0)
        let request = try #require(player.playback.request(at: 0))
        #expect(player.playback.position(at: 700_000) == 0)
        #expect(player.playback.nextChange == nil)
        _ = player.playback.receive(player.frame(at: 0), for: request, at: 700_000)
        #expect(player.playback.advance(to: 700_000) == 0)
        #expect(player.playback.position(at: 710_000) == 10_000)
    }

    @Test func `few frames are decoded ahead, and none while it is paused`() {
        var player = Player(count: 100)
        #expect(player.step(0) == 0)
        #expect(player.asked == [0])
        player.playback.play(at: 0)
        _ = player.step(0)
        #expect(player.asked.count == 1 + Playback<Int>.queueLength)
        player.playback.pause(at: 50_000)
        _ = player.step(900_000)
        #expect(player.asked.count == 1 + Playback<Int>.queueLength)
        #expect(player.playback.position(at: 900_000) == 50_000)
    }

    @Test func `a slow decoder leaves frames out and keeps time`() throws {
        var player = Player(count: 100)
        player.playback.play(at: 0)
        _ = player.step(0)
        var now: Int64 = 0
        // Each frame takes as long as three are shown.
        for _ in 0..<20 {
            guard let request = player.playback.request(at: now) else {
                now = try #require(player.playback.nextChange)
                _ = player.playback.advance(to: now)
                continue
            }
            now += 120_000
            _ = player.playback.receive(
                player.frame(at: request.time), for: request, at: now)
            let shown = player.playback.advance(to: now)
            if let shown { #expect(Int64(shown) * 40_000 >= now - 160_000) }
        }
        #expect(player.playback.position(at: now) == now)
    }

    @Test func `a seek shows the frame there, also while it is paused`() {
        var player = Player()
        _ = player.step(0)
        player.playback.move(to: 210_000, at: 5)
        #expect(player.step(5) == 5)
        #expect(player.playback.position(at: 5) == 210_000)
        #expect(!player.playback.isPlaying)
        player.playback.play(at: 1_000_000)
        #expect(player.run(from: 1_000_000, to: 1_030_000) == [1_030_000: 6])
    }

    @Test func `a frame for an earlier seek is a glimpse and nothing more`() throws {
        var player = Player()
        player.playback.move(to: 80_000, at: 0)
        let old = try #require(player.playback.request(at: 0))
        player.playback.move(to: 200_000, at: 1)
        let new = try #require(player.playback.request(at: 1))
        #expect(player.playback.receive(player.frame(at: 80_000), for: old, at: 2) == 2)
        #expect(player.playback.advance(to: 2) == nil)
        #expect(player.playback.receive(player.frame(at: 200_000), for: new, at: 3) == nil)
        #expect(player.playback.advance(to: 3) == 5)
        // Too late even for that.
        #expect(player.playback.receive(player.frame(at: 80_000), for: old, at: 4) == nil)
    }

    @Test func `a seek beyond the end shows the last frame, and playing begins anew`() {
        var player = Player(count: 3)
        player.playback.move(to: 900_000, at: 0)
        #expect(player.step(0) == 2)
        player.playback.play(at: 10)
        #expect(player.step(10) == 0)
        #expect(player.playback.isPlaying)
    }

    @Test func `an animation is repeated as often as it says`() {
        var player = Player(.animation, count: 2)
        player.playback.rounds = 3
        player.playback.play(at: 0)
        let shown = player.run(from: 0, to: .max)
        #expect(
            shown == [0: 0, 40_000: 1, 80_000: 0, 120_000: 1, 160_000: 0, 200_000: 1])
        #expect(!player.playback.isPlaying)
    }

    @Test func `an animation without an end goes on`() {
        var player = Player(.animation, count: 2)
        player.playback.rounds = nil
        player.playback.play(at: 0)
        #expect(player.run(from: 0, to: 4_000_000).count == 101)
        #expect(player.playback.isPlaying)
    }

    /// As in browsers: 10 ms are no duration, but 20 ms are.
    @Test(arguments: [(10_000, 100_000), (19_999, 100_000), (20_000, 20_000)] as [(Int64, Int64)])
    func `frames of an animation that last too short take a tenth of a second`(
        length: Int64, shown: Int64
    ) {
        var player = Player(.animation, count: 3, length: length)
        player.playback.play(at: 0)
        #expect(player.run(from: 0, to: .max) == [0: 0, shown: 1, 2 * shown: 2])
        #expect(player.playback.position(at: .max) == 3 * shown)
    }

    @Test func `frames of a video may last as short as they like`() {
        var player = Player(count: 3, length: 8000)
        player.playback.play(at: 0)
        #expect(player.run(from: 0, to: .max) == [0: 0, 8000: 1, 16_000: 2])
    }

    @Test func `a round that begins late begins with its first frame`() throws {
        var player = Player(.animation, count: 2)
        player.playback.rounds = nil
        player.playback.play(at: 0)
        _ = player.step(0)
        // Two rounds are ready; nothing else is decoded for ten seconds.
        while let change = player.playback.nextChange { _ = player.playback.advance(to: change) }
        let now: Int64 = 10_000_000
        let request = try #require(player.playback.request(at: now))
        #expect(request.time == 0 || request.time >= 40_000)
        #expect(player.step(now) != nil)
        #expect(player.run(from: now, to: now + 400_000).count > 8)
    }
}
