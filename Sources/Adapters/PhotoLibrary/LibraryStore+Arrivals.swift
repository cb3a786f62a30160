// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Logging
package import Photos
internal import Processes
internal import Synchronization
internal import SystemPackage

extension LibraryStore {
    /// Performs a change set that adds photos or adjusted versions; see ``perform(_:)``.
    ///
    /// When this returns, their files have their names, and all of it survives a loss of power. When it
    /// throws, there are no files, unless they were there before.
    ///
    /// - Parameters:
    ///   - arrivals: The files that the operations name by their positions.
    ///   - adjustments: Likewise the adjusted versions.
    /// - Throws: ``LibraryChangeError``. If the disk of the files fails after the changes are stored,
    ///   they stay, and the files get their names when the folders are next looked through.
    package func perform(
        _ changes: [LibraryChange], adding arrivals: [Arrival],
        adjusting adjustments: [AdjustmentDraft] = [], in roots: LibraryRoots
    ) async throws(LibraryChangeError) -> [LibraryChangeResult] {
        let performed: Performed
        do throws(LibraryChangeError) {
            performed = try await add(changes, arrivals, adjustments, roots)
        } catch {
            await discard(arrivals)
            await discard(adjustments)
            throw error
        }
        // Those that a later change of the set has replaced.
        await discard(adjustments)
        if let error = performed.failure {
            throw .library(
                LibraryError(code: .unwritable, operation: "name a new file", cause: error))
        }
        return performed.results
    }

    /// Removes files that are not added.
    package func discard(_ arrivals: [Arrival]) async {
        await discard(arrivals.compactMap(\.draft))
    }

    func discard(_ drafts: [ArrivalDraft]) async {
        guard let first = drafts.first else { return }
        await PhotoIntake.calls.runToEnd(on: first.path.appending(first.hidden)) { [self] in
            finishNow(drafts)
        }
    }

    // MARK: - Adding

