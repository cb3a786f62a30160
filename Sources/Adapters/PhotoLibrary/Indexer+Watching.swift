// SPDX-License-Identifier: MIT

internal import Files
internal import Glibc
internal import Logging
internal import Processes
internal import SystemPackage

extension Indexer {
    func listen() async {
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

    /// Compares everything again when a disk answers that did not.
    func followRoots() async {
        for await _ in answeringRoots { note { $0.mustWalk = true } }
    }

    /// Compares everything again when a disk goes on that stood still.
    ///
    /// If that has happened shortly before, it waits for the usual time: a disk that is always slow would
    /// cause one walk after the other.
    func followDisks() async {
        for await _ in answeringDisks {
            let isRepeated = lastAnswer.map { isResting(since: $0) } ?? false
            lastAnswer = .now
            unfinished.mustWalk = true
            if isRepeated { refreshIfIncomplete() } else { note { $0.mustWalk = true } }
        }
    }

    /// Compares the folders in which file systems are mounted or unmounted.
    func followMounts(since start: MountTable) async {
        guard let mounts = try? MountWatch() else { return }
        var known = start
        noteMounts(since: &known)
        for await _ in mounts.changes { noteMounts(since: &known) }
    }

    private func noteMounts(since known: inout MountTable) {
        let current = MountTable.current()
        let points = current.changedPoints(since: known)
        known = current
        guard !points.isEmpty else { return }
        for root in roots.all {
            // The kernel tells where mounts are without links.
            let path = calls.run(at: DiskCalls.Place(root, device: nil)) { root.withoutLinks }
            let place = (path ?? nil) ?? root
            for point in points {
                if place.starts(with: point) {
                    note { $0.mustWalk = true }
                } else if point.starts(with: place) {
                    let below = point.components.dropFirst(place.components.count)
                    let folder = root.appending(below).removingLastComponent()
                    note { $0.folders.insert(folder) }
                }
            }
        }
    }

    func note(_ change: (inout Changes) -> Void) {
        change(&changes)
        waiter?.resume()
        waiter = nil
    }

    func waitForChanges() async {
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

    func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    func noteUnwatched(_ error: Errno) {
        isWatchIncomplete = true
        guard !hasWarnedOfWatch else { return }
        hasWarnedOfWatch = true
        logger.warning(
            """
            Too many folders to watch all of them; changes show after a while or at the next request. \
            Raise fs.inotify.max_user_watches to see them at once.
            """, metadata: ["error": "\(error)"])
    }

    /// Looks from time to time at what may have been missed.
    func poll() async {
        while !Task.isCancelled {
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: Self.pollInterval)
            refreshIfIncomplete()
        }
    }

    private static let pollInterval = Duration.seconds(60)

    /// Watches the folders in which missing roots may appear, and in which roots are links, which may be
    /// replaced.
    func watchAboveRoots(_ answers: RootCheck.Answers) {
        for root in answers.missing.union(answers.links) {
            do {
                try watch?.add(root.removingLastComponent())
            } catch {
                // A folder that is gone needs no watch.
                if error != .noSuchFileOrDirectory { noteUnwatched(error) }
            }
        }
    }
}

extension FilePath {
    /// Where it leads to; nil if that does not exist.
    ///
    /// - Isolation: blocks as long as the file system does.
    fileprivate var withoutLinks: FilePath? {
        guard let resolved = withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }
}

extension FolderWatch {
    /// The most folders to watch: half of what the user may, so that other programs can watch theirs.
    ///
    /// - Source: inotify(7), `/proc/sys/fs/inotify/max_user_watches`.
    static var fairShare: Int {
        let file: FilePath = "/proc/sys/fs/inotify/max_user_watches"
        // Where the limit is unknown, the kernel enforces it.
        guard let text = try? Descriptor.openForReading(file).read(upTo: 64),
            let limit = Int(String(decoding: text, as: UTF8.self).filter(\.isNumber))
        else { return .max }
        return limit / 2
    }
}
