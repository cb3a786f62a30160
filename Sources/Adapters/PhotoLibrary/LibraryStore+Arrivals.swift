// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Logging
package import Photos
internal import Processes
internal import SystemPackage

extension LibraryStore {
    /// Performs a change set that adds photos; see ``perform(_:)``.
    ///
    /// When this returns, their files have their names, and all of it survives a loss of power. When it
    /// throws, there are no files, unless they were there before.
    ///
    /// - Parameter arrivals: The files that the operations name by their positions.
    package func perform(
        _ changes: [LibraryChange], adding arrivals: [Arrival], in roots: LibraryRoots
    ) async throws(LibraryChangeError) -> [LibraryChangeResult] {
        let rows = arrivals.compactMap(\.row)
        do throws(LibraryChangeError) {
            let results = try await add(changes, arrivals, roots)
            let error = await finish(rows, roots)
            if let error {
                throw .library(
                    LibraryError(code: .unwritable, operation: "name a new file", cause: error))
            }
            withExtendedLifetime(arrivals) {}
            return results
        } catch {
            await discard(rows, in: roots)
            throw error
        }
    }

    /// Removes files that are not added.
    package func discard(_ arrivals: [Arrival], in roots: LibraryRoots) async {
        await discard(arrivals.compactMap(\.row), in: roots)
    }

    func discard(_ rows: [Int64], in roots: LibraryRoots) async {
        guard !rows.isEmpty else { return }
        // Also if nobody waits for it any more.
        await Task { _ = await finish(rows, roots) }.value
    }

    /// Removes files that are not added.
    ///
    /// - Isolation: blocks as long as the file system does.
    func discardNow(_ rows: [Int64], in roots: LibraryRoots) {
        _ = finishArrivals(rows, in: roots.boundsOfPictures)
    }

    // MARK: - Adding

    /// Photos that the library got meanwhile equal those that are to be added.
    private struct LateTwins: Error {}

    private func add(
        _ changes: [LibraryChange], _ arrivals: [Arrival], _ roots: LibraryRoots
    ) async throws(LibraryChangeError) -> [LibraryChangeResult] {
        let examinations = arrivals.map { $0.examination(named: $0.current) }
        // Another app may add the same photo each time.
        for attempt in 1... {
            let (candidates, twins) = try await self.twins(of: examinations, roots)
            do {
                return try await perform(changes, ArrivalBatch(arrivals: arrivals, twins: twins)) {
                    guard try attempt > 5 || candidates.areCurrent(examinations, in: $0) else {
                        throw LateTwins()
                    }
                }
            } catch let error as LibraryChangeError {
                throw error
            } catch {
                guard error is LateTwins else {
                    throw .library(LibraryError(error, "change the library"))
                }
            }
        }
        return []
    }

    private func twins(
        of examinations: [Examination], _ roots: LibraryRoots
    ) async throws(LibraryChangeError) -> (ContentTwins, [ContentTwin?]) {
        guard let first = examinations.first else { return (ContentTwins(), []) }
        do {
            let candidates = try await connection.read { try ContentTwins(examinations, in: $0) }
            // The photos to compare with may be on a disk that does not answer.
            let found = await FileCalls.shared.run(on: first.file.path, within: .seconds(20)) { _ in
                let calls = DiskCalls(patience: .seconds(5)) {}
                return candidates.resolve(examinations, in: LibraryBounds(roots), calls)
            }
            return (candidates, found ?? [])
        } catch {
            throw .library(LibraryError(error, "find equal photos"))
        }
    }

    // MARK: - Finishing

    private func finish(_ rows: [Int64], _ roots: LibraryRoots) async -> Errno? {
        guard !rows.isEmpty else { return nil }
        let path = roots.pictures.first?.appending("any") ?? "/"
        return await Task {
            await FileCalls.shared.run(on: path) { [self] _ in
                finishArrivals(rows, in: roots.boundsOfPictures)
            } ?? .canceled
        }.value
    }

