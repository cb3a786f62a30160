// SPDX-License-Identifier: MIT

/// A video or an animation that is played: what is shown when, and which frames to decode ahead.
///
/// It is a plain value without a clock and without a decoder. Whoever plays it decodes a frame whenever
/// there is a ``request(at:)``, and calls ``advance(to:)`` after each frame and when ``nextChange`` has come.
/// Frames that would come late are not asked for, so that a slow machine keeps time.
///
/// All numbers are microseconds: moments of the caller's clock, and positions from the first frame on,
/// which go on rising when an animation begins anew.
package struct Playback<Picture> {
    /// A decoded frame.
    package struct Frame {
        package let picture: Picture
        /// The time at which it is shown in the file.
        package let start: Int64
        /// Later than the start.
        package let end: Int64
        /// Whether the file ends with it.
        package let isLast: Bool

        package init(_ picture: Picture, start: Int64, end: Int64, isLast: Bool) {
            self.picture = picture
            self.start = start
            self.end = end
            self.isLast = isLast
        }
    }

    /// A frame to decode.
    package struct Request: Hashable, Sendable {
        /// The time in the file at which it is shown.
        package let time: Int64
        /// The number of the seek that it belongs to.
        fileprivate let seek: Int
    }

    /// What was decoded, at its position.
    private struct Due {
        let picture: Picture
        let start: Int64
    }

    /// The frame behind those that were decoded.
    private struct Next {
        /// Its time in the file.
        var time: Int64
        /// What makes a position of such a time.
        var offset: Int64
        /// How often the file was shown before.
        var rounds: Int
    }

    /// The durations of frames.
    package enum Kind: Hashable, Sendable {
        case video
        /// As in browsers: a frame of less than 20 ms takes 100 ms.
        ///
        /// - Source: Chromium's `ImageFrame`, Firefox's `FrameTimeout`: old files have none, and mean this.
        case animation
    }

    private let kind: Kind
    /// How often the file is shown until it stops at its last frame; nil for ever.
    package var rounds: Int? = 1
    /// Whether it moves, or will as soon as the frame at the position is there.
    package private(set) var isPlaying = false

    /// The position at the moment ``started``, or as long as the clock stands.
    private var position: Int64 = 0
    /// When the clock began to run; nil while it stands.
    private var started: Int64?
    /// The number of the last seek.
    private var seek = 0
    /// Whether the frame at the position is missing.
    private var isWaiting = true
    private var queue: [Due] = []
    /// Nil behind the last frame.
    private var next: Next? = Next(time: 0, offset: 0, rounds: 0)
    /// The end of what was decoded.
    private var end: Int64 = 0

    /// The most frames that were decoded and are not shown yet.
    package static var queueLength: Int { 4 }

    package init(_ kind: Kind) {
        self.kind = kind
    }

    // MARK: - Time

    /// The position at a moment.
    package func position(at now: Int64) -> Int64 {
        guard let started else { return position }
        return position + max(now - started, 0)
    }

    /// Whether the last frame has been shown for as long as it lasts.
    package func isAtEnd(_ now: Int64) -> Bool {
        next == nil && queue.isEmpty && position(at: now) >= end
    }

    /// When to call ``advance(to:)`` again; nil if nothing changes by itself.
    package var nextChange: Int64? {
        guard let started, let change = queue.first?.start ?? (next == nil ? end : nil) else {
            return nil
        }
        return started + max(change - position, 0)
    }

    private mutating func setClock(to position: Int64, at now: Int64) {
        self.position = position
        started = isPlaying && !isWaiting ? now : nil
    }

    // MARK: - What the person does

    /// Goes on, or begins again after the end.
    package mutating func play(at now: Int64) {
        if isAtEnd(now) { move(to: 0, at: now) }
        isPlaying = true
        setClock(to: position(at: now), at: now)
    }

    package mutating func pause(at now: Int64) {
        let position = position(at: now)
        isPlaying = false
        setClock(to: position, at: now)
    }

    /// Goes to another position in the first round.
    package mutating func move(to position: Int64, at now: Int64) {
        seek += 1
        isWaiting = true
        queue = []
        end = 0
        next = Next(time: max(position, 0), offset: 0, rounds: 0)
        setClock(to: max(position, 0), at: now)
    }

    // MARK: - Frames

    /// The frame to decode next; nil if none is needed now.
    package func request(at now: Int64) -> Request? {
        guard let next, isWaiting || isPlaying && queue.count < Self.queueLength else { return nil }
        // A round begins with its first frame, however late.
        let isBeginning = isWaiting || next.time == 0
        let due = position(at: now) - next.offset
        return Request(time: isBeginning ? next.time : max(next.time, due), seek: seek)
    }

    /// Takes a frame that was decoded for a request.
    ///
    /// - Returns: The picture to show at once, although the person has moved on: who drags a slider
    ///   wants to see where it is.
    package mutating func receive(_ frame: Frame, for request: Request, at now: Int64) -> Picture? {
        guard request.seek == seek, let current = next else {
            return isWaiting ? frame.picture : nil
        }
        let length = frame.end - frame.start
        let shown = kind == .animation && length < 20_000 ? 100_000 : length
        let start = frame.start + current.offset
        queue.append(Due(picture: frame.picture, start: start))
        end = start + shown
        if !frame.isLast {
            next = Next(time: frame.end, offset: end - frame.end, rounds: current.rounds)
        } else if rounds.map({ current.rounds + 1 < $0 }) ?? true {
            next = Next(time: 0, offset: end, rounds: current.rounds + 1)
        } else {
            next = nil
        }
        let isLateRound = current.time == 0 && current.rounds > 0 && position(at: now) > start
        let wasWaiting = isWaiting
        isWaiting = false
        if wasWaiting || isLateRound { setClock(to: isLateRound ? start : position, at: now) }
        return nil
    }

    /// Shows what is due.
    ///
    /// - Returns: The picture that takes the place of the one on the screen; nil if that stays.
    package mutating func advance(to now: Int64) -> Picture? {
        let position = position(at: now)
        let due = queue.prefix { $0.start <= position }
        queue.removeFirst(due.count)
        if isPlaying, !isWaiting, isAtEnd(now) {
            isPlaying = false
            setClock(to: end, at: now)
        }
        return due.last?.picture
    }
}
