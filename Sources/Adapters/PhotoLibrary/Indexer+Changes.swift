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
            store.recentArrivals.beginComparison()
            defer { store.recentArrivals.endComparison() }
            await store.arrivalEnds.settle()
            var known = try knownFolders()
            let answers = rootCheck.answers(of: roots.all)
            watchAboveRoots(answers)
            // Once, while the roots answer; a disk may stop at any folder.
            let bounds = bounds(answers)
            let appeared = roots.all.filter {
                !answers.missing.contains($0)
                    && (known.ids[$0] == nil || isReplaced($0, folders, answers))
            }
            var update = FolderUpdate()
            for folder in folders.union(appeared).sorted(by: { $0.string < $1.string })
            where !answers.isSilent(folder) {
                try compare(folder, in: bounds, &known, &update, answers)
            }
            try store.change("delete missing files") { [store] in
                try update.finish(in: &$0, keeping: store.recentArrivals.files)
            }
            try await examine()
        }
        if isRetry { rest(since: started) }
    }

    /// Whether a root is another folder than before, if something has changed beside it.
    private func isReplaced(
        _ root: FilePath, _ changed: Set<FilePath>, _ answers: RootCheck.Answers
    ) -> Bool {
        guard changed.contains(root.removingLastComponent()), !answers.isSilent(root) else {
            return false
        }
        let identity = calls.run(at: DiskCalls.Place(root, device: nil)) { FileIdentity(of: root) }
        return (identity ?? nil).map { places[$0] != root } ?? false
    }

    private func compare(
        _ folder: FilePath, in bounds: LibraryBounds, _ known: inout KnownFolders,
        _ update: inout FolderUpdate, _ answers: RootCheck.Answers
    ) throws(LibraryError) {
        guard let kind = kind(of: folder) else { return }
        guard roots.all.contains(folder) || known.ids[folder.removingLastComponent()] != nil else {
            // A folder above it has been left out since.
            watch?.remove(folder)
            return
        }
        var walk = FolderWalk(
            folder, kind: kind, in: bounds, places: takePlaces(), calls, watch)
        defer { places = walk.places }
        // Known folders report their changes themselves, but not those that happened before they
        // could be read.
        let (former, unread) = (known, unread)
        func isSettled(_ path: FilePath) -> Bool {
            former.ids[path] != nil
                && !unread.contains { $0.starts(with: path) || path.starts(with: $0) }
        }
        guard let listing = walk.next(skipping: isSettled) else {
            report(walk, of: folder)
            guard walk.failures.isEmpty else { return }
            // A folder with a file `.nomedia` stays watched: the file may be removed. So does a
            // root, whose rights may change.
            if walk.readCount == 0, !roots.all.contains(folder) { watch?.remove(folder) }
            return try remove(known.ids.keys.filter { $0.starts(with: folder) }, from: &known)
        }
        try apply([listing], to: &update, retries: false)
        // Walks new folders below it as well.
        var visited: Set<FilePath> = []
        var isNew = known.ids[folder] == nil
        while let below = walk.next(skipping: isSettled) {
            visited.insert(below.path)
            // A known folder that has been replaced is compared as well.
            isNew = true
            try apply([below], to: &update, retries: false)
        }
        let missing = missing(below: folder, of: known, visited, walk, answers)
        report(walk, of: folder)
        try remove(missing, from: &known)
        if isNew { known = try knownFolders() }
    }

    /// The known folders below a folder that a walk did not find there.
    private func missing(
        below folder: FilePath, of known: KnownFolders, _ visited: Set<FilePath>,
        _ walk: FolderWalk, _ answers: RootCheck.Answers
    ) -> [FilePath] {
        let failures = walk.failures.map(\.path)
        var missing: [FilePath] = []
        var waiting = known.children[folder] ?? []
        while let path = waiting.popLast() {
            // All that is below them stays as well.
            guard !walk.settled.contains(path), !failures.contains(above: path),
                !answers.isSilent(path)
            else { continue }
            if !visited.contains(path) { missing.append(path) }
            waiting += known.children[path] ?? []
        }
        return missing
    }

    /// Hands over the places, which would be copied for each folder otherwise.
    private func takePlaces() -> FolderPlaces {
        defer { places = FolderPlaces() }
        return places
    }

    private func remove(
        _ folders: [FilePath], from known: inout KnownFolders
    ) throws(LibraryError) {
        let ids = folders.compactMap { known.ids[$0] }
        guard !ids.isEmpty else { return }
        try store.change("delete missing folders") { transaction in
            for id in ids { try transaction.removeFolder(id) }
        }
        known = try knownFolders()
    }

    /// The folders that the library has.
    private struct KnownFolders {
        var ids: [FilePath: Int64] = [:]
        /// The folders directly in a folder.
        var children: [FilePath: [FilePath]] = [:]
    }

    private func knownFolders() throws(LibraryError) -> KnownFolders {
        let folders = try store.read("read the folders") { try FolderRecord.all(in: $0) }
        return folders.reduce(into: KnownFolders()) { known, folder in
            known.ids[folder.path] = folder.id
            known.children[folder.path.removingLastComponent(), default: []].append(folder.path)
        }
    }

    /// The kind of the root that contains a folder; nil if no root does.
    private func kind(of folder: FilePath) -> FolderKind? {
        if roots.pictures.contains(where: { folder.starts(with: $0) }) { return .pictures }
        return roots.others.contains { folder.starts(with: $0) } ? .other : nil
    }
}
