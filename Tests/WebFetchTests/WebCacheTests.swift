// SPDX-License-Identifier: MIT

import Files
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebFetch

/// What is kept of pictures of the web, and for how long.
@Suite(.serialized) struct WebCacheTests {
    private let home: TestHome
    private let time = Clock()

    /// A time that the test sets.
    private final class Clock: Sendable {
        private let seconds = Mutex<Int64>(1_700_000_000)
        var now: Int64 { seconds.withLock { $0 } }
        func pass(_ count: Int64) { seconds.withLock { $0 += count } }
    }

    init() throws {
        home = try TestHome()
    }

    private func cache(mostBytes: Int64 = WebCache.standardBytes) -> WebCache {
        WebCache(folder: home.cache.appending("web"), mostBytes: mostBytes) { [time] in time.now }
    }

    private static func freshness(_ lifetime: UInt32, tag: String? = nil) -> Freshness {
        var freshness = Freshness()
        freshness.lifetime = lifetime
        freshness.entityTag = tag
        return freshness
    }

    private func picture(_ bytes: [UInt8] = [1, 2, 3]) throws -> Descriptor {
        try MemoryFile.make(named: "web", holding: bytes)
    }

    /// The files of all entries.
    private func files() -> [FilePath] {
        let folder = home.cache.appending("web")
        return names(in: folder).flatMap { app in
            names(in: folder.appending(app)).map { folder.appending(app).appending($0) }
        }
    }

    private static let uri = "https://example.org/a.jpg"

    @Test func `S2.22 an entry is whole, fresh for its time, and of one app alone`() throws {
        let cache = cache()
        cache.store(try picture(), Self.freshness(60, tag: "\"1\""), Self.uri, of: "org.a.A")
        let entry = try #require(cache.entry(Self.uri, of: "org.a.A"))
        #expect(try entry.file.read(upTo: 100, at: 0) == [1, 2, 3])
        #expect(entry.isFresh)
        #expect(entry.freshness.entityTag == "\"1\"")
        #expect(cache.entry(Self.uri, of: "org.a.B") == nil)
        #expect(cache.entry(Self.uri + "?", of: "org.a.A") == nil)
        time.pass(60)
        #expect(cache.entry(Self.uri, of: "org.a.A")?.isFresh == false)
        // A clock that was set back says nothing.
        time.pass(-120)
        #expect(cache.entry(Self.uri, of: "org.a.A")?.isFresh == false)
        let path = try #require(files().first)
        #expect(!path.string.contains("org.a") && !path.string.contains("example"))
        #expect(try path.stat().permissions == .ownerReadWrite)
    }

