// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import Processes
import Thumbnails

/// Provides one thumbnail at a time, on a thread of its own: a file system that does not answer
/// stops this one and no other.
actor ThumbnailMaker {
    private nonisolated let queue = SerialQueue(label: "thumbnail")
    private let loader: ThumbnailLoader

    init(_ loader: ThumbnailLoader) {
        self.loader = loader
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Why there is no thumbnail, nil when there is one.
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
