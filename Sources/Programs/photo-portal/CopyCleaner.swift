// SPDX-License-Identifier: MIT

import Files
import Logging
import PhotoCopies
import PortalInterface
import Processes
import SDBus
import SystemPackage

/// Removes the copies that the dialog made for apps that have ended, and those that are a day old.
///
/// The dialog ends when nobody needs it, so the service does this.
struct CopyCleaner {
    /// How often it looks; without copies that costs one look at an absent folder.
    private static let interval = Duration.seconds(20)

    private let connection: Connection
    private let logger: Logger

    init(on connection: Connection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    private static func lockPath(ofBus id: String) -> FilePath {
        PhotoCopies.standardFolder.removingLastComponent().appending("buses").appending(id)
    }

    /// Tells the services of the person's other sessions that the apps of this bus may be alive, as
    /// long as the lock is held.
    ///
    /// - Returns: Nil if there cannot be a lock.
    private func lock() async -> FileLock? {
        do {
            let path = Self.lockPath(ofBus: try await connection.busID())
            // Our predecessor has it until it ends, and others look at it for a moment.
            while !Task.isCancelled {
                let result = await FileCalls.shared.run(on: path) { _ in
                    Result { () throws(Errno) in
                        try Directory.make(path.removingLastComponent())
                        return try FileLock(path)
                    }
                }
                if let lock = try result?.get() { return lock }
                try await Task.sleep(for: .seconds(1))
            }
        } catch {
            guard !(error is CancellationError) else { return nil }
            logger.warning(
                "The service of another session may remove copies of photos.",
                metadata: ["error": "\(error)"])
        }
        return nil
    }

    /// Cleans until the task is cancelled.
    func run() async {
        let lock = await lock()
        defer { withExtendedLifetime(lock) {} }
        while !Task.isCancelled {
            await clean()
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    private func clean() async {
        // A disk that does not answer keeps no thread that others need.
        let folder = PhotoCopies.standardFolder
        for owner in await FileCalls.shared.run(on: folder, { _ in PhotoCopies.owners() }) ?? [] {
            let age = await isAlive(owner) ? PhotoCopies.lifetime : 0
            _ = await FileCalls.shared.run(on: folder) { [logger] _ in
                do {
                    try PhotoCopies.remove(of: owner, olderThan: age)
                } catch {
                    logger.warning(
                        "Copies of photos cannot be removed.", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Whether the app for which copies were made is still on this bus, or may be on another one.
    private func isAlive(_ owner: String) async -> Bool {
        do throws(DBusError) {
            guard let name = try await CopyOwner.name(owner, on: connection) else {
                return await isOnLivingBus(owner)
            }
            return try await connection.owner(of: name) != nil
        } catch {
            // Without a bus nobody knows.
            return true
        }
    }

    private func isOnLivingBus(_ owner: String) async -> Bool {
        guard let id = CopyOwner.busID(of: owner), let name = FilePath.Component(id),
            name.kind == .regular
        else { return false }
        let path = Self.lockPath(ofBus: name.string)
        return await FileCalls.shared.run(on: path) { _ in
            !FileLock.remove(unlessHeld: path)
        } ?? true
    }
}
