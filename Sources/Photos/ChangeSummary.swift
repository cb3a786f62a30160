// SPDX-License-Identifier: MIT

/// What has changed in the library, or in the part of it that an app sees, since some generation.
package struct ChangeSummary: Hashable, Sendable {
    /// The generation up to which this tells.
    package var generation: UInt64
    package var assets = ChangedIDs<AssetID>()
    /// Those that are no moments.
    package var albums = ChangedIDs<AlbumID>()
    /// The albums of days and months; see ``Moment``.
    package var moments = ChangedIDs<AlbumID>()
    /// Whether more has changed after ``generation``.
    package var hasMore: Bool

    package init(generation: UInt64, hasMore: Bool = false) {
        self.generation = generation
        self.hasMore = hasMore
    }

    /// Whether the result of all changes is as it was before.
    package var isEmpty: Bool {
        assets == ChangedIDs() && albums == ChangedIDs() && moments == ChangedIDs()
    }
}

/// The ids of photos or albums that have changed, each in one of the lists, in the order of the changes.
package struct ChangedIDs<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Those that were not there before.
    package var inserted: [ID] = []
    package var updated: [ID] = []
    /// Those that are not there any more.
    package var removed: [ID] = []

    package init() {}

    /// The same changes of what has other ids.
    package func map<Other>(_ transform: (ID) -> Other) -> ChangedIDs<Other> {
        var result = ChangedIDs<Other>()
        result.inserted = inserted.map(transform)
        result.updated = updated.map(transform)
        result.removed = removed.map(transform)
        return result
    }
}
