// SPDX-License-Identifier: MIT

import Photos

/// What the script has chosen in one request, as an app follows and changes it.
actor ScriptedChoice {
    private(set) var items: [PickedItem] = []
    private(set) var limits = CountLimits.one
    private let conversation: PickConversation
    private var isFollowed = false
    private let note: @Sendable (PickNews) -> Void
    /// How often the app has changed something that nobody waited for.
    private var unheard = 0
    private var waiting: CheckedContinuation<Void, Never>?

    /// - Parameter note: Called with each thing that the app does.
    init(_ conversation: PickConversation, note: @escaping @Sendable (PickNews) -> Void) {
        self.conversation = conversation
        self.note = note
    }

    func open(_ options: PickOptions) {
        limits = options.count
        isFollowed = options.isContinuous
    }

    func choose(_ items: [PickedItem]) {
        self.items = items
        report()
    }

    private func report() {
        if isFollowed { conversation.report(items) }
    }

    /// Takes what the app does, as a window would.
    func hear(_ news: PickNews) {
        switch news {
        case .left: return
        case .deselected(let ids):
            items.removeAll {
                if case .asset(let id) = $0.reference { ids.contains(id) } else { false }
            }
        case .limited(let limits):
            self.limits = limits
            items = Array(items.prefix(limits.capacity))
        }
        note(news)
        report()
        unheard += 1
        resume()
    }

    /// Waits until the app has changed something since the last wait, or until the task is cancelled.
    func waitForNews() async {
        await withTaskCancellationHandler {
            if unheard == 0, !Task.isCancelled {
                await withCheckedContinuation { waiting = $0 }
            }
            unheard = max(unheard - 1, 0)
        } onCancel: {
            Task { await self.resume() }
        }
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }
}