    /// Gives the files of settled arrivals their names, and removes the others.
    ///
    /// - Parameter rows: Arrivals of this service; nil for all that no other service is working on.
    /// - Returns: The first error; what it prevented is tried again with the next start.
    /// - Isolation: blocks as long as the file system does.
    func finishArrivals(_ rows: [Int64]?, in bounds: LibraryBounds) -> Errno? {
        var firstError: Errno?
        do {
            let records = try read("read what arrives") { try ArrivalRecord.all(rows, in: $0) }
            for record in records {
                do throws(Errno) {
                    let place = try record.finish(in: bounds, isOurs: rows != nil)
                    try forget(record, place)
                } catch {
                    // Another service is at work.
                    guard error != .wouldBlock else { continue }
                    firstError = firstError ?? error
                    logger.error(
                        "A new photo could not be put into its place.",
                        metadata: ["folder": "\(record.folder)", "error": "\(error)"])
                }
            }
        } catch {
            logger.error("New photos cannot be finished.", metadata: ["error": "\(error)"])
            firstError = .ioError
        }
        return firstError
    }

    /// Notes that an arrival is over.
    private func forget(
        _ record: ArrivalRecord, _ place: (name: FilePath.Component, state: FileState)?
    ) throws(Errno) {
        do throws(LibraryError) {
            try write("note the end of an arrival") { database in
                try database.execute(
                    sql: "DELETE FROM arrival WHERE id = ?", arguments: [record.id])
                guard let place, let file = record.file else { return }
                // The index has perhaps found the file already, under this name.
                try database.execute(
                    sql: """
                        UPDATE OR IGNORE file SET name = ?, changed = ?
                        WHERE id = ? AND inode = ? AND size = ?
                        """,
                    arguments: [
                        place.name.data, place.state.changed, file, place.state.inode,
                        place.state.size,
                    ])
            }
        } catch {
            logger.error("An arrival cannot be ended.", metadata: ["error": "\(error)"])
            throw .ioError
        }
    }
}

extension LibraryRoots {
    /// The bounds of the folder that new photos go to; others may be on disks that do not answer.
    fileprivate var boundsOfPictures: LibraryBounds {
        LibraryBounds(containing(pictures.first ?? "/"))
    }
}

extension ArrivalRecord {
    /// Gives a settled file its name, or removes it.
    ///
    /// - Parameter isOurs: Whether this service made the file; otherwise the service that did may be
    ///   working on it.
    /// - Returns: The name, and the state of the file with it; nil if there is no file any more.
    /// - Throws: `Errno`, `.wouldBlock` if another service is working on it.
    fileprivate func finish(
        in bounds: LibraryBounds, isOurs: Bool
    ) throws(Errno) -> (name: FilePath.Component, state: FileState)? {
        let opened: Descriptor
        let file: Descriptor
        do throws(Errno) {
            opened = try Descriptor.openFolder(folder)
            guard bounds.admitFolder(opened) else { throw .permissionDenied }
            file = try Descriptor.openForReading(opened.ownPath.appending(hidden))
        } catch {
            guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
            return nil
        }
        var lock: FileLock?
        if !isOurs {
            lock = try FileLock(file)
            guard lock != nil else { throw .wouldBlock }
        }
        defer { withExtendedLifetime(lock) {} }
        guard let name else {
            try AtomicFile.remove(opened.ownPath.appending(hidden))
            return nil
        }
        var attempt = name
        var number = 1
        while true {
            do throws(Errno) {
                try AtomicFile.rename(
                    opened.ownPath.appending(hidden), toNew: opened.ownPath.appending(attempt))
                break
            } catch {
                guard error == .fileExists, number < 1000 else { throw error }
                number += 1
                attempt = name.distinguished(by: number)
            }
        }
        try opened.synchronize()
        return (attempt, FileState(try file.information()))
    }
}

extension FilePath.Component {
    /// The name with a number before its extension.
    fileprivate func distinguished(by number: Int) -> FilePath.Component {
        let suffix = self.extension.map { ".\($0)" } ?? ""
        return FilePath.Component("\(stem)-\(number)\(suffix)") ?? self
    }
}
