// SPDX-License-Identifier: MIT

internal import Files
internal import Logging
internal import SystemPackage

/// What could not be read or stored, for example because a disk is full or fails, is tried again.
extension Indexer {
    /// Compares again what could not be read or stored, and everything if not all folders can be
    /// watched.
    ///
    /// Does not read much if the last walk ended a moment ago, measured by its duration, so that
    /// requests in quick succession do not keep the disk busy.
    package func refreshIfIncomplete() {
        guard let lastWalk else { return }
        var missed = Changes(folders: unfinished.folders, mustComplete: unfinished.mustComplete)
        if !isResting(since: lastWalk.end) {
            missed.folders.formUnion(unread)
            missed.mustWalk = isUnwatched || unfinished.mustWalk
            missed.mustRetry = isRetryDue()
        }
        guard !missed.isEmpty else { return }
        unfinished.folders = []
        unfinished.mustComplete = false
        if missed.mustWalk { unfinished.mustWalk = false }
        note { $0.formUnion(missed) }
    }

    /// Whether files that could not be read have to be examined again.
    ///
    /// A machine that was busy, or a disk, may be able to read them by now; a file that crashes its decoder
    /// never is, so the pauses grow.
    private func isRetryDue() -> Bool {
        guard nextRetry.map({ $0.time <= .now }) ?? true else { return false }
        do {
            let isNeeded = try store.read("look for unreadable files") {
                try LibraryState.hasUnreadableFiles(in: $0)
            }
            let pause = isNeeded ? nextRetry?.pause ?? Self.firstPause : Self.firstPause
            nextRetry = (.now + pause, min(pause * 2, Self.longestPause))
            return isNeeded
        } catch {
            // Whatever is wrong with the database is reported when it is written.
            return false
        }
    }

    private static let firstPause = Duration.seconds(2)
    private static let longestPause = Duration.seconds(3600)

    /// Has files examined again that could not be read.
    func expireUnreadable() async {
        await attempt(Changes(mustRetry: true)) { () throws(LibraryError) in
            try store.change("retry unreadable files") { try $0.expireUnreadable() }
        }
    }

    /// How many times as long as a walk the disk rests after it.
    private static let restAfterWalk = 10

    /// Whether something was too short a time ago to read everything again.
    func isResting(since time: ContinuousClock.Instant) -> Bool {
        guard let lastWalk else { return true }
        return time.duration(to: .now) <= lastWalk.duration * Self.restAfterWalk
    }

    /// Notes how long a walk took that has just ended.
    @discardableResult func rest(since started: ContinuousClock.Instant) -> Duration {
        let duration = started.duration(to: .now)
        lastWalk = (.now, duration)
        return duration
    }

    /// Brings the library up to date with some changes; if that fails, for example because the disk is
    /// full, they are noted for later.
    func attempt(
        _ changes: Changes, _ body: () async throws(LibraryError) -> Void
    ) async {
        do {
            try await body()
            if unfinished.isEmpty { lastError = nil }
        } catch {
            unfinished.formUnion(changes)
            // What is below them may have been read, but not been stored.
            unread.formUnion(changes.folders)
            // A disk that is full stays full for a while.
            guard error != lastError else { return }
            lastError = error
            logger.error(
                "The library could not be brought up to date.", metadata: ["error": "\(error)"])
        }
    }

    /// Logs what a walk could not read, and notes it for later.
    ///
    /// - Parameter folder: Where the walk began; nil for all roots.
    func report(_ walk: FolderWalk, of folder: FilePath?) {
        func wasVisited(_ path: FilePath) -> Bool { folder.map(path.starts(with:)) ?? true }
        if let error = walk.watchError { noteUnwatched(error) }
        unread = unread.filter { !wasVisited($0) }.union(walk.unread)
        let failures = walk.failures.filter { !unreadable.contains($0.path) }
        unreadable = unreadable.filter { !wasVisited($0) }.union(walk.failures.map(\.path))
        // A disk that fails may fail for every file.
        for (path, error) in failures.prefix(10) {
            logger.warning(
                """
                A folder or file cannot be read at the moment. Its photos stay in the library as they \
                were.
                """, metadata: ["path": "\(path)", "error": "\(error)"])
        }
        if failures.count > 10 {
            logger.warning("\(failures.count - 10) more cannot be read.")
        }
    }
}
