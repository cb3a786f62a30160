// SPDX-License-Identifier: MIT

internal import GRDB

extension Indexer {
    /// The number of pending files read from the database at a time.
    private static let page = 1024
    /// The number of files examined together and stored in one transaction.
    private static let batch = 128

    /// Examines the newest pending files; by default all of them.
    func examine(atMost limit: Int = .max) async throws(LibraryError) {
        let bounds = bounds(rootCheck.answers(of: roots.all))
        try storeWhetherFilesWait()
        var left = limit
        while left > 0, !Task.isCancelled {
            let count = min(left, Self.page)
            let files = try urgentFiles(atMost: count)
            guard !files.isEmpty else { return }
            try await examine(files, in: bounds)
            left -= files.count
        }
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

    /// Examines files; the results of a batch are stored while the next batch is examined.
    private func examine(
        _ files: [PendingFile], in bounds: LibraryBounds
    ) async throws(LibraryError) {
        var next = files[...]
        var found = await Self.examine(next.removeBatch(Self.batch), examiners, bounds)
        while !next.isEmpty, !Task.isCancelled {
            let batch = next.removeBatch(Self.batch)
            async let upcoming = Self.examine(batch, examiners, bounds)
            try save(found, in: bounds)
            found = await upcoming
        }
        try save(found, in: bounds)
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
        guard !examinations.isEmpty else {
            throw LibraryError(code: .failed, operation: "examine files without a decoder")
        }
        let twins = try store.read("find equal photos") {
            try ContentTwins(examinations, in: $0)
        }.resolve(examinations, in: bounds, calls)
        try store.change("store what was found") { try $0.store(examinations, twins) }
    }
}

extension ArraySlice {
    /// Removes and returns the first elements, fewer if the array is shorter.
    fileprivate mutating func removeBatch(_ count: Int) -> ArraySlice {
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}
