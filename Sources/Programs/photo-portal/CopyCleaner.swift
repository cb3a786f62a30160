// SPDX-License-Identifier: MIT

import Logging
import PhotoCopies
import PortalInterface
import Processes
import SDBus
import SystemPackage

/// Removes the copies that the dialog made for apps that have ended, and those that are a day old; also
/// pictures that were pasted a day ago.
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

    /// Cleans until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await clean()
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    private func clean() async {
        for owner in await owners(in: PhotoCopies.standardFolder) {
            let age = await isAlive(owner) ? PhotoCopies.lifetime : 0
            await remove(of: owner, olderThan: age, in: PhotoCopies.standardFolder)
        }
        for owner in await owners(in: PhotoCopies.pastedFolder) {
            await remove(of: owner, olderThan: PhotoCopies.lifetime, in: PhotoCopies.pastedFolder)
        }
    }

    private func owners(in folder: FilePath) async -> [String] {
        // A disk that does not answer keeps no thread that others need.
        await FileCalls.shared.run(on: folder) { _ in PhotoCopies.owners(in: folder) } ?? []
    }

    private func remove(of owner: String, olderThan age: Int64, in folder: FilePath) async {
        _ = await FileCalls.shared.run(on: folder) { [logger] _ in
            do {
                try PhotoCopies.remove(of: owner, olderThan: age, in: folder)
            } catch {
                logger.warning(
                    "Copies of photos cannot be removed.", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Whether the app for which copies were made is still on this bus, or may be on another one.
    ///
    /// Another bus may live although it has no service at the moment.
    private func isAlive(_ owner: String) async -> Bool {
        do throws(DBusError) {
            guard let name = try await CopyOwner.name(owner, on: connection) else { return true }
            return try await connection.owner(of: name) != nil
        } catch {
            // Without a bus nobody knows.
            return true
        }
    }
}
