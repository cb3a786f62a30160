// SPDX-License-Identifier: MIT

internal import GRDB

extension Indexer {
    /// The number of pending files read from the database at a time.
    private static let page = 1024
    /// The least number of files that are examined together and stored in one transaction, if there are so
    /// many: what belongs to one photo should be found together.
    private static let batch = 128

    /// Examines the newest pending files; by default all of them.
    ///
    /// What was found in a batch is stored while the next one is examined.
    func examine(atMost limit: Int = .max) async throws(LibraryError) {
        let bounds = bounds(rootCheck.answers(of: roots.all))
        try storeWhetherFilesWait()
        var left = limit
        var page: ArraySlice<PendingFile> = []
        var size = 0
        var found: [Examination] = []
        var hasStored = false
        repeat {
            if Task.isCancelled {
                (page, left) = ([], 0)
            } else if page.isEmpty, left > 0 {
                let examined = Set(found.map(\.file.id))
                page = try urgentFiles(atMost: min(left, Self.page), without: examined)[...]
                left -= page.count
            }
            // Small at first, because somebody may be waiting for the newest photos; then one half of a page
            // is examined while the other one is stored.
            size = min(max(Self.batch, size * 2), Self.page / 2)
            let batch = page.removeBatch(size)
            async let upcoming = Self.examine(batch, examiners, bounds)
            // That may have other files examined again.
            hasStored = !found.isEmpty
            if hasStored { try save(found, in: bounds) }
            found = await upcoming
            if found.isEmpty, !batch.isEmpty {
                throw LibraryError(code: .failed, operation: "examine files without a decoder")
            }
        } while !found.isEmpty || hasStored
    }

    /// The number of photos of an earlier release that are examined again at a time.
    private static let unreadBatch = 512

    /// Has some photos of an earlier release examined again, which did not read what they say, and notes
    /// that there are more.
    ///
    /// Between two parts, changes of the folders come first, and the disk and the processors rest.
    func complete() async {
        await attempt(Changes(mustComplete: true)) { () async throws(LibraryError) in
            // What is missing of them is only what they say.
            let isUrgent = saving == nil
            let hasMore = try store.change("examine photos again") {
                try isUrgent && $0.expireUnread(atMost: Self.unreadBatch)
            }
            try await examine()
            if hasMore { note { $0.mustComplete = true } }
        }
    }

    /// Distributes files among the examiners.
    @concurrent
    private static func examine(
        _ files: ArraySlice<PendingFile>, _ examiners: [FileExaminer], _ bounds: LibraryBounds
    ) async -> [Examination] {
        await withTaskGroup(of: [Examination].self) { group in
            let share = (files.count + examiners.count - 1) / examiners.count
            var rest = files
            for examiner in examiners where !rest.isEmpty {
                let part = rest.removeBatch(share)
                group.addTask { await examiner.examine(part, in: bounds) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func save(
        _ examinations: [Examination], in bounds: LibraryBounds
    ) throws(LibraryError) {
        let twins = try store.read("find equal photos") {
            try ContentTwins(examinations, in: $0)
        }.resolve(examinations, in: bounds, calls)
        try store.change("store what was found") { _ = try $0.store(examinations, twins) }
    }
}

extension ArraySlice {
    /// Removes and returns the first elements, fewer if the array is shorter.
    fileprivate mutating func removeBatch(_ count: Int) -> ArraySlice {
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}
