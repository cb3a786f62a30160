// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import Processes
import Thumbnails

/// Provides one thumbnail at a time, on its own serial queue.
///
/// A file on a disk that does not answer keeps it for a few seconds.
actor ThumbnailMaker {
    private nonisolated let queue = SerialQueue(label: "thumbnail")
    private let loader: ThumbnailLoader

    init(_ loader: ThumbnailLoader) {
        self.loader = loader
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Makes sure that a thumbnail exists.
    ///
    /// - Returns: Why there is none; nil on success.
    func provide(
        _ uri: String, _ size: ThumbnailSize, isUrgent: Bool, client: String
    ) async -> ThumbnailFailure? {
        do throws(ThumbnailFailure) {
            try await loader.provide(
                uri, size, priority: isUrgent ? .visible : .background, client: client)
            return nil
        } catch {
            return error
        }
    }
}
