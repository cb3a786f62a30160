// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import Photos
package import SystemPackage

/// Reports changes to the library to a reader in another process.
///
/// The writer appends to the write-ahead log, and a watch of its folder notices. Where the kernel
/// gives no watch, the log is looked at once a second. Writes that happen before the last element was
/// taken are reported as one.
package struct LibraryChanges: AsyncSequence, Sendable {
    package typealias Element = Void

    private let databases: [FilePath]

    /// Prepares to watch a database; it need not exist yet.
    package init(of database: FilePath) {
        databases = [database]
    }

    /// Prepares to watch the person's library, wherever the service writes it.
    package init() {
        databases = [LibraryLocation.database, LibraryLocation.substitute]
    }

    package func makeAsyncIterator() -> AsyncStream<Void>.Iterator {
        stream().makeAsyncIterator()
    }

    /// Begins to watch; changes from now on are reported.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    package func stream() -> AsyncStream<Void> {
        AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let relay = Task { [watch = watch(), databases] in
                if let watch {
                    for await _ in watch.events { continuation.yield() }
                } else {
                    await Self.poll(databases) { continuation.yield() }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in relay.cancel() }
        }
    }

    /// A watch of the folders; nil if there is none to be had.
    private func watch() -> FolderWatch? {
        // The service, which has to watch many more folders, logs why watching fails.
        guard let watch = try? FolderWatch(includesWrites: true, pause: Self.pause) else {
            return nil
        }
        for database in databases {
            let folder = database.removingLastComponent()
            // If it cannot be made, it cannot be watched either.
            try? Directory.make(folder)
            guard (try? watch.add(folder)) != nil else { return nil }
        }
        return watch
    }

    /// The index writes hundreds of times a second while it finds photos.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    private static let interval = Duration.seconds(1)

    /// Calls back for each change until the task is cancelled.
    private static func poll(_ databases: [FilePath], _ report: () -> Void) async {
        let files = databases.flatMap { [$0, FilePath($0.string + "-wal")] }
        // A file that is missing or cannot be examined has no version.
        func versions() -> [FileVersion?] { files.map { (try? $0.stat()).map { .init($0) } } }
        var known = versions()
        while !Task.isCancelled {
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: interval)
            let now = versions()
            if now != known { report() }
            known = now
        }
    }
}