    @Test func `S2.22 what must not be kept, or can never be used again, is not`() throws {
        let cache = cache()
        var secret = Self.freshness(60)
        secret.isStorable = false
        cache.store(try picture(), secret, Self.uri, of: "")
        cache.store(try picture(), Self.freshness(0), Self.uri, of: "")
        #expect(files().isEmpty)
        // It takes the place of what was kept before.
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "")
        #expect(files().count == 1)
        cache.store(try picture(), secret, Self.uri, of: "")
        #expect(files().isEmpty)
    }

    @Test func `a damaged entry counts as none`() throws {
        let cache = cache()
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "")
        let path = try #require(files().first)
        let whole = try Descriptor.openForReading(path).read(upTo: 10_000)
        var changed = whole
        changed[changed.count - 1] ^= 1
        for bytes in [[], Array(whole.dropLast()), whole + [0], changed, Array(whole.prefix(40))] {
            try home.write(bytes, to: path)
            #expect(cache.entry(Self.uri, of: "") == nil)
        }
        for (old, new) in [
            ("web 1", "web 2"), (Self.uri, "https://example.org/b.jpg"), ("\n60\n", "\n-1\n"),
        ] {
            // The bytes of the picture are ASCII, too.
            let text = String(decoding: whole, as: UTF8.self)
            try home.write(Array(text.replacing(old, with: new).utf8), to: path)
            #expect(cache.entry(Self.uri, of: "") == nil)
        }
        try home.write(whole, to: path)
        #expect(cache.entry(Self.uri, of: "") != nil)
        try AtomicFile.remove(path)
        try Directory.make(path)
        #expect(cache.entry(Self.uri, of: "") == nil)
    }

    @Test func `S2.22 the oldest entries make room, whosever they are`() throws {
        let cache = cache(mostBytes: 3500)
        let names = ["a", "b", "c"]
        for (number, name) in names.enumerated() {
            cache.store(
                try picture([UInt8](repeating: 7, count: 1000)), Self.freshness(60),
                "https://example.org/\(name)", of: name)
            for path in files() where try path.stat().modifiedSeconds > 1_000_000_000 {
                home.setDate(of: path, 1000 + number)
            }
        }
        #expect(files().count == 3)
        cache.store(
            try picture([UInt8](repeating: 7, count: 1000)), Self.freshness(60),
            "https://example.org/d", of: "d")
        #expect(cache.entry("https://example.org/a", of: "a") == nil)
        for name in ["b", "c", "d"] {
            #expect(cache.entry("https://example.org/\(name)", of: name) != nil, "\(name)")
        }
    }

    @Test func `making room takes no file of anybody else, and follows no link`() throws {
        let outside = home.scratch.appending("outside")
        let folder = home.cache.appending("web")
        let digests = ["a", "b", "c"].map { String(repeating: $0, count: 64) }
        let own = folder.appending(digests[0])
        let foreign = [
            outside.appending(digests[0]), outside.appending("photo.jpg"),
            folder.appending("others").appending(digests[0]), folder.appending(digests[2]),
            own.appending("photo.jpg"), own.appending(digests[2]).appending("a"),
        ]
        for path in foreign { try home.write([UInt8](repeating: 1, count: 1000), to: path) }
        #expect(symlink(outside.string, folder.appending(digests[1]).string) == 0)
        #expect(symlink(foreign[0].string, own.appending(digests[1]).string) == 0)
        try home.write([UInt8](repeating: 1, count: 1000), to: own.appending(digests[0]))
        let cache = cache(mostBytes: 1)
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "")
        #expect(cache.entry(Self.uri, of: "") == nil)
        #expect(!exists(own.appending(digests[0])))
        for path in foreign { #expect(exists(path), "\(path)") }
        #expect(exists(own.appending(digests[1])))
        // What is in the way takes no room, either.
        let roomy = self.cache(mostBytes: 900)
        roomy.store(try picture(), Self.freshness(60), Self.uri, of: "")
        #expect(roomy.entry(Self.uri, of: "") != nil)
    }

    @Test func `a link in the place of the cache leads nowhere`() throws {
        let outside = home.scratch.appending("outside")
        try home.write([1], to: outside.appending("a").appending("photo.jpg"))
        try Directory.make(home.cache)
        #expect(symlink(outside.string, home.cache.appending("web").string) == 0)
        let cache = cache(mostBytes: 1)
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "")
        #expect(cache.entry(Self.uri, of: "") == nil)
        #expect(throws: Errno.self) { try cache.clear() }
        #expect(names(in: outside).map(\.string) == ["a"])
        #expect(exists(outside.appending("a").appending("photo.jpg")))
    }

    @Test(.enabled(if: geteuid() != 0, "root can remove everything"))
    func `an entry that cannot be removed keeps no other one`() throws {
        let cache = cache(mostBytes: 1500)
        for (number, app) in ["a", "b"].enumerated() {
            self.cache().store(
                try picture([UInt8](repeating: 7, count: 1000)), Self.freshness(60), Self.uri,
                of: app)
            for path in files() where try path.stat().modifiedSeconds > 1_000_000_000 {
                home.setDate(of: path, 1000 + number)
                if number == 0 { chmod(path.removingLastComponent().string, 0o500) }
            }
        }
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "c")
        #expect(cache.entry(Self.uri, of: "a") != nil)
        #expect(cache.entry(Self.uri, of: "b") == nil)
        #expect(try cache.clear().map(\.error) == [.permissionDenied])
        for path in files() { chmod(path.removingLastComponent().string, 0o700) }
    }

    @Test func `emptying the cache goes on after what is none of it, and says so`() throws {
        let cache = cache()
        let folder = home.cache.appending("web")
        let outside = home.scratch.appending("outside")
        try home.write([1], to: outside.appending(String(repeating: "a", count: 64)))
        for app in ["a", "b", "c"] {
            cache.store(try picture(), Self.freshness(60), Self.uri, of: app)
        }
        let own = try #require(files().first).removingLastComponent()
        try home.write([1], to: own.appending(".photo-portal-AbCdEf"))
        let link = folder.appending(String(repeating: "b", count: 64))
        #expect(symlink(outside.string, link.string) == 0)
        let foreign = [
            folder.appending("file"), own.appending("photo.jpg"),
            folder.appending("folder").appending("file"),
        ]
        for path in foreign { try home.write([1], to: path) }
        let left = try cache.clear()
        #expect(left.allSatisfy { $0.error == nil })
        #expect(
            Set(left.map(\.path)) == [
                foreign[0], foreign[1], folder.appending("folder"), link,
            ])
        for path in foreign { #expect(exists(path), "\(path)") }
        #expect(names(in: outside).count == 1)
        #expect(names(in: own).map(\.string) == ["photo.jpg"])
        for app in ["a", "b", "c"] { #expect(cache.entry(Self.uri, of: app) == nil) }
        #expect(names(in: folder).count == 4)
    }

    @Test func `what is larger than a picture may be is not kept`() throws {
        let cache = cache()
        let file = try MemoryFile.make(
            named: "web", byteCount: Int(FetchLimits.mostBytes) + 1
        ) { _ in }
        cache.store(file, Self.freshness(60), Self.uri, of: "")
        #expect(files().isEmpty)
    }

    /// Whether a name is taken, be it by a broken link.
    private func exists(_ path: FilePath) -> Bool {
        (try? path.stat(followTargetSymlink: false)) != nil
    }

    @Test func `a disk that cannot be written to is no error`() throws {
        try home.write([], to: home.cache.appending("web"))
        let cache = cache()
        cache.store(try picture(), Self.freshness(60), Self.uri, of: "")
        #expect(cache.entry(Self.uri, of: "") == nil)
    }

    @Test func `S2.22 portal-pick empties the cache`() async throws {
        let folder = home.cache.appending("photo-portal").appending("web")
        let cache = WebCache(folder: folder)
        func clear(_ words: String...) async throws -> Int32 {
            let child = try ChildProcess(
                Programs.path("portal-pick"), ["cache"] + words, environment: home.environment,
                scratch: home.scratch)
            return try await child.exitStatus()
        }
        #expect(try await clear("--clear") == 0)
        for app in ["", "org.a.A"] {
            cache.store(try picture(), Self.freshness(60), Self.uri, of: app)
        }
        #expect(try await clear() == 64)
        #expect(cache.entry(Self.uri, of: "") != nil)
        #expect(try await clear("--clear") == 0)
        #expect(names(in: folder).isEmpty)
        #expect(cache.entry(Self.uri, of: "") == nil)
        try home.write([1], to: folder.appending("other"))
        #expect(try await clear("--clear") == 2)
        #expect(names(in: folder).map(\.string) == ["other"])
    }

    // MARK: - With a server

    @Test(
        arguments: [
            ("hop/302?no-store", 6), ("hop/302", 6), ("hop/303", 6), ("hop/307?no-cache", 6),
            ("hop/302?max-age=600", 2), ("hop/301", 2), ("hop/308", 2), ("hop/301?no-store", 6),
            ("hop/308?no-cache", 6), ("fields", 3), ("vary", 3),
        ])
    func `S2.22 a picture is kept only if every answer on the way to it may be`(
        path: String, requests: Int
    ) async throws {
        let server = try await WebServer.start(in: home)
        let program = try server.fetcher(in: home.scratch.appending("programs"))
        let fetcher = CachedFetcher(WebFetcher(program: program), cache())
        for _ in 0..<3 { _ = try await fetcher.fetch(server.uri(path), for: "org.a.A") }
        #expect(server.requests.count == requests)
        #expect(!server.requests.contains { $0.contains("If-None-Match") })
    }

    @Test(
        arguments: [
            ("max-age=600", 1), ("no-cache", 3), ("no-store", 3), ("", 3), ("max-age=0", 3),
        ])
    func `S2.22 the server is asked as often as it wants, and gives the picture once`(
        control: String, requests: Int
    ) async throws {
        let server = try await WebServer.start(in: home)
        let program = try server.fetcher(in: home.scratch.appending("programs"))
        let fetcher = CachedFetcher(WebFetcher(program: program), cache())
        let uri = server.uri("known/picture.jpg?\(control)")
        for _ in 0..<3 {
            let file = try await fetcher.fetch(uri, for: "org.a.A")
            #expect(try file.read(upTo: 1 << 22, at: 0) == Fixtures.bytes("jpeg/baseline.jpg"))
        }
        #expect(server.requests.count == requests)
        let asked = server.requests.filter { $0.contains("If-None-Match=\"1\"") }
        #expect(asked.count == (control == "no-store" || requests == 1 ? 0 : 2))
        // Another app starts from nothing.
        _ = try await fetcher.fetch(uri, for: "org.a.B")
        #expect(server.requests.count == requests + 1)
        #expect(server.requests.last?.contains("If-None-Match") == false)
    }

    @Test func `S2.22 whoever wants another attempt gets nothing that was kept`() async throws {
        let server = try await WebServer.start(in: home)
        let program = try server.fetcher(in: home.scratch.appending("programs"))
        let fetcher = CachedFetcher(WebFetcher(program: program), cache())
        let uri = server.uri("known/picture.jpg?max-age=600")
        _ = try await fetcher.fetch(uri, for: "")
        let other = try Fixtures.bytes("orientation/6.jpg")
        try home.write(other, to: server.folder.appending("picture.jpg"))
        let renewed = try await fetcher.fetch(uri, for: "", isRenewed: true)
        #expect(try renewed.read(upTo: 1 << 22, at: 0) == other)
        #expect(server.requests.last?.contains("If-None-Match") == false)
        // It has taken the place of the other one.
        let kept = try await fetcher.fetch(uri, for: "")
        #expect(try kept.read(upTo: 1 << 22, at: 0) == other)
        #expect(server.requests.count == 2)
    }

    @Test func `S2.22 a damaged entry is fetched again`() async throws {
        let server = try await WebServer.start(in: home)
        let program = try server.fetcher(in: home.scratch.appending("programs"))
        let fetcher = CachedFetcher(WebFetcher(program: program), cache())
        let uri = server.uri("known/picture.jpg?max-age=600")
        _ = try await fetcher.fetch(uri, for: "")
        try home.write(Array("damaged".utf8), to: try #require(files().first))
        let file = try await fetcher.fetch(uri, for: "")
        #expect(try file.read(upTo: 1 << 22, at: 0) == Fixtures.bytes("jpeg/baseline.jpg"))
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.contains("If-None-Match") == false)
    }
}
