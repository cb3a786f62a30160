// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import GRDB
package import ImageWork
package import Logging
internal import Processes
internal import SystemPackage

/// Keeps the library in line with the disk: one walk at the start, then folder by folder as they
/// change.
///
/// - Isolation: its own serial queue, which may block on files and on the database.
package actor Indexer {
    private nonisolated let queue = SerialQueue(label: "indexer", qos: .utility)
    let store: LibraryStore
    let decoders: DecoderPool
    let logger: Logger
    private let roots: LibraryRoots
    private let watch: FolderWatch?
    private var changes = Changes()
    private var waiter: CheckedContinuation<Void, Never>?
    private var isWatchIncomplete = false
    /// When counts and covers were worked out last.
    var lastRefresh = ContinuousClock.now
    /// Folders whose albums have changed since.
    var staleFolders: Set<Int64> = []

    /// What the disk told since the last update.
    private struct Changes {
        var folders: Set<FilePath> = []
        var mustWalk = false

        var isEmpty: Bool { folders.isEmpty && !mustWalk }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Prepares; nothing is read before ``run()``.
    package init(
        store: LibraryStore, decoders: DecoderPool, roots: LibraryRoots, logger: Logger
    ) {
        self.store = store
        self.decoders = decoders
        self.roots = roots
        self.logger = logger
        do {
            watch = try FolderWatch()
        } catch {
            watch = nil
            logger.warning(
                "Folders cannot be watched; changes show at the next request.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Reads the library's folders, then follows their changes until the task is cancelled.
    package func run() async {
        async let listening: Void = listen()
        await walk()
        while !Task.isCancelled {
            await waitForChanges()
            // A program that writes many files causes many events: one update serves them.
            try? await Task.sleep(for: Self.settlingTime)
            let changes = takeChanges()
            if changes.mustWalk { await walk() } else { await update(changes.folders) }
        }
        await listening
    }

    /// Has the folders looked through again where watching them is not possible.
    package func refreshIfUnwatched() {
        if watch == nil || isWatchIncomplete { note { $0.mustWalk = true } }
    }

    private static let settlingTime = Duration.milliseconds(200)
    /// How many files are compared in one transaction.
    private static let walkBatch = 1000
    /// How many files are looked into between two stretches of the walk, so that the first
    /// pictures are there long before a large walk ends.
    private static let interludeBatch = 256

    // MARK: - Walk

    /// Compares everything with the disk.
    private func walk() async {
        let started = ContinuousClock.now
        do {
            try setIndexing(true)
            try await compareAll()
            try await examine()
        } catch {
            report(error)
        }
        try? setIndexing(false)
        ProcessMemory.trim()
        logger.info(
            "Looked through the library", metadata: ["took": "\(started.duration(to: .now))"])
    }

    private func compareAll() async throws(LibraryError) {
        var walk = FolderWalk(roots)
        var update = FolderUpdate()
        var visited: Set<FilePath> = []
        var listings: [FolderListing] = []
        watchMissingRoots()
        while let listing = walk.next() {
            visited.insert(listing.path)
            addWatch(listing.path)
            listings.append(listing)
            guard listings.reduce(0, { $0 + $1.files.count }) >= Self.walkBatch else { continue }
            try apply(listings, to: &update)
            listings = []
            if update.newFiles > Self.walkBatch { try await examine(atMost: Self.interludeBatch) }
            if Task.isCancelled { return }
        }
        try apply(listings, to: &update)
        try finish(&update, keeping: visited)
    }

    private func apply(
        _ listings: [FolderListing], to update: inout FolderUpdate
    ) throws(LibraryError) {
        try withLibraryError("compare folders") {
            try store.database.write { database in
                for listing in listings { try update.apply(listing, in: database) }
            }
        }
    }

    /// Deletes what is gone; of folders only those that the walk should have met.
    private func finish(
        _ update: inout FolderUpdate, keeping visited: Set<FilePath>
    ) throws(LibraryError) {
        try withLibraryError("delete what is gone") {
            try store.database.write { database in
                for folder in try FolderRecord.all(in: database)
                where !visited.contains(folder.path) {
                    try update.remove(folder.id, in: database)
                }
                try update.finish(in: database)
            }
        }
    }

    // MARK: - Changes

    /// Compares some folders with the disk.
    private func update(_ folders: Set<FilePath>) async {
        do {
            let missing = Set(roots.all.filter { (try? $0.stat()) != nil && !isKnown($0) })
            var update = FolderUpdate()
            for folder in folders.union(missing).sorted(by: { $0.string < $1.string }) {
                try compare(folder, &update)
            }
            try withLibraryError("delete what is gone") {
                try store.database.write { try update.finish(in: $0) }
            }
            try await examine()
        } catch {
            report(error)
        }
    }

    private func compare(_ folder: FilePath, _ update: inout FolderUpdate) throws(LibraryError) {
        guard let kind = kind(of: folder) else { return }
        var walk = FolderWalk(folder, kind: kind, excluded: roots.excluded)
        guard let listing = walk.next(), listing.path == folder else {
            return try remove(folder, &update)
        }
        addWatch(folder)
        try apply([listing], to: &update)
        // New folders below are walked as well; those that are known report for themselves.
        while let below = walk.next() {
            guard !isKnown(below.path) else { continue }
            addWatch(below.path)
            try apply([below], to: &update)
        }
        try removeMissing(below: folder, &update)
    }

    private func remove(_ folder: FilePath, _ update: inout FolderUpdate) throws(LibraryError) {
        try withLibraryError("delete a folder") {
            try store.database.write { database in
                for known in try FolderRecord.all(in: database)
                where known.path.starts(with: folder) {
                    try update.remove(known.id, in: database)
                }
            }
        }
        watch?.remove(folder)
    }

    /// Deletes folders that are gone from below one that is still there.
    private func removeMissing(
        below folder: FilePath, _ update: inout FolderUpdate
    ) throws(LibraryError) {
        try withLibraryError("delete folders") {
            try store.database.write { database in
                for known in try FolderRecord.all(in: database)
                where known.path.removingLastComponent() == folder {
                    if (try? known.path.stat()) == nil {
                        try update.remove(known.id, in: database)
                    }
                }
            }
        }
    }

    /// Whether the database has the folder.
    private func isKnown(_ folder: FilePath) -> Bool {
        let found = try? store.database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM folder WHERE path = ?", arguments: [folder.data])
        }
        return found != nil
    }

    /// The kind of the root that a folder lies in; nil when it lies in none.
    private func kind(of folder: FilePath) -> FolderKind? {
        if roots.pictures.contains(where: { folder.starts(with: $0) }) { return .pictures }
        return roots.others.contains { folder.starts(with: $0) } ? .other : nil
    }

    // MARK: - Watching

    private func listen() async {
        guard let watch else { return }
        for await event in watch.events {
            note { changes in
                switch event {
                case .changed(let folder): changes.folders.insert(folder)
                case .gone(let folder): changes.folders.insert(folder)
                case .overflow: changes.mustWalk = true
                }
            }
        }
    }

    private func note(_ change: (inout Changes) -> Void) {
        change(&changes)
        waiter?.resume()
        waiter = nil
    }

    private func waitForChanges() async {
        guard changes.isEmpty else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || !changes.isEmpty {
                    continuation.resume()
                } else {
                    waiter = continuation
                }
            }
        } onCancel: {
            Task { await self.note { _ in } }
        }
    }

    private func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    private func addWatch(_ folder: FilePath) {
        guard let watch else { return }
        do {
            try watch.add(folder)
        } catch {
            guard error == .noSpace, !isWatchIncomplete else { return }
            isWatchIncomplete = true
            logger.warning(
                """
                Too many folders to watch all of them; changes show at the next request. \
                Raise fs.inotify.max_user_watches to see them at once.
                """)
        }
    }

    /// Watches for the appearance of roots that are not there.
    private func watchMissingRoots() {
        for root in roots.all where (try? root.stat()) == nil {
            addWatch(root.removingLastComponent())
        }
    }

    // MARK: - State

    private func setIndexing(_ isIndexing: Bool) throws(LibraryError) {
        try withLibraryError("note the state") {
            try store.database.write {
                try StateRecord.set(.isIndexing, isIndexing ? 1 : 0, in: $0)
            }
        }
    }

    private func report(_ error: LibraryError) {
        logger.error(
            "The library could not be brought up to date.", metadata: ["error": "\(error)"])
    }
}

extension LibraryRoots {
    fileprivate var all: [FilePath] { pictures + others }
}