    /// Makes sure that nobody has removed the files, performs the change set, and gives them their names:
    /// all of it on one thread, because each change of threads takes as long as some statements.
    ///
    /// - Parameters:
    ///   - place: The first of the files.
    ///   - check: Called in the transaction, before anything changes.
    /// - Throws: ``LibraryChangeError``, errors of the database, and those of `check`.
    func perform(
        _ changes: [LibraryChange], at place: FilePath, _ batch: ArrivalBatch,
        _ check: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Performed {
        let outcome = await PhotoIntake.calls.runToEnd(on: place) { [self] in
            Result {
                if let missing = batch.arrivals.firstIndex(where: { !$0.isInPlace }) {
                    throw LibraryChangeError.refused(
                        index: changes.firstIndex(of: .createAsset(file: missing)) ?? 0,
                        .interrupted)
                }
                var performed = try connection.writeWithoutTransaction {
                    try perform(changes, batch, check, in: $0)
                }
                (performed.ends, performed.failure) = end(
                    batch.arrivals.compactMap(\.draft), performed.settled)
                performed.number = arrivalEnds.begin()
                return performed
            }
        } rest: { [self] outcome in
            guard case .success(let performed) = outcome else { return }
            // What cannot be stored is a leftover.
            try? store(performed.ends)
            arrivalEnds.end(performed.number)
        }
        return try outcome.get()
    }

    /// Photos that the library got meanwhile equal those that are to be added.
    private struct LateTwins: Error {}

    private func add(
        _ changes: [LibraryChange], _ arrivals: [Arrival], _ adjustments: [AdjustmentDraft],
        _ roots: LibraryRoots
    ) async throws(LibraryChangeError) -> Performed {
        let examinations = arrivals.map { $0.examination(named: $0.current) }
        // Nearly all photos are new, which the transaction itself finds out.
        var expected = ContentTwins(unlessEqual: examinations)
        // Another app may add the same photo each time.
        for attempt in 1... {
            let (candidates, twins): (ContentTwins, [ContentTwin?])
            if let expected {
                (candidates, twins) = (expected, [])
            } else {
                (candidates, twins) = try await self.twins(of: examinations, roots)
            }
            expected = nil
            do {
                let batch = ArrivalBatch(
                    adjusted: adjusted, arrivals: arrivals, twins: twins,
                    adjustments: adjustments)
                return try await perform(changes, adding: batch) {
                    guard try attempt > 5 || candidates.areCurrent(examinations, in: $0) else {
                        throw LateTwins()
                    }
                }
            } catch let error as LibraryChangeError {
                throw error
            } catch {
                guard error is LateTwins else {
                    throw .library(noted(LibraryError(error, "change the library")))
                }
            }
        }
        return Performed()
    }

    private func twins(
        of examinations: [Examination], _ roots: LibraryRoots
    ) async throws(LibraryChangeError) -> (ContentTwins, [ContentTwin?]) {
        guard let first = examinations.first else { return (ContentTwins(), []) }
        await arrivalEnds.settle()
        do {
            let candidates = try await connection.read { try ContentTwins(examinations, in: $0) }
            // The photos to compare with may be on a disk that does not answer.
            let found = await FileCalls.shared.run(on: first.file.path, within: .seconds(20)) { _ in
                let calls = DiskCalls(patience: .seconds(5)) {}
                return candidates.resolve(
                    examinations, in: LibraryBounds(roots), calls, completely: true)
            }
            return (candidates, found ?? [])
        } catch {
            throw .library(noted(LibraryError(error, "find equal photos")))
        }
    }

    // MARK: - Finishing

    /// Gives settled files their names, and removes the others.
    ///
    /// - Isolation: blocks as long as the file system does.
    func finishNow(_ drafts: [ArrivalDraft]) {
        let (ends, _) = end(drafts)
        // What cannot be stored is a leftover.
        try? store(ends)
    }

    /// Gives settled files their names, and removes the others.
    ///
    /// - Parameter settled: The records of the settled ones, by hidden name; nil if they are unknown.
    /// - Returns: What has to be stored of those that have their names, and the first error.
    private func end(
        _ drafts: [ArrivalDraft], _ settled: [FilePath.Component: ArrivalRecord]? = nil
    ) -> (ends: [ArrivalEnd], error: Errno?) {
        var ends: [ArrivalEnd] = []
        var firstError: Errno?
        for (index, draft) in drafts.enumerated() {
            do throws(Errno) {
                let record =
                    if let settled {
                        settled[draft.hidden]
                    } else {
                        try record(of: draft.hidden)
                    }
                guard let end = try end(draft.folder, draft.hidden, record) else {
                    removeIfNew(draft.folder, draft.path)
                    continue
                }
                // Until it is stored, the index sees another file, perhaps for as long as the disk takes for the
                // rest; and if it has another name, the file with the first one would be taken for it.
                if index == drafts.count - 1, end.name == record?.name {
                    ends.append(end)
                } else {
                    try store([end])
                }
            } catch {
                firstError = firstError ?? error
                note(error, in: draft.path)
            }
        }
        return (ends, firstError)
    }

    /// Notes that a folder was made for photos.
    ///
    /// - Isolation: blocks as long as the file system does.
    func noteNew(_ folder: Descriptor) {
        guard let information = try? folder.information() else { return }
        newFolders.withLock { _ = $0.insert(FileIdentity(information)) }
    }

    /// Removes a folder that was made for photos, if none of them is in it.
    ///
    /// - Isolation: blocks as long as the file system does.
    func removeIfNew(_ folder: Descriptor, _ path: FilePath) {
        guard let identity = (try? folder.information()).map(FileIdentity.init),
            newFolders.withLock({ $0.contains(identity) }),
            Directory.removeIfEmpty(folder, at: path)
        else { return }
        newFolders.withLock { _ = $0.remove(identity) }
    }

    /// Removes a file that has only just been made.
    ///
    /// - Isolation: blocks as long as the file system does.
    func discardNow(_ hidden: FilePath.Component, in folder: Descriptor) {
        // What remains is a leftover.
        try? AtomicFile.remove(folder.ownPath.appending(hidden))
        try? forget(hidden)
    }

    /// Whether photos are on their way; false if that is unknown.
    var hasArrivals: Bool {
        let has = try? read("read what arrives") { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM arrival)")
        }
        return (has ?? nil) ?? false
    }

    /// Finishes what other services could not, because they were killed or a disk failed.
    ///
    /// Leaves out what a service is working on, and what is in a folder that is not there.
    ///
    /// - Isolation: blocks as long as the file system does.
    func finishLeftovers(in bounds: LibraryBounds) {
        finishLeftovers { bounds.admitFolder($0) }
    }

    /// Removes files of adjusted versions that no photo has.
    ///
    /// - Isolation: blocks as long as the file system does.
    func finishAdjustments() { finishLeftovers(where: nil) }

