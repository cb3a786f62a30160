// SPDX-License-Identifier: MIT

internal import Files
internal import Processes
internal import SystemPackage

extension Indexer {
    /// Compares some folders with the disk.
    func update(_ folders: Set<FilePath>) async {
        let started = ContinuousClock.now
        let isRetry = !folders.isDisjoint(with: unread)
        await attempt(Changes(folders: folders)) { () async throws(LibraryError) in
            let known = try knownFolders()
            let answers = rootCheck.answers(of: roots.all)
            let appeared = roots.all.filter { known[$0] == nil && !answers.missing.contains($0) }
            var update = FolderUpdate()
            for folder in folders.union(appeared).sorted(by: { $0.string < $1.string })
            where !answers.isSilent(folder) {
                try compare(folder, &update, answers)
            }
            try store.change("delete missing files") { try update.finish(in: &$0) }
            try await examine()
        }
        if isRetry { rest(since: started) }
    }

    private func compare(
        _ folder: FilePath, _ update: inout FolderUpdate, _ answers: RootCheck.Answers
    ) throws(LibraryError) {
        guard let kind = kind(of: folder) else { return }
        let known = try knownFolders()
        guard roots.all.contains(folder) || known[folder.removingLastComponent()] != nil else {
            // A folder above it has been left out since.
            watch?.remove(folder)
            return
        }
        var walk = FolderWalk(folder, kind: kind, in: bounds(answers), places: places, calls, watch)
        guard let listing = walk.next() else {
            report(walk, of: folder)
            guard walk.failures.isEmpty else { return }
            // A folder with a file `.nomedia` stays watched: the file may be removed.
            if walk.readCount == 0 { watch?.remove(folder) }
            return try remove(known.filter { $0.key.starts(with: folder) })
        }
        try apply([listing], to: &update, retries: false)
        // Walks new folders below it as well; known ones report their changes themselves, but not
        // those that happened before they could be read.
        var visited: Set<FilePath> = []
        while let below = walk.next() {
            visited.insert(below.path)
            guard known[below.path] == nil || unread.contains(above: below.path) else { continue }
            try apply([below], to: &update, retries: false)
        }
        let failures = walk.failures.map(\.path)
        let missing = known.filter { path, _ in
            guard path != folder, path.starts(with: folder), !failures.contains(above: path),
                !answers.isSilent(path)
            else { return false }
            return path.removingLastComponent() == folder && isGone(path)
                || unread.contains(above: path) && !visited.contains(path)
        }
        report(walk, of: folder)
        places = walk.places
        try remove(missing)
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

    /// Whether a path leads nowhere; false if that cannot be found out at the moment.
    private func isGone(_ path: FilePath) -> Bool {
        calls.run(at: DiskCalls.Place(path, device: nil)) {
            do throws(Errno) {
                _ = try withErrno { try path.stat() }
                return false
            } catch {
                return error == .noSuchFileOrDirectory || error == .notDirectory
            }
        } ?? false
    }
}
