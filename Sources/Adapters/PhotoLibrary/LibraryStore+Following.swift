// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import SystemPackage

extension LibraryStore {
    /// Keeps a log of what changes in a view from now on, until nobody has used it for a month.
    ///
    /// Writes at most once a day.
    ///
    /// - Returns: The generation of the last change.
    /// - Throws: ``LibraryError``, for example `.unwritable`.
    package func follow(_ view: LibraryView) async throws(LibraryError) -> UInt64 {
        do {
            let known = try await connection.read { try ChangeLog.find(view, in: $0) }
            if let known, !known.mustNoteUse { return UInt64(clamping: known.head) }
            let log = try await connection.write { try ChangeLog.follow(view, in: $0) }
            return UInt64(clamping: log?.head ?? 0)
        } catch {
            throw noted(LibraryError(error, "follow the library"))
        }
    }

    /// Reports each write to the database, by whatever process.
    package var writes: LibraryChanges { LibraryChanges(of: path) }

    // MARK: - Continuity

    /// Removes the logs of changes if the machine ended while a service used the database: transactions
    /// may be lost of which apps have been told.
    static func checkContinuity(in database: Database) throws {
        let boot = bootNumber
        if let last = try LibraryState.value(of: .boot, in: database), ![0, boot].contains(last) {
            try ChangeLog.removeAll(in: database)
        }
        try LibraryState.set(.boot, boot, in: database)
    }

    /// Notes that everything is about to be on the disk, unless another service goes on writing.
    func noteEnd() {
        // Without locks it is not known; then apps start over after the machine was restarted.
        let lock = hasLead ? nil : try? FileLock(Self.lockPath(of: path))
        guard !isDamaged, hasLead || lock != nil else { return }
        try? write("note the end") { try LibraryState.set(.boot, 0, in: $0) }
        withExtendedLifetime(lock) {}
    }

    /// A number that changes when the machine is restarted, never 0.
    ///
    /// - Source: random(4), `/proc/sys/kernel/random/boot_id`.
    private static var bootNumber: Int {
        let file = try? Descriptor.openForReading("/proc/sys/kernel/random/boot_id")
        let bytes = (try? file?.read(upTo: 64)) ?? []
        return max(1, Int(bytes.hash & UInt64(Int.max)))
    }
}