    /// - Parameter admit: Whether a folder belongs to the library; nil to leave out all but that of
    ///   adjusted versions, which always does.
    func finishLeftovers(where admit: ((Descriptor) -> Bool)?) {
        let records: [ArrivalRecord]
        do throws(LibraryError) {
            records = try read("read what arrives") { try ArrivalRecord.all(in: $0) }
        } catch {
            return note(.ioError, in: "/")
        }
        for record in records {
            let isAdjustment = record.folder == adjusted
            guard isAdjustment || admit != nil else { continue }
            do throws(Errno) {
                let folder = try Descriptor.openFolder(record.folder)
                guard isAdjustment || admit?(folder) == true else { throw .permissionDenied }
                let file: Descriptor
                do throws(Errno) {
                    file = try Descriptor.openForLocking(folder.ownPath.appending(record.hidden))
                } catch {
                    guard error == .noSuchFileOrDirectory else { throw error }
                    try forget(record.hidden)
                    continue
                }
                // Otherwise a service is working on it.
                guard let lock = try FileLock(file) else { continue }
                // It may have been at work until now, and have finished. An adjusted version that it has
                // given to a photo still has its name.
                // Read with the lock held: whoever held it before may have settled the file.
                if folder.contains(record.hidden), let record = try self.record(of: record.hidden) {
                    if let end = try end(folder, record.hidden, record) { try store([end]) }
                }
                withExtendedLifetime(lock) {}
            } catch {
                // Its disk may be away.
                guard ![.noSuchFileOrDirectory, .notDirectory].contains(error) else { continue }
                note(error, in: record.folder)
            }
        }
    }

    private func note(_ error: Errno, in folder: FilePath) {
        logger.error(
            "A new photo could not be put into its place.",
            metadata: ["folder": "\(folder)", "error": "\(error)"])
    }

    /// Gives a settled file its name, or removes it and forgets it.
    ///
    /// - Parameter record: That of the file; nil if it has none.
    /// - Returns: What has to be stored of a file that has its name.
    /// - Throws: `Errno`, `.noSuchFileOrDirectory` if a settled file is gone.
    private func end(
        _ folder: Descriptor, _ hidden: FilePath.Component, _ record: ArrivalRecord?
    ) throws(Errno) -> ArrivalEnd? {
        let place = folder.ownPath.appending(hidden)
        guard let record, let name = record.name else {
            try AtomicFile.remove(place)
            try forget(hidden)
            return nil
        }
        var attempt = name
        var number = 1
        while true {
            do throws(Errno) {
                try AtomicFile.rename(place, toNew: folder.ownPath.appending(attempt))
                break
            } catch {
                guard error == .fileExists, number < 1000 else { throw error }
                number += 1
                attempt = name.distinguished(by: number)
            }
        }
        try folder.synchronize()
        let named = try Descriptor.openForReading(folder.ownPath.appending(attempt))
        return ArrivalEnd(
            hidden: hidden, file: record.file, name: attempt,
            state: FileState(try named.information()))
    }

    // MARK: - Records

    /// Whether a file is noted as one on its way; false if that is unknown.
    func isNoted(_ draft: ArrivalDraft) -> Bool {
        (try? record(of: draft.hidden)) != nil
    }

    private func record(of hidden: FilePath.Component) throws(Errno) -> ArrivalRecord? {
        do throws(LibraryError) {
            return try read("read what arrives") { try ArrivalRecord(of: hidden, in: $0) }
        } catch {
            throw .ioError
        }
    }

    /// Notes that a file is not on its way any more.
    private func forget(_ hidden: FilePath.Component) throws(Errno) {
        do throws(LibraryError) {
            try write("note the end of an arrival") { try ArrivalRecord.delete(hidden, in: $0) }
        } catch {
            throw .ioError
        }
    }

    private func store(_ ends: [ArrivalEnd]) throws(Errno) {
        guard !ends.isEmpty else { return }
        for file in ends.compactMap(\.file) { recentArrivals.note(file) }
        do throws(LibraryError) {
            try write("note the end of an arrival") { database in
                for end in ends { try end.store(in: database) }
            }
        } catch {
            throw .ioError
        }
    }
}

extension Arrival {
    /// Whether the file is still in its folder.
    ///
    /// - Isolation: blocks as long as the file system does.
    fileprivate var isInPlace: Bool {
        guard
            let status = try? folder.ownPath.appending(current).stat(followTargetSymlink: false)
        else { return false }
        let found = FileState(status)
        return found.inode == state.inode && found.size == state.size
    }
}

extension FilePath.Component {
    /// The name with a number before its extension.
    fileprivate func distinguished(by number: Int) -> FilePath.Component {
        let suffix = self.extension.map { ".\($0)" } ?? ""
        return FilePath.Component("\(stem)-\(number)\(suffix)") ?? self
    }
}
