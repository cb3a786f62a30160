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
    let logger: Logger
    let roots: LibraryRoots
    let watch: FolderWatch?
    let rootCheck: RootCheck
    let calls: DiskCalls
    /// Has an element when a root answers that did not.
    let answeringRoots: AsyncStream<Void>
    /// Has an element when a call to a disk ends that stood still.
    let answeringDisks: AsyncStream<Void>
    var changes = Changes()
    var waiter: CheckedContinuation<Void, Never>?
    var isWatchIncomplete = false
    /// Every walk would find the same.
    var hasWarnedOfWatch = false
    /// What could not be stored, and is compared again later.
    var unfinished = Changes()
    /// The error that was logged, until something can be stored again.
    var lastError: LibraryError?
    /// The folders that could not be read or stored; they are compared again later, with all below
    /// them.
    var unread: Set<FilePath> = []
    /// The files and folders that the log says cannot be read, as long as that lasts.
    var unreadable: Set<FilePath> = []
    /// When files that could not be read are examined again, and how long after that for the next time.
    var nextRetry: (time: ContinuousClock.Instant, pause: Duration)?
    /// When a call to a disk last ended that had stood still.
    var lastAnswer: ContinuousClock.Instant?
    /// When the last walk ended, or the last part of one that was tried again, and how long it took.
    var lastWalk: (end: ContinuousClock.Instant, duration: Duration)?
    /// Nil while the computer does not save power.
    var saving: Saving?
    /// What readers know of ``saving``; nil if that is not known.
    var isWaitingStored: Bool?
    /// Where the folders of the last walk and of the updates since are.
    var places = FolderPlaces()

    /// What has to be compared with the disk.
    struct Changes {
        var folders: Set<FilePath> = []
        var mustWalk = false
        /// Whether files that could not be read are examined again, as each walk does.
        var mustRetry = false
        /// Whether some photos of an earlier release are examined again.
        var mustComplete = false

        var isEmpty: Bool { folders.isEmpty && !mustWalk && !mustRetry && !mustComplete }

        mutating func formUnion(_ other: Changes) {
            folders.formUnion(other.folders)
            mustWalk = mustWalk || other.mustWalk
            mustRetry = mustRetry || other.mustRetry
            mustComplete = mustComplete || other.mustComplete
        }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Makes an indexer; it reads nothing before ``run()``.
    ///
    /// - Parameter patience: How long a disk may stand still before the others go on without it.
    package init(
        store: LibraryStore, decoders: DecoderPool, roots: LibraryRoots, logger: Logger,
        patience: Duration = .seconds(10)
    ) {
        self.store = store
        let (disks, ended) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        answeringDisks = disks
        let calls = DiskCalls(patience: patience) { ended.yield() }
        self.calls = calls
        examiners = (0..<Processors.availableCount).map { _ in FileExaminer(decoders, calls) }
        self.roots = roots
        self.logger = logger
        let (answers, answered) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        answeringRoots = answers
        rootCheck = RootCheck { answered.yield() }
        do {
            watch = try FolderWatch(limit: FolderWatch.fairShare)
        } catch {
            watch = nil
            logger.warning(
                "Folders cannot be watched, so changes appear after a while or with the next request.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Reads the library's folders, then follows their changes until the task is cancelled.
    package func run() async {
        let hadLead = store.hasLead
        while !store.takesLead(logger) {
            // A service of another session does this, until it ends.
            do { try await Task.sleep(for: Self.leadInterval) } catch { return }
        }
        defer { store.endLead() }
        if !hadLead {
            // The service that had the lead before may be one of another release.
            await attempt(Changes()) { () throws(LibraryError) in
                try store.write("count the albums") { database in
                    try AlbumTable.recountIfRulesChanged(in: database)
                    try LibraryStore.checkContinuity(in: database)
                }
            }
        }
        async let listening: Void = listen()
        async let following: Void = followRoots()
        async let awaiting: Void = followDisks()
        async let mounting: Void = followMounts(since: MountTable.current())
        async let polling: Void = poll()
        await walk()
        note { $0.mustComplete = true }
        while !Task.isCancelled {
            await waitForChanges()
            // A program that writes many files causes many events; one update handles them all.
            // A cancelled sleep ends the loop as well.
            try? await Task.sleep(for: Self.settlingTime)
            let changes = takeChanges()
            if changes.mustWalk {
                unfinished.mustWalk = false
                await walk()
            } else {
                if changes.mustRetry { await expireUnreadable() }
                await update(changes.folders)
            }
            if changes.mustComplete { await complete() }
        }
        await listening
        await following
        await awaiting
        await mounting
        await polling
    }

    /// Finishes what apps added when a service was killed, or a disk failed.
    private func finishArrivals() {
        let place = DiskCalls.Place(roots.pictures.first ?? "/", device: nil)
        _ = calls.run(at: DiskCalls.Place(store.adjusted, device: nil)) { [store] in
            store.reviewAdjustments()
        }
        guard store.hasArrivals else { return }
        let bounds = bounds(rootCheck.answers(of: roots.all))
        _ = calls.run(at: place) { [store] in store.finishLeftovers(in: bounds) }
    }

    var isUnwatched: Bool { watch == nil || isWatchIncomplete }

    /// How often it is tried to take the place of the service of another session.
    private static let leadInterval = Duration.seconds(1)
    private static let settlingTime = Duration.milliseconds(200)
    /// The number of files compared in one transaction.
    private static let walkBatch = 1000
    /// The number of files examined between two parts of the walk, so that the first pictures
    /// appear long before a large walk ends.
    private static let interludeBatch = 256
    /// How long the walk goes on, at least, before files are examined again.
    private static let interludePause = Duration.milliseconds(500)

    // MARK: - Walk

    /// Compares everything with the disk.
    func walk() async {
        let started = ContinuousClock.now
        finishArrivals()
        isWatchIncomplete = false
        await attempt(Changes(mustWalk: true)) { () async throws(LibraryError) in
            try setIndexing(true)
            try await compareAll()
            try await examine()
        }
        await attempt(Changes(mustWalk: true)) { () throws(LibraryError) in
            try setIndexing(false)
        }
        store.releaseMemory()
        ProcessMemory.trim()
        let duration = rest(since: started)
        logger.info("Looked through the library", metadata: ["took": "\(duration)"])
    }

    private func compareAll() async throws(LibraryError) {
        store.recentArrivals.beginComparison()
        defer { store.recentArrivals.endComparison() }
        await store.arrivalEnds.settle()
        let answers = rootCheck.answers(of: roots.all)
        let reader = WalkReader(
            FolderWalk(roots, leavingOut: answers.silent, in: bounds(answers), calls, watch))
        var update = FolderUpdate()
        var visited: Set<FilePath> = []
        watchAboveRoots(answers)
        var lastInterlude: ContinuousClock.Instant?
        var listings = await reader.next(Self.walkBatch)
        while !listings.isEmpty {
            async let upcoming = reader.next(Self.walkBatch)
            visited.formUnion(listings.map(\.path))
            try apply(listings, to: &update, retries: true)
            let isDue = lastInterlude.map { $0.duration(to: .now) >= Self.interludePause } ?? true
            if update.newFiles > Self.walkBatch, isDue {
                try await examine(atMost: Self.interludeBatch)
                lastInterlude = .now
            }
            listings = await upcoming
        }
        // What was not reached is not missing.
        if Task.isCancelled { return }
        let walk = await reader.walk
        report(walk, of: nil)
        places = walk.places
        try finish(&update, keeping: visited, walk.failures.map(\.path))
    }

    /// Compares folders with their rows, checks on the disk which files have been moved, and stores
    /// the differences.
    ///
    /// - Parameter retries: Whether files that could not be read are examined again.
    func apply(
        _ listings: [FolderListing], to update: inout FolderUpdate, retries: Bool
    ) throws(LibraryError) {
        var differences = try store.read("compare folders") { database in
            try listings.map { try FolderDifferences($0, retries: retries, in: database) }
        }
        for index in differences.indices { differences[index].lookAtTwins(calls) }
        try store.change("store changed folders") { transaction in
            for folder in differences { try update.apply(folder, in: &transaction) }
        }
    }

    /// Deletes files and folders that the walk did not find.
    private func finish(
        _ update: inout FolderUpdate, keeping visited: Set<FilePath>, _ unreadable: [FilePath]
    ) throws(LibraryError) {
        try store.change("delete missing files") { [store] transaction in
            let recent = store.recentArrivals.files
            for folder in try FolderRecord.all(in: transaction.database)
            where !visited.contains(folder.path) && !unreadable.contains(above: folder.path) {
                guard try !transaction.hasArrivals(in: folder.id, recent: recent) else { continue }
                try transaction.removeFolder(folder.id)
            }
            try update.finish(in: &transaction, keeping: recent)
        }
    }

    // MARK: - State

    private func setIndexing(_ isIndexing: Bool) throws(LibraryError) {
        let isUnwatched = isUnwatched
        try store.write("store the state") {
            try LibraryState.set(.isIndexing, isIndexing ? 1 : 0, in: $0)
            // A walk that has only begun does not know it.
            if !isIndexing { try LibraryState.set(.isUnwatched, isUnwatched ? 1 : 0, in: $0) }
        }
    }

    /// The bounds of the library as they are now; without the roots that do not answer.
    func bounds(_ answers: RootCheck.Answers) -> LibraryBounds {
        LibraryBounds(
            roots.without(answers.silent),
            without: [store.path.removingLastComponent()] + LibraryLocation.caches)
    }
}

extension Sequence<FilePath> {
    /// Whether the set contains a path or one of its parents.
    func contains(above path: FilePath) -> Bool {
        contains { path.starts(with: $0) }
    }
}
