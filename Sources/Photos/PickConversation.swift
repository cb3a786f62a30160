// SPDX-License-Identifier: MIT

/// What a window and the caller of its request tell each other before the person has decided.
package struct PickConversation: Sendable {
    /// What the caller does meanwhile, in order.
    package let news: AsyncStream<PickNews>
    private let choices: AsyncStream<[PickedItem]>.Continuation?

    /// - Parameter choices: Gets each change of the choice; nil if nobody follows it.
    package init(
        news: AsyncStream<PickNews>, choices: AsyncStream<[PickedItem]>.Continuation? = nil
    ) {
        self.news = news
        self.choices = choices
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
