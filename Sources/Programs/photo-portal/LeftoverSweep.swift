// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import Processes
import SystemPackage
import Thumbnails

/// Removes the unfinished files that our programs leave behind when they are killed.
struct LeftoverSweep {
    let cache: ThumbnailCache
    let logger: Logger

    /// Looks through the folders in which our programs write, once.
    func run() async {
        let own = [UserFolders.data, UserFolders.state].map { $0.appending("photo-portal") }
        for folder in cache.folders + own {
            // A disk that does not answer keeps no thread that others need.
            _ = await FileCalls.shared.run(on: folder.appending("any")) { [logger] _ in
                do throws(Errno) {
                    try AtomicFile.removeLeftovers(in: folder)
                } catch {
                    logger.warning(
                        "Unfinished files cannot be removed.", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
