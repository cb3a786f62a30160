// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import Processes
import Synchronization
import SystemPackage

extension DerivedFiles {
    /// Removes files that have not been delivered for 30 days, and those that were never finished.
    ///
    /// - Parameter documents: Files that it still has documents for are kept: an app may have
    ///   lasting access to them.
    package func sweep(askingAlso documents: DocumentPortal) async {
        let old = await FileCalls.shared.run(on: folder.appending("any")) { _ in
            removeForgotten()
            return oldFiles()
        }
        for path in old ?? [] {
            // What was never finished was never delivered.
            if path.lastComponent.map(Self.isUnfinished) != true {
                guard await !documents.holds(path) else { continue }
            }
            guard !Task.isCancelled else { return }
            _ = await FileCalls.shared.run(on: path) { _ in removeIfOld(path) }
        }
    }

    private func oldFiles() -> [FilePath] {
        entries().filter { entry in
            entry.information.type == .regular && Self.isOld(entry.name, entry.information)
        }.map { folder.appending($0.name) }
    }

    private func removeIfOld(_ path: FilePath) {
        do {
            try renewing.lock.withLock { _ throws(Errno) in
                // It may have been delivered again in the meantime.
                guard let name = path.lastComponent, Self.isOld(name, try path.stat())
                else { return }
                try AtomicFile.remove(path)
            }
        } catch {
            logger.warning("An old file cannot be removed.", metadata: ["error": "\(error)"])
        }
    }

    private static func isOld(_ name: FilePath.Component, _ information: Stat) -> Bool {
        age(information) > (isUnfinished(name) ? AtomicFile.patience : lifetime)
    }

    /// Whether a file is still being written; those are hidden.
    private static func isUnfinished(_ name: FilePath.Component) -> Bool {
        name.string.hasPrefix(".")
    }

    /// The seconds since a file was made or renewed.
    static func age(_ information: Stat) -> Int64 {
        // Any date can be in a file system.
        FileClock.nowInSeconds &- information.modifiedSeconds
    }

    private func entries() -> [Directory.Entry] {
        do {
            return try Directory.entries(of: folder)
        } catch {
            // The folder is created with the first file.
            if error != .noSuchFileOrDirectory {
                logger.warning(
                    "The folder of derived files cannot be read.", metadata: ["error": "\(error)"])
            }
            return []
        }
    }
}
