// SPDX-License-Identifier: MIT

package import Photos

/// The state of a window that shows an app's pictures: which one is in view, and which are left.
///
/// Pictures are remembered by their index in the app's list, because the same one may be in it several
/// times.
package struct Viewing: Hashable, Sendable {
    package let allowsRemoving: Bool
    /// The pictures that are left, in the app's order.
    package private(set) var remaining: [Int]
    /// The others, the one that was removed last at the end.
    package private(set) var removed: [Int] = []
    /// The picture in view, or the last one if none is left.
    package private(set) var current: Int

    /// Begins with the picture that the app wants to be seen first.
    package init(_ request: PreviewRequest) {
        allowsRemoving = request.allowsRemoving
        remaining = Array(request.images.indices)
        current = min(max(request.first, 0), max(request.images.count - 1, 0))
    }

    /// The place of the picture in view among those that are left, from 0.
    package var position: Int { remaining.firstIndex { $0 >= current } ?? 0 }

    /// The pictures after and before the one in view.
    package var neighbours: [Int] {
        [position + 1, position - 1].filter(remaining.indices.contains).map { remaining[$0] }
    }

    /// What the app learns when the window closes.
    package var outcome: PreviewOutcome { .closed(removed: removed.sorted()) }

    package mutating func move(_ step: PreviewStep) {
        let target = step.target(from: position, of: remaining.count)
        if remaining.indices.contains(target) { current = remaining[target] }
    }

    /// Removes the picture in view; the next one takes its place, or the one before if it was the last.
    ///
    /// - Returns: Whether it was removed.
    @discardableResult
    package mutating func remove() -> Bool {
        guard allowsRemoving, !remaining.isEmpty else { return false }
        let place = position
        removed.append(remaining.remove(at: place))
        if !remaining.isEmpty { current = remaining[min(place, remaining.count - 1)] }
        return true
    }

    /// Puts the picture that was removed last back in its place, and shows it.
    ///
    /// - Returns: Whether there was one.
    package mutating func undo() -> Bool {
        guard let index = removed.popLast() else { return false }
        remaining.insert(index, at: remaining.firstIndex { $0 > index } ?? remaining.count)
        current = index
        return true
    }
}
