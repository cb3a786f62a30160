// SPDX-License-Identifier: MIT

import Desktop
package import Files
import Glibc
package import SystemPackage

/// Pictures of the web on the disk, for each app those that it has shown.
///
/// An entry is one file, so that it is replaced as a whole. It says what its bytes have to be: one that is
/// damaged in any way counts as none.
package struct WebCache: Sendable {
    /// A picture that was fetched earlier.
    package struct Entry: Sendable {
        /// A sealed memory file.
        package let file: Descriptor
        package let freshness: Freshness
        /// Whether it may be used without asking the server.
        package let isFresh: Bool
    }

    package let folder: FilePath
    private let mostBytes: Int64
    private let now: @Sendable () -> Int64

    /// The most bytes of all entries of all apps.
    package static let standardBytes: Int64 = 256 << 20

    /// - Parameters:
    ///   - mostBytes: The most bytes of all entries of all apps.
    ///   - now: The time, in seconds since 1970.
    package init(
        folder: FilePath = WebCache.standardFolder, mostBytes: Int64 = WebCache.standardBytes,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        self.folder = folder
        self.mostBytes = mostBytes
        self.now = now
    }

    package static var standardFolder: FilePath {
        UserFolders.cache.appending("photo-portal").appending("web")
    }

    /// The picture of a URI; nil if an app has none that is whole.
    ///
    /// - Isolation: any thread; blocks on the disk.
    package func entry(_ uri: String, of app: String) -> Entry? {
        let path = path(of: uri, app)
        // Whatever is wrong with it, the server has another one.
        guard let file = try? Descriptor.openForReading(path),
            let information = try? file.information(), information.type == .regular,
            information.size <= FetchLimits.mostBytes + Int64(CacheRecord.mostBytes),
            let bytes = try? file.read(upTo: Int(clamping: information.size)),
            let (record, body) = CacheRecord.split(bytes), record.uri == uri,
            record.digest == Digest.sha256(body),
            let memory = try? MemoryFile.make(named: "web", holding: Array(body))
        else { return nil }
        let age = now() - record.stored
        return Entry(
            file: memory, freshness: record.freshness,
            isFresh: age >= 0 && age < Int64(record.freshness.lifetime))
    }

    /// Keeps a picture, or forgets it if its server says so.
    ///
    /// It is no error if the disk is full or cannot be written to.
    ///
    /// - Isolation: any thread; blocks on the disk.
    package func store(
        _ file: Descriptor, _ freshness: Freshness, _ uri: String, of app: String
    ) {
        let path = path(of: uri, app)
        let isUseful =
            freshness.lifetime > 0 || freshness.entityTag != nil || freshness.lastModified != nil
        guard freshness.isStorable, isUseful, let memory = try? MappedMemory(sealed: file) else {
            try? AtomicFile.remove(path)
            return
        }
        let body = Array(memory.bytes)
        let record = CacheRecord(
            uri: uri, freshness: freshness, stored: now(), digest: Digest.sha256(body[...]))
        let parent = path.removingLastComponent()
        do throws(Errno) {
            try Directory.make(parent)
            try AtomicFile.removeLeftovers(in: parent)
            try withErrno {
                try (record.bytes + body).withUnsafeBytes { try AtomicFile.write($0, to: path) }
            }
            try evict()
        } catch {
            // The next one that is fetched tries again.
        }
    }

    /// Removes the oldest entries until the others fit.
    private func evict() throws(Errno) {
        var files: [(path: FilePath, date: Int64, size: Int64)] = []
        for app in try Directory.entries(of: folder) where app.information.type == .directory {
            let parent = folder.appending(app.name)
            for entry in try Directory.entries(of: parent) {
                files.append(
                    (
                        parent.appending(entry.name), entry.information.modifiedNanoseconds,
                        entry.information.size
                    ))
            }
        }
        var total = files.reduce(Int64(0)) { $0 &+ $1.size }
        for file in files.sorted(by: { $0.date < $1.date }) where total > mostBytes {
            try AtomicFile.remove(file.path)
            total -= file.size
        }
    }

    /// Removes all entries of all apps.
    ///
    /// - Throws: `Errno`; a folder that does not exist is no error.
    /// - Isolation: any thread; blocks on the disk.
    package func clear() throws(Errno) {
        do throws(Errno) {
            for app in try Directory.names(in: Descriptor.openFolder(folder, followsLink: false)) {
                try Directory.removeWithFiles(folder.appending(app))
            }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
        }
    }

    /// The file of an entry; names say neither the app nor the URI to whoever lists the folder.
    private func path(of uri: String, _ app: String) -> FilePath {
        folder.appending(Digest.sha256Hex(app)).appending(Digest.sha256Hex(uri))
    }
}
