// SPDX-License-Identifier: MIT

internal import Files
package import SystemPackage

/// Tells a reader in another process that the library may have changed.
///
/// The writer appends to the write-ahead log, which a watch of its folder sees. Many writes become
/// one element when nobody has taken the one before.
package struct LibraryChanges: AsyncSequence, Sendable {
    package typealias Element = Void

    private let database: FilePath

    /// Prepares to watch a database; it need not exist yet.
    package init(of database: FilePath) {
        self.database = database
    }

    package func makeAsyncIterator() -> AsyncStream<Void>.Iterator {
        let folder = database.removingLastComponent()
        return AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Without a watch there is no news, and what is shown stays as it was.
            try? Directory.make(folder)
            guard let watch = try? FolderWatch(includesWrites: true),
                (try? watch.add(folder)) != nil
            else { return continuation.finish() }
            let relay = Task {
                for await _ in watch.events { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in relay.cancel() }
        }.makeAsyncIterator()
    }
}
