// SPDX-License-Identifier: MIT

internal import Files
internal import GRDB
internal import ImageWork
internal import Photos
internal import SystemPackage

extension Indexer {
    /// How many files are looked into in one go, and stored in one transaction.
    private static let batch = 64

    /// Looks into the newest files that wait; by default all of them.
    func examine(atMost limit: Int = .max) async throws(LibraryError) {
        var left = limit
        while left > 0, !Task.isCancelled {
            let files = try withLibraryError("read what waits") {
                try store.database.read { try PendingFile.newest(min(left, Self.batch), in: $0) }
            }
            guard !files.isEmpty else { return }
            let examinations = await examine(files)
            guard !examinations.isEmpty else {
                throw LibraryError(code: .failed, operation: "look into files: no decoder")
            }
            try store(examinations)
            left -= files.count
        }
    }

    /// Stores what was found, and works out the albums again when that is due: in the same
    /// transaction, so that counts and photos never disagree for a reader.
    private func store(_ examinations: [Examination]) throws(LibraryError) {
        let isDue = lastRefresh.duration(to: .now) > Self.refreshInterval
        let stale = staleFolders
        let isRefreshed = try withLibraryError("store what was found") {
            try store.database.write { database in
                let changed = try examinations.compactMap {
                    try AssetRecord.store($0, in: database)
                }
                staleFolders = stale.union(changed)
                guard try isDue || !PendingFile.exists(in: database) else { return false }
                try AlbumRecord.refresh(folders: staleFolders, in: database)
                return true
            }
        }
        guard isRefreshed else { return }
        staleFolders = []
        lastRefresh = .now
    }

    /// Counting a large library takes a while; while it is read, this often is enough.
    private static let refreshInterval = Duration.seconds(1)

    /// Looks into some files at once; those for which no decoder could be had are left out.
    private func examine(_ files: [PendingFile]) async -> [Examination] {
        await withTaskGroup(of: Examination?.self) { group in
            for file in files { group.addTask { await self.examine(file) } }
            var examinations: [Examination] = []
            for await examination in group {
                if let examination { examinations.append(examination) }
            }
            return examinations
        }
    }

    private func examine(_ file: PendingFile) async -> Examination? {
        guard let opened = try? Descriptor.openForReading(file.path),
            let information = try? opened.information(), information.type == .regular,
            FileState(information) == file.state,
            let fingerprint = try? Fingerprint(of: opened, size: file.state.size)
        else { return Examination(file: file, finding: .unreadable) }
        let finding: Examination.Finding
        switch await decoders.run(.probe, on: opened, priority: .background) {
        case .facts(let facts): finding = .picture(facts, fingerprint)
        case .failed(.unsupported): finding = .notPicture
        case .failed(.unavailable), .failed(.cancelled): return nil
        case .claim, .failed, .picture, .stale, .types, .derived, .unchanged: finding = .unreadable
        }
        return Examination(file: file, finding: finding)
    }
}
