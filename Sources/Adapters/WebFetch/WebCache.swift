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
        // Whatever is wrong with it, the server has another one.
        guard let name = try? Self.name(of: uri), let root = try? openRoot(),
            let parent = try? root.openFolder(Self.name(of: app)),
            let file = try? parent.openForReading(in: name.string),
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
        let isUseful =
            freshness.lifetime > 0 || freshness.entityTag != nil || freshness.lastModified != nil
        // Its size was checked when it came, but by somebody else.
        guard freshness.isStorable, isUseful, let memory = try? MappedMemory(sealed: file),
            memory.bytes.count <= FetchLimits.mostBytes
        else { return forget(uri, of: app) }
        let body = Array(memory.bytes)
        let record = CacheRecord(
            uri: uri, freshness: freshness, stored: now(), digest: Digest.sha256(body[...]))
        do throws(Errno) {
            try Directory.make(folder)
            let root = try openRoot()
            try write(record.bytes + body, Self.name(of: uri), of: Self.name(of: app), in: root)
            try evict(in: root)
        } catch {
            // The next one that is fetched tries again.
        }
    }

    private func write(
        _ bytes: [UInt8], _ name: FilePath.Component, of app: FilePath.Component,
        in root: Descriptor
    ) throws(Errno) {
        // By the open folders, so that no link that takes the place of one leads elsewhere.
        try Directory.make(root.ownPath.appending(app))
        let parent = try root.openFolder(app)
        defer { withExtendedLifetime(parent) {} }
        let path = parent.ownPath.appending(name)
        try withErrno { try bytes.withUnsafeBytes { try AtomicFile.write($0, to: path) } }
    }

    private func forget(_ uri: String, of app: String) {
        // There may be neither a cache nor an entry.
        try? openRoot().openFolder(Self.name(of: app)).removeFile(Self.name(of: uri))
    }

    /// Removes the oldest entries until the others fit; one that cannot be removed keeps no other one.
    private func evict(in root: Descriptor) throws(Errno) {
        var files: [(app: FilePath.Component, name: FilePath.Component, facts: Stat)] = []
        for app in try Directory.names(in: root) where Self.isDigest(app) {
            // What is no folder, or cannot be read, holds no entries.
            guard let parent = try? root.openFolder(app),
                let names = try? Directory.names(in: parent)
            else { continue }
            if names.contains(where: AtomicFile.isTemporary) {
                // One that stays only takes room.
                try? AtomicFile.removeLeftovers(in: parent.ownPath)
            }
            for name in names where Self.isDigest(name) {
                guard let facts = try? parent.information(on: name), facts.type == .regular else {
                    continue
                }
                files.append((app, name, facts))
            }
        }
        var total = files.reduce(Int64(0)) { $0 &+ $1.facts.size }
        let oldest = files.sorted {
            $0.facts.modifiedNanoseconds < $1.facts.modifiedNanoseconds
        }
        for file in oldest where total > mostBytes {
            do throws(Errno) {
                try root.openFolder(file.app).removeFile(file.name)
                total -= file.facts.size
            } catch {
                // The next one makes room instead.
            }
        }
    }

    /// What ``clear()`` has left.
    package struct Remainder: Hashable, Sendable {
        package let path: FilePath
        /// Why it could not be removed; nil for what is no part of the cache.
        package let error: Errno?
    }

    /// Removes all entries of all apps, and nothing else that somebody has put beside them.
    ///
    /// - Returns: What is left: files of others, and those that could not be removed.
    /// - Throws: `Errno` if the cache itself cannot be read, `.notDirectory` also for a link in its place; a
    ///   folder that does not exist is no error.
    /// - Isolation: any thread; blocks on the disk.
    package func clear() throws(Errno) -> [Remainder] {
        do throws(Errno) {
            let root = try openRoot()
            return try Directory.names(in: root).flatMap { clear($0, in: root) }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return []
        }
    }

    /// Removes the entries of one app, and their folder.
    private func clear(_ app: FilePath.Component, in root: Descriptor) -> [Remainder] {
        let path = folder.appending(app)
        guard Self.isDigest(app) else { return [Remainder(path: path, error: nil)] }
        var left: [Remainder] = []
        do throws(Errno) {
            let parent = try root.openFolder(app)
            for name in try Directory.names(in: parent) {
                do throws(Errno) {
                    guard Self.isDigest(name) || AtomicFile.isTemporary(name),
                        try parent.information(on: name).type == .regular
                    else {
                        left.append(Remainder(path: path.appending(name), error: nil))
                        continue
                    }
                    try parent.removeFile(name)
                } catch {
                    // Somebody else may have removed it.
                    guard error != .noSuchFileOrDirectory else { continue }
                    left.append(Remainder(path: path.appending(name), error: error))
                }
            }
            if left.isEmpty { try root.removeFolder(app) }
        } catch {
            left.append(Remainder(path: path, error: error == .notDirectory ? nil : error))
        }
        return left
    }

    /// Opens the folder of all apps; a link in its place is not followed.
    private func openRoot() throws(Errno) -> Descriptor {
        try Descriptor.openFolder(folder, followsLink: false)
    }

    /// The name of an app's folder or of an entry, which says neither the app nor the URI to whoever lists
    /// it.
    ///
    /// - Throws: `.noMemory` if there is no digest.
    private static func name(of text: String) throws(Errno) -> FilePath.Component {
        guard let name = FilePath.Component(Digest.sha256Hex(text)) else { throw .noMemory }
        return name
    }

    /// Whether a name can be one that ``name(of:)`` makes.
    private static func isDigest(_ name: FilePath.Component) -> Bool {
        let name = name.string.utf8
        return name.count == 64
            && name.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
