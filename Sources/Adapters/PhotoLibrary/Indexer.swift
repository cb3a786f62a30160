// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import GRDB
package import ImageWork
package import Logging
internal import Processes
internal import SystemPackage

/// Keeps the library up to date with the disk: one walk at the start, then updates of the folders
/// that change.
///
/// - Isolation: its own serial queue, which may block on files and on the database.
package actor Indexer {
    private nonisolated let queue = SerialQueue(label: "indexer", qos: .utility)
    let store: LibraryStore
    let examiners: [FileExaminer]
    private let logger: Logger
    private let roots: LibraryRoots
    private let watch: FolderWatch?
    private var changes = Changes()
    private var waiter: CheckedContinuation<Void, Never>?
    private var isWatchIncomplete = false

    /// The changes that the watch has reported since the last update.
    private struct Changes {
        var folders: Set<FilePath> = []
        var mustWalk = false

        var isEmpty: Bool { folders.isEmpty && !mustWalk }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Makes an indexer; it reads nothing before ``run()``.
    package init(
        store: LibraryStore, decoders: DecoderPool, roots: LibraryRoots, logger: Logger
    ) {
        self.store = store
        examiners = (0..<Processors.availableCount).map { _ in FileExaminer(decoders) }
        self.roots = roots
        self.logger = logger
        do {
            watch = try FolderWatch()
        } catch {
            watch = nil
            logger.warning(
                "Folders cannot be watched, so changes appear only with the next request.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Reads the library's folders, then follows their changes until the task is cancelled.
    package func run() async {
        async let listening: Void = listen()
        await walk()
        while !Task.isCancelled {
            await waitForChanges()
            // A program that writes many files causes many events; one update handles them all.
            // A cancelled sleep ends the loop as well.
            try? await Task.sleep(for: Self.settlingTime)
            let changes = takeChanges()
            if changes.mustWalk { await walk() } else { await update(changes.folders) }
        }
        await listening
    }

    /// Compares everything with the disk again if not all folders can be watched.
    package func refreshIfUnwatched() {
        if watch == nil || isWatchIncomplete { note { $0.mustWalk = true } }
    }

    private static let settlingTime = Duration.milliseconds(200)
    /// The number of files compared in one transaction.
    private static let walkBatch = 1000
    /// The number of files examined between two parts of the walk, so that the first pictures
    /// appear long before a large walk ends.
    private static let interludeBatch = 256

    // MARK: - Walk

    /// Compares everything with the disk.
    func walk() async {
        let started = ContinuousClock.now
        do {
            try setIndexing(true)
            try await compareAll()
            try await examine()
        } catch {
            report(error)
        }
        do {
            try setIndexing(false)
        } catch {
            report(error)
        }
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
        report(walk.failures)
        try finish(&update, keeping: visited, walk.failures.map(\.path))
    }

    /// Compares folders with their rows, checks on the disk which files have been moved, and stores
    /// the differences.
    private func apply(
        _ listings: [FolderListing], to update: inout FolderUpdate
    ) throws(LibraryError) {
        var differences = try store.read("compare folders") { database in
            try listings.map { try FolderDifferences($0, in: database) }
        }
        for index in differences.indices { differences[index].lookAtTwins() }
        try store.change("store changed folders") { transaction in
            for folder in differences { try update.apply(folder, in: &transaction) }
        }
    }

    /// Deletes files and folders that the walk did not find.
    private func finish(
        _ update: inout FolderUpdate, keeping visited: Set<FilePath>, _ unreadable: [FilePath]
    ) throws(LibraryError) {
        try store.change("delete missing files") { transaction in
            for folder in try FolderRecord.all(in: transaction.database)
            where !visited.contains(folder.path) && !unreadable.contains(above: folder.path) {
                try transaction.removeFolder(folder.id)
            }
            try update.finish(in: &transaction)
        }
    }

    // MARK: - Changes

    /// Compares some folders with the disk.
    func update(_ folders: Set<FilePath>) async {
        do {
            let known = try knownFolders()
            let appeared = roots.all.filter { $0.exists && known[$0] == nil }
            var update = FolderUpdate()
            for folder in folders.union(appeared).sorted(by: { $0.string < $1.string }) {
                try compare(folder, &update)
            }
            try store.change("delete missing files") { try update.finish(in: &$0) }
            try await examine()
        } catch {
            report(error)
        }
    }

    private func compare(_ folder: FilePath, _ update: inout FolderUpdate) throws(LibraryError) {
        guard let kind = kind(of: folder) else { return }
        let known = try knownFolders()
        var walk = FolderWalk(folder, kind: kind, excluded: roots.excluded)
        guard let listing = walk.next(), listing.path == folder else {
            guard walk.failures.isEmpty else { return report(walk.failures) }
            watch?.remove(folder)
            return try remove(known.filter { $0.key.starts(with: folder) })
        }
        addWatch(folder)
        try apply([listing], to: &update)
        // Walks new folders below it as well; known ones report their changes themselves.
        while let below = walk.next() {
            guard known[below.path] == nil else { continue }
            addWatch(below.path)
            try apply([below], to: &update)
        }
        report(walk.failures)
        try remove(
            known.filter { $0.key.removingLastComponent() == folder && !$0.key.exists })
    }

    private func remove(_ folders: [FilePath: Int64]) throws(LibraryError) {
        guard !folders.isEmpty else { return }
        try store.change("delete missing folders") { transaction in
            for folder in folders.values { try transaction.removeFolder(folder) }
        }
    }

    private func knownFolders() throws(LibraryError) -> [FilePath: Int64] {
        let folders = try store.read("read the folders") { try FolderRecord.all(in: $0) }
        return Dictionary(folders.map { ($0.path, $0.id) }) { first, _ in first }
    }

    /// The kind of the root that contains a folder; nil if no root does.
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

    /// Watches the folders in which missing roots may appear.
    private func watchMissingRoots() {
        for root in roots.all where !root.exists {
            addWatch(root.removingLastComponent())
        }
    }

    // MARK: - State

    private func setIndexing(_ isIndexing: Bool) throws(LibraryError) {
        try store.write("store the state") {
            try LibraryState.set(.isIndexing, isIndexing ? 1 : 0, in: $0)
        }
    }

    private func report(_ error: LibraryError) {
        logger.error(
            "The library could not be brought up to date.", metadata: ["error": "\(error)"])
    }

    private func report(_ failures: [(path: FilePath, error: Errno)]) {
        for (path, error) in failures {
            logger.warning(
                "A folder cannot be read at the moment. Its photos stay in the library as they were.",
                metadata: ["folder": "\(path)", "error": "\(error)"])
        }
    }
}

extension LibraryRoots {
    fileprivate var all: [FilePath] { pictures + others }
}

extension [FilePath] {
    /// Whether the set contains a path or one of its parents.
    fileprivate func contains(above path: FilePath) -> Bool {
        contains { path.starts(with: $0) }
    }
}

extension FilePath {
    /// Whether the path exists; false if it cannot be examined.
    fileprivate var exists: Bool { (try? stat()) != nil }
}
