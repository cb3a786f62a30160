// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus

/// Passes on what a window and the caller of its request tell each other, until the request ends.
@BusActor
final class PickTalk {
    let conversation: PickConversation
    private let speaker: AsyncStream<PickNews>.Continuation
    private let choices: AsyncStream<[PickedItem]>.Continuation
    private let reporting: Task<Void, Never>

    /// - Parameter caller: Gets the signals.
    init(_ handle: ObjectPath, with caller: BusName, on connection: Connection) {
        let (news, speaker) = AsyncStream<PickNews>.makeStream()
        // Only what is chosen now matters to an app.
        let (changes, choices) = AsyncStream<[PickedItem]>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        self.speaker = speaker
        self.choices = choices
        conversation = PickConversation(news: news, choices: choices)
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
    }

    /// Tells the window.
    func tell(_ news: PickNews) { speaker.yield(news) }

    /// Ends both directions; nothing is sent after this.
    func end() {
        reporting.cancel()
        speaker.finish()
        choices.finish()
    }
}
