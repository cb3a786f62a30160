// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

extension LibraryTransaction {
    /// Adds a photo whose file is on its way.
    ///
    /// If its folder has the same photo under the name that it is to have, that is the photo.
    ///
    /// - Parameter index: Its position in the batch.
    mutating func add(_ index: Int, of batch: ArrivalBatch) throws -> LibraryChangeResult {
        guard batch.arrivals.indices.contains(index) else {
            throw LibraryChangeError.Reason.interrupted
        }
        let arrival = batch.arrivals[index]
        let folder = try folder(arrival.path.data, kind: .pictures)
        if arrival.draft == nil { return try add(present: arrival, index, to: folder, batch) }
        let equal = try twin(index, of: batch)
        var attempt = arrival.attempt
        while let known = try file(named: arrival.name[attempt], in: folder) {
            // Another app, or an earlier operation, has just added the same photo. Equal fingerprints are
            // not enough: the file would be lost.
            if let asset = try known.asset(equalTo: arrival, in: database),
                case .asset(asset) = equal
            {
                return try result(asset, isNew: isNew(asset))
            }
            attempt += 1
        }
        let name = arrival.name[attempt]
        try addFile(name.data, arrival.state, to: folder)
        return try settle(
            database.lastInsertedRowID, in: folder, name, arrival, index, batch)
    }

    /// Adds a photo whose file is in its place already.
    private mutating func add(
        present arrival: Arrival, _ index: Int, to folder: Int64, _ batch: ArrivalBatch
    ) throws -> LibraryChangeResult {
        guard let known = try file(named: arrival.current, in: folder) else {
            try addFile(arrival.current.data, arrival.state, to: folder)
            return try settle(
                database.lastInsertedRowID, in: folder, arrival.current, arrival, index, batch)
        }
        if let asset = try known.asset(equalTo: arrival, in: database) {
            return try result(asset, isNew: false)
        }
        // The library knows the file, but not yet as this photo.
        _ = try expireFile(known.id, named: arrival.current.data, in: folder, arrival.state)
        return try settle(known.id, in: folder, arrival.current, arrival, index, batch)
    }

    private mutating func settle(
        _ file: Int64, in folder: Int64, _ name: FilePath.Component, _ arrival: Arrival,
        _ index: Int, _ batch: ArrivalBatch
    ) throws -> LibraryChangeResult {
        let stored = try store(
            [arrival.examination(file: file, in: folder, named: name)], [twin(index, of: batch)],
            pairing: false)
        guard let asset = stored.first ?? nil else {
            throw DatabaseError(message: "a new photo was not stored")
        }
        // The next operations of the set find it.
        try refresh(asset: asset)
        if let draft = arrival.draft {
            let record = ArrivalRecord(
                folder: draft.path, hidden: draft.hidden, name: name, file: file)
            try record.settle(in: database)
            noteSettled(record)
        }
        // A file that was in its place before the app came may have a name that the person gave it.
        return try result(asset, isNew: arrival.draft != nil && isNew(asset))
    }

    /// The photo that an arrival equals.
    private func twin(_ index: Int, of batch: ArrivalBatch) throws -> ContentTwin? {
        guard batch.twins.indices.contains(index) else { return nil }
        switch batch.twins[index] {
        case .earlier(let other):
            let equal = batch.arrivals.indices.contains(other) ? batch.arrivals[other] : nil
            guard let draft = equal?.draft else { return nil }
            return try Int64.fetchOne(
                database,
                sql: """
                    SELECT asset FROM file
                    WHERE id = (SELECT file FROM arrival WHERE hidden = ?)
                    """, arguments: [draft.hidden.data]
            ).map { .asset($0) }
        case .unknown:
            // Its disk does not answer; the photo that the app adds is there.
            return nil
        case let twin: return twin
        }
    }

    private func file(
        named name: FilePath.Component, in folder: Int64
    ) throws -> KnownFile? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, size, asset FROM file WHERE folder = ? AND name = ?"),
            arguments: [folder, name.data]
        ).map { row in
            KnownFile(id: try row.get("id"), size: try row.get("size"), asset: try row.get("asset"))
        }
    }

    private func result(_ asset: Int64, isNew: Bool) throws -> LibraryChangeResult {
        let key = try Data.fetchOne(
            database.cachedStatement(sql: "SELECT key FROM asset WHERE id = ?"),
            arguments: [asset])
        guard let id = key.flatMap({ AssetID(bytes: Array($0)) }) else {
            throw DatabaseError(message: "a photo without an id")
        }
        return LibraryChangeResult(asset: id, isNew: isNew, count: 1)
    }
}

/// A file that has a name that a new photo is to have.
private struct KnownFile {
    let id: Int64
    let size: Int64
    let asset: Int64?

    /// The photo of the file, if it is the one that arrives.
    func asset(equalTo arrival: Arrival, in database: Database) throws -> Int64? {
        guard let asset, size == arrival.state.size else { return nil }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM asset WHERE id = ? AND fingerprint = ? AND file IS NOT NULL"),
            arguments: [asset, Data(arrival.fingerprint.bytes)])
    }
}
