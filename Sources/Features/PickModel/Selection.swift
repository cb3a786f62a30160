// SPDX-License-Identifier: MIT

package import Photos

/// The items chosen so far in one request, in the order of choice.
///
/// An item is a photo of the library or a file from another source; each is chosen at most once.
/// The selection belongs to the request and is independent of albums, filters and recycled tiles.
package struct Selection: Hashable, Sendable {
    /// The effect of an attempt to change the selection.
    package enum Change: Hashable, Sendable {
        /// The item is chosen; the number counts from 1.
        case selected(number: Int)
        case deselected
        /// With a limit of one, the choice moved here from another item.
        case moved(from: PickedItem.Reference)
        /// Nothing changed because the limit is reached.
        case refused(limit: Int)
    }

    package private(set) var limits: CountLimits
    /// The chosen items, first choice first.
    package private(set) var items: [PickedItem] = []
    /// The place of each item in ``items``, from 1.
    private var numbers: [PickedItem.Reference: Int] = [:]

    /// Creates a selection of library photos chosen in advance.
    ///
    /// - Parameter preselected: Duplicates, and photos beyond the limit, are dropped.
    package init(limits: CountLimits, preselected: [AssetID] = []) {
        self.limits = limits
        for id in preselected where !contains(id) && !isFull { append(PickedItem(id)) }
    }

    package var count: Int { items.count }
    package var isEmpty: Bool { items.isEmpty }
    /// Whether the limit is reached.
    package var isFull: Bool { items.count >= limits.capacity }

    /// The chosen photos of the library, in order.
    package var assetIDs: [AssetID] {
        items.compactMap { if case .asset(let id) = $0.reference { id } else { nil } }
    }

    package func contains(_ id: AssetID) -> Bool { numbers[.asset(id)] != nil }

    /// The place of a photo in the order of choice, from 1; nil if it is not chosen.
    package func number(of id: AssetID) -> Int? { numbers[.asset(id)] }

    /// Adds an item if it is not chosen, and removes it otherwise.
    ///
    /// With a limit of one the choice moves; any other limit refuses a further item.
    package mutating func toggle(_ item: PickedItem) -> Change {
        guard numbers[item.reference] != nil else { return select(item) }
        remove([item.reference])
        return .deselected
    }

    /// Adds an item; one that is already chosen keeps its place.
    package mutating func select(_ item: PickedItem) -> Change {
        if let number = numbers[item.reference] { return .selected(number: number) }
        if isFull {
            guard limits.capacity == 1, let previous = items.first else {
                return .refused(limit: limits.capacity)
            }
            removeAll()
            append(item)
            return .moved(from: previous.reference)
        }
        append(item)
        return .selected(number: items.count)
    }

    /// Adds items in order until the limit is reached.
    ///
    /// - Returns: The number of items left out because of the limit.
    package mutating func selectAll(_ candidates: some Sequence<PickedItem>) -> Int {
        var refused = 0
        for item in candidates where numbers[item.reference] == nil {
            if isFull { refused += 1 } else { append(item) }
        }
        return refused
    }

    /// Removes items; the numbers of the items after them move down.
    ///
    /// An item that is not chosen is ignored.
    package mutating func remove(_ references: Set<PickedItem.Reference>) {
        guard references.contains(where: { numbers[$0] != nil }) else { return }
        replace(with: items.filter { !references.contains($0.reference) })
    }

    package mutating func removeAll() {
        items = []
        numbers = [:]
    }

    /// Moves an item to another place in the order of choice.
    ///
    /// An item that is not chosen is ignored.
    ///
    /// - Parameter index: The new place, from 0; the last one if there are fewer items.
    package mutating func move(_ reference: PickedItem.Reference, to index: Int) {
        guard let number = numbers[reference] else { return }
        var moved = items
        let item = moved.remove(at: number - 1)
        moved.insert(item, at: min(max(index, 0), moved.count))
        replace(with: moved)
    }

    /// Sets the part of an item that the app gets; nil for the whole of it.
    ///
    /// - Parameters:
    ///   - rotation: How the person turned the photo.
    ///   - isTouched: Whether the person changed the part rather than accept the proposal.
    package mutating func clip(
        _ reference: PickedItem.Reference, to clip: PixelRectangle?, _ rotation: Rotation,
        isTouched: Bool
    ) {
        guard let number = numbers[reference] else { return }
        items[number - 1].clip = clip
        items[number - 1].rotation = rotation
        items[number - 1].isClipTouched = isTouched
    }

    /// The part of a photo that the app gets; nil for the whole of it.
    package func clip(of id: AssetID) -> PixelRectangle? {
        numbers[.asset(id)].flatMap { items[$0 - 1].clip }
    }

    /// Whether the person changed the part of a photo, or turned it.
    package func isClipTouched(of id: AssetID) -> Bool {
        numbers[.asset(id)].map { items[$0 - 1].isClipTouched } ?? false
    }

    /// How the person turned a photo.
    package func rotation(of id: AssetID) -> Rotation {
        numbers[.asset(id)].map { items[$0 - 1].rotation } ?? .none
    }

    /// Changes the limits; items beyond the new maximum are dropped, the last ones first.
    ///
    /// - Returns: The number of items dropped.
    package mutating func setLimits(_ limits: CountLimits) -> Int {
        self.limits = limits
        let dropped = max(items.count - limits.capacity, 0)
        if dropped > 0 { replace(with: Array(items.dropLast(dropped))) }
        return dropped
    }

    private mutating func replace(with kept: [PickedItem]) {
        removeAll()
        for item in kept { append(item) }
    }

    private mutating func append(_ item: PickedItem) {
        items.append(item)
        numbers[item.reference] = items.count
    }
}

extension PickedItem {
    /// A photo chosen in the library.
    init(_ id: AssetID) {
        self.init(.asset(id), from: .library)
    }
}
