// SPDX-License-Identifier: MIT

/// What a window and the caller of its request tell each other before the person has decided.
package struct PickConversation: Sendable {
    private let news: AsyncStream<PickNews>
    private let choices: AsyncStream<[PickedItem]>.Continuation?
    private let onTaken: @Sendable () -> Void

    /// - Parameters:
    ///   - choices: Gets each change of the choice; nil if nobody follows it.
    ///   - onTaken: Called when the window has taken one of the news.
    package init(
        news: AsyncStream<PickNews>, choices: AsyncStream<[PickedItem]>.Continuation? = nil,
        onTaken: @escaping @Sendable () -> Void = {}
    ) {
        self.news = news
        self.choices = choices
        self.onTaken = onTaken
    }

    /// Hears what the caller does, in order, until the task is cancelled or the request ends.
    ///
    /// - Parameter take: Returns false if it is too late: the person has decided. The caller is then told so,
    ///   and nothing more is heard; otherwise it is told that the window follows.
    package func hear(
        isolation: isolated (any Actor)? = #isolation, _ take: (PickNews) async -> Bool
    ) async {
        for await item in news {
            guard await take(item) else { return }
            onTaken()
        }
    }

    /// Tells an app that follows the choice what is chosen now, in the order of choice.
    package func report(_ items: [PickedItem]) { choices?.yield(items) }
}

/// What the caller of a request does while the window is open.
package enum PickNews: Hashable, Sendable {
    /// It has left without closing the request.
    case left
    /// The app no longer wants these photos.
    case deselected(Set<AssetID>)
    /// The app accepts another number of photos.
    case limited(CountLimits)
}
