// SPDX-License-Identifier: MIT

internal import Files
package import SystemPackage

/// Reports changes to the library to a reader in another process.
///
/// The writer appends to the write-ahead log, and a watch of its folder notices. Writes that happen
/// before the last element was taken are reported as one.
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
            // Without a watch there are no changes to report, and the window keeps what it shows.
            // The service, which has to watch many more folders, logs why watching fails.
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
