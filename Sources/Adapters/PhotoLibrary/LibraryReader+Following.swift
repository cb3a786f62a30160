// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// Reads what has changed in a view since a generation.
    ///
    /// - Parameters:
    ///   - generation: What ``LibraryStore/follow(_:)`` or an earlier call returned.
    ///   - limit: The most ids, more than 0; the rest follows after the generation that is returned.
    /// - Returns: Nil if that is not known: too much has changed since, nobody followed the view, or the
    ///   generation is one of another database.
    package func changes(
        since generation: UInt64, in view: LibraryView, limit: Int
    ) async throws(LibraryError) -> ChangeSummary? {
        try await read("read what has changed") { database in
            guard let generation = Int64(exactly: generation),
                let log = try ChangeLog.find(view, in: database), log.oldest <= log.head,
                (log.oldest...log.head).contains(generation)
            else { return nil }
            let entries = try log.entries(after: generation, limit: limit, in: database)
            let end = entries.count < limit ? log.head : entries.last?.generation ?? log.head
            return ChangeSummary(
                entries.map(\.entry), generation: UInt64(clamping: end), hasMore: end < log.head)
        }
    }
}

extension ChangeSummary {
    /// Summarizes entries, so that each photo and each album is named at most once.
    fileprivate init(_ entries: [ChangeLog.Entry], generation: UInt64, hasMore: Bool) {
        self.init(generation: generation, hasMore: hasMore)
        assets = ChangedIDs(entries) { $0.asset.flatMap { AssetID(bytes: $0) } }
        albums = ChangedIDs(entries) { $0.listedAlbum }
        moments = ChangedIDs(entries) { $0.moment?.id }
    }
}

extension ChangeLog.Entry {
    /// The moment that it is about.
    fileprivate var moment: Moment? { album.flatMap { AlbumID($0) }.flatMap { Moment($0) } }

    /// The album that it is about, if it is no moment.
    fileprivate var listedAlbum: AlbumID? { moment == nil ? album.flatMap { AlbumID($0) } : nil }
}

extension ChangedIDs {
    /// - Parameter id: The id in an entry; nil for those of other kinds.
    fileprivate init(_ entries: [ChangeLog.Entry], _ id: (ChangeLog.Entry) -> ID?) {
        self.init()
        var order: [ID] = []
        var spans: [ID: (was: Bool, isNow: Bool)] = [:]
        for entry in entries {
            guard let id = id(entry) else { continue }
            if spans[id] == nil { order.append(id) }
            spans[id] = (spans[id]?.was ?? entry.was, entry.isNow)
        }
        for id in order {
            switch spans[id] {
            case (false, true)?: inserted.append(id)
            case (true, true)?: updated.append(id)
            case (true, false)?: removed.append(id)
            case (false, false)?, nil: break
            }
        }
    }
}
