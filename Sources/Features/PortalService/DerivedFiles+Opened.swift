// SPDX-License-Identifier: MIT

import Files
import Logging
import Processes
import SystemPackage

extension DerivedFiles {
    /// Derived files for one app that opens them once, in a folder of their own.
    ///
    /// Files that were picked are kept, because the app may read them later. An app that opens all photos
    /// of the library would fill the disk with copies.
    func forOneReader() -> DerivedFiles {
        let name = String(UInt64.random(in: 0 ... .max), radix: 16)
        return DerivedFiles(folder: opened.appending(name), logger: logger)
    }

    /// Removes the files and their folder; whoever has opened one can still read it.
    func removeAll() async {
        // Even if the task was cancelled.
        await Task {
            _ = await FileCalls.shared.run(on: folder) { _ in
                do throws(Errno) {
                    try Directory.removeWithFiles(folder)
                } catch {
                    // There is a folder only if a file had to be made.
                    guard error != .noSuchFileOrDirectory else { return }
                    logger.warning("A file cannot be removed.", metadata: ["error": "\(error)"])
                }
            }
        }.value
    }

    /// Removes what killed services have left behind after ``forOneReader()``.
    ///
    /// - Isolation: blocks as long as the file system does.
    func removeForgotten() {
        let entries = (try? Directory.entries(of: opened)) ?? []
        for entry in entries
        where entry.information.type == .directory && !entry.isLink
            && Self.age(entry.information) > AtomicFile.patience
        {
            // It is tried again at the next start.
            try? Directory.removeWithFiles(opened.appending(entry.name))
        }
    }

    /// Whether a path is that of a file for one reader, which nobody opens again.
    static func isForOneReader(_ path: FilePath) -> Bool {
        path.starts(with: standardFolder.removingLastComponent().appending(openedName))
    }

    /// The folder of those folders, beside that of the files that are kept.
    private var opened: FilePath { folder.removingLastComponent().appending(Self.openedName) }

    private static let openedName: FilePath.Component = "opened"
}
