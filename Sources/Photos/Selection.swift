// SPDX-License-Identifier: MIT

/// What a person has chosen so far in one request, in the order of choice.
///
/// It belongs to the request: pages, albums and recycled tiles come and go, it stays.
package struct Selection: Hashable, Sendable {
    /// What an attempt to change the selection did.
    package enum Change: Hashable, Sendable {
        /// Chosen; the number counts from 1.
        case selected(number: Int)
        case deselected
        /// The only choice moved here from another photo.
        case moved(from: AssetID)
        /// Nothing changed: this many are chosen, and no more may be.
        case refused(limit: Int)
    }

    package let limits: CountLimits
    /// The chosen photos, first choice first.
    package private(set) var ids: [AssetID] = []
    private var numbers: [AssetID: Int] = [:]

    /// Starts with what was chosen before, cut at the limit, each photo once.
    package init(limits: CountLimits, preselected: [AssetID] = []) {
        self.limits = limits
        for id in preselected where numbers[id] == nil && !isFull { append(id) }
    }

    package var count: Int { ids.count }
    package var isEmpty: Bool { ids.isEmpty }
    /// Whether no further photo can be chosen.
    package var isFull: Bool { limits.maximum.map { ids.count >= $0 } ?? false }
    /// Whether the choice may be finished.
    package var isComplete: Bool { limits.allows(ids.count) }

    package func contains(_ id: AssetID) -> Bool { numbers[id] != nil }

    /// The place of a photo in the order of choice, from 1; nil when it is not chosen.
    package func number(of id: AssetID) -> Int? { numbers[id] }

    /// Chooses a photo, or takes the choice back.
    ///
    /// With a limit of one the choice moves; at any other limit a further photo is refused.
    package mutating func toggle(_ id: AssetID) -> Change {
        if contains(id) {
            remove(id)
            return .deselected
        }
        return select(id)
    }

    /// Chooses a photo; one that is chosen already stays where it is.
    package mutating func select(_ id: AssetID) -> Change {
        if let number = numbers[id] { return .selected(number: number) }
        if let limit = limits.maximum, ids.count >= limit {
            guard limit == 1, let previous = ids.first else { return .refused(limit: limit) }
            remove(previous)
            append(id)
            return .moved(from: previous)
        }
        append(id)
        return .selected(number: ids.count)
    }

    /// Takes a photo out; the numbers after it move down.
    ///
    /// A photo that is not chosen is no error.
    package mutating func remove(_ id: AssetID) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        ids.remove(at: number - 1)
        for index in (number - 1)..<ids.count { numbers[ids[index]] = index + 1 }
    }

    /// Chooses photos in their order until the limit is reached.
    ///
    /// - Returns: How many were left out because of the limit.
    package mutating func selectAll(_ candidates: some Sequence<AssetID>) -> Int {
        var refused = 0
        for id in candidates where !contains(id) {
            if isFull { refused += 1 } else { append(id) }
        }
        return refused
    }

    package mutating func removeAll() {
        ids = []
        numbers = [:]
    }

    /// Drops what is not there any more.
    package mutating func keep(where exists: (AssetID) -> Bool) {
        let kept = ids.filter(exists)
        guard kept.count != ids.count else { return }
        removeAll()
        for id in kept { append(id) }
    }

    private mutating func append(_ id: AssetID) {
        ids.append(id)
        numbers[id] = ids.count
    }
}
