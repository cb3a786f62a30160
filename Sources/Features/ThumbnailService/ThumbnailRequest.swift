// SPDX-License-Identifier: MIT

import Photos
import SDBus

/// What one call of `Queue` asks for, and what of it is left to do.
///
/// - Isolation: the bus thread.
@BusActor
final class ThumbnailRequest {
    let handle: UInt32
    let sender: BusName
    /// Nil for a flavor that does not exist: all of it fails.
    let size: ThumbnailSize?
    /// Whether it is reported as a whole, at its end.
    let isGrouped: Bool
    /// Whether somebody waits for it.
    var isUrgent: Bool
    private let uris: [String]
    private var next = 0
    private(set) var inProgress = 0
    /// Whether its last signal was sent.
    var isFinished = false
    /// The results of a grouped request so far, in the order in which they were made.
    var ready: [String] = []
    var failed: [ThumbnailerError: [String]] = [:]

    /// Makes a request.
    ///
    /// - Parameter uris: One that stands there twice is worked on once.
    init(
        _ handle: UInt32, of sender: BusName, _ uris: [String], size: ThumbnailSize?,
        isGrouped: Bool
    ) {
        self.handle = handle
        self.sender = sender
        self.size = size
        self.isGrouped = isGrouped
        isUrgent = !isGrouped
        var seen: Set<String> = []
        self.uris = uris.filter { seen.insert($0).inserted }
    }

    /// How many URIs were not reported yet.
    var waitingCount: Int { uris.count - next + inProgress }

    /// Whether a URI is left that nobody works on.
    var hasWork: Bool { next < uris.count }

    /// Takes the next URI.
    func take() -> String? {
        guard hasWork else { return nil }
        defer { next += 1 }
        inProgress += 1
        return uris[next]
    }

    /// Notes that the work on a URI has ended.
    func putDown() {
        inProgress -= 1
    }

    /// Sorts some of the request's URIs in the order of the request.
    func inOrder(_ done: [String]) -> [String] {
        let done = Set(done)
        return uris.filter(done.contains)
    }

    /// Everything that nobody works on; it is not worked on any more.
    func takeRest() -> [String] {
        defer { next = uris.count }
        return Array(uris[next...])
    }
}
