// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Processes

/// Reads folders ahead of those that are being compared with the database.
///
/// - Isolation: its own serial queue, which blocks as long as the file system goes on.
actor WalkReader {
    private nonisolated let queue = SerialQueue(label: "walk", qos: .utility)
    private(set) var walk: FolderWalk

    init(_ walk: FolderWalk) {
        self.walk = walk
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// The next folders, which have so many files together unless the walk ends before; none at its end,
    /// and if the task is cancelled.
    func next(_ fileCount: Int) -> [FolderListing] {
        var listings: [FolderListing] = []
        var count = 0
        while count < fileCount, !Task.isCancelled, let listing = walk.next() {
            listings.append(listing)
            count += listing.files.count
        }
        return listings
    }
}
