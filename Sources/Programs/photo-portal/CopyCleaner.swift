// SPDX-License-Identifier: MIT

import Logging
import PhotoCopies
import PortalInterface
import Processes
import SDBus

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

    /// Cleans until the task is cancelled.
    func run() async {
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
