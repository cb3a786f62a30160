// SPDX-License-Identifier: MIT

import GtkKit
import ImageWork
import PickModel

/// Plays the video or the animation in the preview: has frames decoded, and shows each in its time.
///
/// A decoder process exists from the first frame until ``suspend()``, or until this object is released.
@UIActor
final class PreviewPlayer {
    private var playback: Playback<Texture>
    /// Starts a decoder process for the file; nil if there is no program for that.
    private let open: @UIActor () -> FramePlayer?
    private var frames: FramePlayer?
    private let kind: Playback<Texture>.Kind
    /// Whether nobody can see it.
    private var isSuspended = false
    private var fetching: Task<Void, Never>?
    private var waiting: Task<Void, Never>?

    /// The longest side of frames, in device pixels.
    var side: @UIActor () -> Int = { 1 }
    var onPicture: @UIActor (Texture) -> Void = { _ in }
    /// Called when the position has changed, and when it has begun or ceased to move.
    var onChange: @UIActor () -> Void = {}
    var onFailure: @UIActor (DecodeError) -> Void = { _ in }

    /// How often the position is told while one frame stays.
    private static let pace: Int64 = 200_000
    private static let clock = SuspendingClock()
    private static let beginning = clock.now

    init(_ kind: Playback<Texture>.Kind, _ open: @escaping @UIActor () -> FramePlayer?) {
        self.kind = kind
        self.open = open
        playback = Playback(kind)
    }

    isolated deinit {
        fetching?.cancel()
        waiting?.cancel()
    }

    var isPlaying: Bool { playback.isPlaying }

    /// In microseconds from the first frame.
    var position: Int64 { playback.position(at: Self.now) }

    /// The time since the first use, in microseconds; it stands while the machine sleeps.
    private static var now: Int64 {
        let (seconds, attoseconds) = beginning.duration(to: clock.now).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    // MARK: - What the person does

    func play() {
        playback.play(at: Self.now)
        step()
    }

    func pause() {
        playback.pause(at: Self.now)
        step()
    }

    /// Goes to a position in microseconds.
    func move(to position: Int64) {
        playback.move(to: position, at: Self.now)
        step()
    }

    /// Ends the decoder process while nobody can see the frames; an animation begins anew afterwards.
    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        stop()
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        if isPlaying { step() }
    }

    private func stop() {
        fetching?.cancel()
        waiting?.cancel()
        (fetching, waiting, frames) = (nil, nil, nil)
        // A video that has ended begins again when the person plays it.
        if kind == .video, playback.isAtEnd(Self.now) { return }
        playback.move(to: kind == .video ? position : 0, at: Self.now)
    }

    // MARK: - Frames

    /// Shows what is due, has the next frames decoded, and waits for the next change.
    private func step() {
        waiting?.cancel()
        guard !isSuspended else { return }
        if let picture = playback.advance(to: Self.now) { onPicture(picture) }
        fetch()
        onChange()
        guard isPlaying else { return }
        let now = Self.now
        let delay = min(playback.nextChange.map { $0 - now } ?? Self.pace, Self.pace)
        waiting = Task { [weak self] in
            do {
                try await Task.sleep(
                    for: .microseconds(max(delay, 0)), tolerance: .zero, clock: Self.clock)
            } catch { return }
            self?.step()
        }
    }

    private func fetch() {
        guard fetching == nil, playback.request(at: Self.now) != nil else { return }
        guard let frames = frames ?? open() else { return fail(.unavailable) }
        self.frames = frames
        fetching = Task { [weak self] in
            while let self, let request = playback.request(at: Self.now) {
                let result = await Self.frame(of: frames, at: request.time, fitting: side())
                guard !Task.isCancelled else { return }
                switch result {
                case .success(let frame): receive(frame, for: request)
                case .failure(let error): return fail(error)
                }
            }
            self?.fetching = nil
        }
    }

    private func receive(_ frame: MovingFrame, for request: Playback<Texture>.Request) {
        guard let texture = Texture(frame.picture) else { return fail(.garbage) }
        if kind == .animation { playback.rounds = frame.rounds }
        let glimpse = playback.receive(
            Playback.Frame(texture, start: frame.start, end: frame.end, isLast: frame.isLast),
            for: request, at: Self.now)
        if let glimpse { onPicture(glimpse) }
        step()
    }

    private func fail(_ error: DecodeError) {
        playback.pause(at: Self.now)
        stop()
        onFailure(error)
        onChange()
    }

    private static func frame(
        of frames: FramePlayer, at time: Int64, fitting side: Int
    ) async -> Result<MovingFrame, DecodeError> {
        do throws(DecodeError) {
            return .success(try await frames.frame(at: time, fitting: side))
        } catch {
            return .failure(error)
        }
    }
}
