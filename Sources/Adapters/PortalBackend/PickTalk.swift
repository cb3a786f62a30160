// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus

/// Passes on what a window and the caller of its request tell each other, until the request ends.
@BusActor
final class PickTalk {
    private(set) lazy var conversation = PickConversation(news: news, choices: choices) {
        [weak self] in
        Task { @BusActor in self?.taken() }
    }
    private let news: AsyncStream<PickNews>
    private let speaker: AsyncStream<PickNews>.Continuation
    private let choices: AsyncStream<[PickedItem]>.Continuation
    private let reporting: Task<Void, Never>
    /// Those who wait until the window has taken what they said, in order.
    private var waiting: [CheckedContinuation<Bool, Never>] = []

    /// - Parameter caller: Gets the signals.
    init(_ handle: ObjectPath, with caller: BusName, on connection: Connection) {
        (news, speaker) = AsyncStream<PickNews>.makeStream()
        // Only what is chosen now matters to an app.
        let (changes, choices) = AsyncStream<[PickedItem]>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        self.choices = choices
        reporting = Task { [weak connection] in
            for await items in changes {
                guard let connection, !Task.isCancelled else { return }
                // Fails only if the connection has ended, and the request with it.
                try? connection.emit(
                    PickerBackendInterface.selectionChanged,
                    of: PickerBackendInterface.interface.name, from: PickerBackendInterface.path,
                    to: caller, Arguments(handle, BackendAnswer.encode(choice: items)))
                // Cancelled when the request ends.
                try? await Task.sleep(for: SelectionUpdate.pause)
            }
        }
        // The person has decided: the window hears nothing any more.
        speaker.onTermination = { [weak self] _ in Task { @BusActor in self?.releaseAll() } }
    }

    /// Tells the window, and waits until it has taken it.
    ///
    /// - Returns: False if it never will: the person has decided, or the request has ended.
    func tell(_ news: PickNews) async -> Bool {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            if case .terminated = speaker.yield(news) { releaseAll() }
        }
    }

    private func taken() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().resume(returning: true)
    }

    private func releaseAll() {
        let others = waiting
        waiting = []
        for other in others { other.resume(returning: false) }
    }

    /// Ends both directions; nothing is sent after this.
    func end() {
        reporting.cancel()
        speaker.finish()
        choices.finish()
        releaseAll()
    }
}
