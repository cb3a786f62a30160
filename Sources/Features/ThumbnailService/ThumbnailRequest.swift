// SPDX-License-Identifier: MIT

import Photos
import SDBus

/// The URIs of one call of `Queue`, and which of them are still to be done.
///
/// - Isolation: the bus thread.
@BusActor
final class ThumbnailRequest {
    let handle: UInt32
    let sender: BusName
    /// Nil for a flavor that does not exist; then every URI fails.
    let size: ThumbnailSize?
    /// Whether the results are reported together, at the end.
    let isGrouped: Bool
    /// Whether the results are needed soon, for example for a visible folder.
    var isUrgent: Bool
    /// The length of all URIs together.
    let byteCount: Int
    private let uris: [String]
    private var next = 0
    private(set) var inProgress = 0
    /// Whether the signal `Finished` was sent.
    var isFinished = false
    /// The results of a grouped request so far, in the order in which they were made.
    var ready: [String] = []
    var failed: [ThumbnailerError: [String]] = [:]

    /// Makes a request.
    ///
    /// - Parameter uris: Duplicates are processed once.
    init(
        _ handle: UInt32, of sender: BusName, _ uris: [String], byteCount: Int,
        size: ThumbnailSize?,
        isGrouped: Bool
    ) {
        self.handle = handle
        self.sender = sender
        self.byteCount = byteCount
        self.size = size
        self.isGrouped = isGrouped
        isUrgent = !isGrouped
        var seen: Set<String> = []
        self.uris = uris.filter { seen.insert($0).inserted }
    }

    /// The number of URIs of the call, those that have been done included.
    var uriCount: Int { uris.count }

    /// The number of URIs that were not reported yet.
    var waitingCount: Int { uris.count - next + inProgress }

    /// Whether there are URIs that no maker has taken yet.
    var hasWork: Bool { next < uris.count }

    /// Takes the next URI.
    func take() -> String? {
        guard hasWork else { return nil }
        defer { next += 1 }
        inProgress += 1
        return uris[next]
    }

    /// Counts one URI as no longer in progress.
    func putDown() {
        inProgress -= 1
    }

    /// Sorts some of the request's URIs in the order of the request.
    func inOrder(_ done: [String]) -> [String] {
        let done = Set(done)
        return uris.filter(done.contains)
    }

    /// Takes all URIs that no maker has taken yet.
    func takeRest() -> [String] {
        defer { next = uris.count }
        return Array(uris[next...])
    }
}
