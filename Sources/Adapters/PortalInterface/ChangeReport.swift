// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// What the signal `Changed` and the method `GetChanges` tell: which photos, albums and moments have
/// changed.
///
/// The ids are those that the app knows.
package struct ChangeReport: Hashable, Sendable {
    /// The most ids in one report.
    package static let mostIDs = 1000

    /// The generation up to which it tells; 0 if the watch has ended.
    package var generation: UInt64
    package var assets = ChangedIDs<String>()
    package var albums = ChangedIDs<String>()
    package var moments = ChangedIDs<String>()
    /// Whether more has changed after ``generation``; in replies alone.
    package var hasMore = false
    /// Whether it is not known what has changed, so that everything must be read again.
    package var startsOver = false
    /// Whether the watch has ended, because the person has changed what the app may see.
    package var hasEnded = false

    package init(generation: UInt64) {
        self.generation = generation
    }

    // MARK: - On the bus

    private enum Key {
        static let more = "more"
        static let startOver = "start_over"
        static let ended = "ended"
    }

    /// Reads the arguments of the signal, or the results of the method; unknown keys are ignored.
    package init(generation: UInt64, _ changes: Vardict) {
        self.generation = generation
        assets = ChangedIDs(changes, prefix: "")
        albums = ChangedIDs(changes, prefix: "albums_")
        moments = ChangedIDs(changes, prefix: "moments_")
        hasMore = changes.value(Key.more) ?? false
        startsOver = changes.value(Key.startOver) ?? false
        hasEnded = changes.value(Key.ended) ?? false
    }

    /// The dictionary of changes, without empty lists.
    package var vardict: Vardict {
        var vardict = assets.vardict(prefix: "")
        vardict.merge(albums.vardict(prefix: "albums_")) { $1 }
        vardict.merge(moments.vardict(prefix: "moments_")) { $1 }
        if hasMore { vardict[Key.more] = true.variant }
        if startsOver { vardict[Key.startOver] = true.variant }
        if hasEnded { vardict[Key.ended] = true.variant }
        return vardict
    }
}

extension ChangedIDs<String> {
    fileprivate init(_ changes: Vardict, prefix: String) {
        self.init()
        inserted = changes.value("\(prefix)inserted") ?? []
        updated = changes.value("\(prefix)updated") ?? []
        removed = changes.value("\(prefix)removed") ?? []
    }

    fileprivate func vardict(prefix: String) -> Vardict {
        var vardict: Vardict = [:]
        if !inserted.isEmpty { vardict["\(prefix)inserted"] = inserted.variant }
        if !updated.isEmpty { vardict["\(prefix)updated"] = updated.variant }
        if !removed.isEmpty { vardict["\(prefix)removed"] = removed.variant }
        return vardict
    }
}
