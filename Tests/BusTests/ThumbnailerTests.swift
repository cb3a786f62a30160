// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Thumbnails for other programs, requested in the way of file managers.
@Suite(.serialized) struct ThumbnailerTests {
    private typealias Event = FileManagerApp.Event

    @Test(arguments: ThumbnailSize.allCases)
    func `GIO finds what we made, in every size`(size: ThumbnailSize) async throws {
        let session = try await ThumbnailSession()
        let uri = try session.photo("ä b%.jpg")
        let events = try await session.manager.make([uri], size.folderName)
        let handle = try #require(events.first?.handle)
        #expect(events == [.started(handle), .ready(handle, [uri]), .finished(handle)])
        let path = session.cache.path(of: uri, size)
        #expect(try path.stat().permissions == .ownerReadWrite)
        let told = try await session.validity(of: uri)
        #expect(told.contains("thumbnail::is-valid: TRUE"))
        #expect(told.contains("thumbnail::path: \(path)"))
    }

    @Test func `each URI is reported once, with tumbler's codes, and Finished comes last`()
        async throws
    {
        let session = try await ThumbnailSession()
        let good = try (0..<20).map { try session.photo("good \($0).jpg") }
        let fifo = session.home.pictures.appending("fifo.jpg")
        #expect(fifo.withPlatformString { mkfifo($0, 0o600) } == 0)
        _ = try await session.manager.make([good[0]], "large")
        let thumbnail = try #require(FileURI.make(session.cache.path(of: good[0], .large)))
        let expected: [(String, Int32)] = [
            ("garbage", 0), ("", 0), ("http://example.org/a.jpg", 0),
            ("file://elsewhere/a.jpg", 0), ("file:relative", 0), ("file:///a%00b", 0),
            ("file:///\u{e4}.jpg", 0), ("file:///" + String(repeating: "a", count: 100_000), 0),
            (try #require(FileURI.make(fifo)), 0), ("file:///dev/zero", 0),
            (try #require(FileURI.make(session.home.pictures)), 0),
            (try session.photo("words.jpg", "broken/text.jpg"), 0),
            (try session.photo("broken.jpg", "broken/header-only.jpg"), 2),
            (thumbnail, 3), ("file:///nowhere.jpg", 6),
        ]
        let uris = expected.map(\.0)
        let events = try await session.manager.make(good + uris + good)
        let handle = try #require(events.first?.handle)
        #expect(events.first == .started(handle))
        #expect(events.last == .finished(handle))
        var named: [String: Event] = [:]
        for event in events {
            switch event {
            case .ready(_, let uris), .failed(_, let uris, _):
                for uri in uris { #expect(named.updateValue(event, forKey: uri) == nil, "\(uri)") }
            case .started, .finished: break
            }
        }
        for uri in good { #expect(named[uri] == .ready(handle, [uri])) }
        for (uri, code) in expected { #expect(named[uri] == .failed(handle, [uri], code)) }
        #expect(named.count == good.count + uris.count)
        #expect(names(in: session.cache.folder.appending("normal")).count == good.count)
    }

    @Test(arguments: ["", "nonsense", "Normal", "x-large/../normal", "fail"])
    func `an unknown flavor is an error for each URI`(flavor: String) async throws {
        let session = try await ThumbnailSession()
        let uris = [try session.photo("a.jpg"), "file:///nowhere.jpg", try session.photo("b.jpg")]
        let events = try await session.manager.make(uris + uris, flavor)
        let handle = try #require(events.first?.handle)
        #expect(
            events == [.started(handle)] + uris.map { .failed(handle, [$0], 5) }
                + [.finished(handle)])
        let grouped = try await session.manager.make(uris, flavor, scheduler: "background")
        let other = try #require(grouped.first?.handle)
        #expect(grouped == [.started(other), .failed(other, uris, 5), .finished(other)])
        #expect(names(in: session.cache.folder).isEmpty)
    }

    @Test func `a background request is reported as a whole, in its own order`() async throws {
        let session = try await ThumbnailSession()
        let uris = try (0..<5).map { try session.photo("\($0).jpg") }
        let events = try await session.manager.make(
            uris + ["garbage", "nonsense"], scheduler: "background")
        let handle = try #require(events.first?.handle)
        #expect(
            events == [
                .started(handle), .ready(handle, uris),
                .failed(handle, ["garbage", "nonsense"], 0), .finished(handle),
            ])
    }

    @Test func `a client sees only its own signals`() async throws {
        let session = try await ThumbnailSession()
        let other = try await FileManagerApp(session.session)
        let uri = try session.photo("a.jpg")
        _ = try await session.manager.make([uri])
        _ = try await other.make([uri])
        #expect(Set(other.events.all.map(\.handle)).count == 1)
        #expect(Set(session.manager.events.all.map(\.handle)).count == 1)
    }

    @Test func `Dequeue ends a request at once, but only for its sender`() async throws {
        let session = try await ThumbnailSession()
        let uris = try (0..<300).map { try session.photo("\($0).jpg") }
        let other = try await FileManagerApp(session.session)
        let handle = try await session.manager.queue(uris, "xx-large")
        try await other.dequeue(handle)
        #expect(!session.manager.events.all.contains(.finished(handle)))
        // In a second call, as programs do when the person scrolls.
        let next = try await session.manager.queue([uris[299]], dequeuing: handle)
        #expect(try await session.manager.events(of: next).count == 3)
        let events = try await session.manager.events(of: handle)
        #expect(events.count < uris.count)
        #expect(events.last == .finished(handle))
        try await session.manager.dequeue(12345)
    }

    @Test func `a small request does not wait for a large one of another`() async throws {
        let session = try await ThumbnailSession()
        let uris = try (0..<200).map { try session.photo("\($0).jpg") }
        let other = try await FileManagerApp(session.session)
        let large = try await session.manager.queue(uris, "x-large")
        let small = try await other.make([uris[0], uris[1]])
        #expect(small.count == 4)
        #expect(!session.manager.events.all.contains(.finished(large)))
        _ = try await session.manager.events(of: large, within: .seconds(60))
    }

    @Test func `visible pictures do not wait for background videos`() async throws {
        let session = try await ThumbnailSession { home in
            try home.write(
                Array(
                    """
                    [Thumbnailer Entry]
                    TryExec=bash
                    Exec=bash -c 'sleep 60; touch %o'
                    MimeType=video/mp4;
                    """.utf8),
                to: home.data.appending("thumbnailers").appending("slow.thumbnailer"))
        }
        let videos = try (0..<40).map { try session.photo("\($0).mp4", "video/moving.mp4") }
        let large = try await session.manager.queue(videos, scheduler: "background")
        // A video that is in progress is given up after 20 seconds.
        let photo = try session.photo("a.jpg")
        let handle = try await session.manager.queue([photo])
        let events = try await session.manager.events(of: handle, within: .seconds(18))
        #expect(events.contains(.ready(handle, [photo])))
        // The same video that waits in the background.
        let again = try await session.manager.queue(
            [photo, photo], "large", scheduler: "background")
        let seen = try await session.manager.queue([photo], "large")
        #expect(
            try await session.manager.events(of: seen, within: .seconds(18))
                .contains(.ready(seen, [photo])))
        try await session.manager.dequeue(large)
        _ = try await session.manager.events(of: again)
    }

    @Test func `two programs that request the same thumbnail both get it`() async throws {
        let session = try await ThumbnailSession()
        let other = try await FileManagerApp(session.session)
        let uris = try (0..<30).map { try session.photo("\($0).jpg") }
        let background = try await session.manager.queue(uris, "large", scheduler: "background")
        let urgent = try await other.queue(uris, "large")
        let seen = try await other.events(of: urgent, within: .seconds(60))
        #expect(seen.count == uris.count + 2)
        let grouped = try await session.manager.events(of: background, within: .seconds(60))
        guard grouped.count == 3, case .ready(_, let ready) = grouped[1] else {
            Issue.record("\(grouped)")
            return
        }
        #expect(Set(ready) == Set(uris))
        #expect(names(in: session.cache.folder.appending("large")).count == uris.count)
    }

    @Test func `50,000 URIs are accepted, and 600,000 rejected`() async throws {
        let session = try await ThumbnailSession()
        let many = (0..<50_000).map { "file:///nowhere/\($0).jpg" }
        let handle = try await session.manager.queue(many, scheduler: "background")
        let events = try await session.manager.events(of: handle, within: .seconds(120))
        guard events.count == 3, case .failed(_, let failed, 6) = events[1] else {
            Issue.record("\(events.count)")
            return
        }
        #expect(failed.count == many.count)
        let error = await #expect(throws: DBusError.self) {
            try await session.manager.queue((0..<600_000).map { "file:///\($0)" })
        }
        #expect(error?.name == .limitsExceeded)
        _ = try await session.manager.make([try session.photo("a.jpg")])
    }

    @Test func `a request continues after its sender has left`() async throws {
        let session = try await ThumbnailSession()
        let uris = try (0..<30).map { try session.photo("\($0).jpg") }
        let passerby = try await FileManagerApp(session.session)
        _ = try await passerby.queue(uris, "large")
        await passerby.connection.close()
        try await eventually("all thumbnails") {
            uris.allSatisfy { (try? session.cache.path(of: $0, .large).stat()) != nil }
        }
    }

    @Test func `the end of the service is reported`() async throws {
        let session = try await ThumbnailSession()
        let uris = try (0..<200).map { try session.photo("\($0).jpg") }
        let handle = try await session.manager.queue(uris, "xx-large")
        try await session.service.stop()
        let events = try await session.manager.events(of: handle)
        #expect(
            events.contains {
                if case .failed(_, _, 7) = $0 { true } else { false }
            })
        #expect(events.last == .finished(handle))
    }

    @Test func `a thumbnail that readers would reject is made again`() async throws {
        let session = try await ThumbnailSession()
        let uri = try session.photo("a.jpg")
        let path = session.cache.path(of: uri, .normal)
        _ = try await session.manager.make([uri])
        let bytes = try Descriptor.openForReading(path).read(upTo: 1 << 20)
        let made = try path.stat().inode
        _ = try await session.manager.make([uri])
        // A correct thumbnail is kept.
        #expect(try path.stat().inode == made)
        // A thumbnail that another program did not finish is replaced.
        try session.home.write(Array(bytes.dropLast(20)), to: path)
        _ = try await session.manager.make([uri])
        #expect(try Descriptor.openForReading(path).read(upTo: 1 << 20) == bytes)
    }

    @Test func `incomplete thumbnails of tumbler are replaced`() async throws {
        let session = try await ThumbnailSession(settings: "[Thumbnails]\nServe=true\n")
        let uri = try session.photo("a.jpg")
        let path = session.cache.path(of: uri, .normal)
        _ = try await session.manager.make([uri])
        try session.home.write(Fixtures.bytes("png/rgb.png"), to: path)
        _ = try await session.manager.make([uri])
        #expect(try await session.validity(of: uri).contains("thumbnail::is-valid: TRUE"))
    }

    // MARK: - The cache

    @Test func `thumbnails follow a file that is moved or copied`() async throws {
        let session = try await ThumbnailSession()
        let uri = try session.photo("a.jpg")
        for size in ThumbnailSize.allCases {
            _ = try await session.manager.make([uri], size.folderName)
        }
        let old = session.home.pictures.appending("a.jpg")
        let new = session.home.pictures.appending("b c.jpg")
        try AtomicFile.rename(old, to: new)
        let moved = try #require(FileURI.make(new))
        try await session.manager.tell(
            ThumbnailCacheInterface.move, Arguments([uri, "x", uri], [moved, "garbage"]))
        for size in ThumbnailSize.allCases {
            #expect((try? session.cache.path(of: uri, size).stat()) == nil)
            #expect((try? session.cache.path(of: moved, size).stat()) != nil)
        }
        #expect(try await session.validity(of: moved).contains("thumbnail::is-valid: TRUE"))
        // A copy with another date needs another thumbnail.
        let copy = try session.photo("copy.jpg")
        session.home.setDate(of: session.home.pictures.appending("copy.jpg"), 1_000_000)
        try await session.manager.tell(
            ThumbnailCacheInterface.copy, Arguments([moved], [copy]))
        #expect((try? session.cache.path(of: copy, .normal).stat()) == nil)
        let date = try new.stat().modifiedSeconds
        session.home.setDate(of: session.home.pictures.appending("copy.jpg"), Int(date))
        try await session.manager.tell(ThumbnailCacheInterface.copy, Arguments([moved], [copy]))
        #expect((try? session.cache.path(of: copy, .normal).stat()) != nil)
        #expect((try? session.cache.path(of: moved, .normal).stat()) != nil)
    }

    @Test func `thumbnails and failure entries of a deleted file are deleted`() async throws {
        let session = try await ThumbnailSession()
        let good = try session.photo("a.jpg")
        let bad = try session.photo("b.jpg", "broken/header-only.jpg")
        _ = try await session.manager.make([good, bad])
        #expect((try? session.cache.failurePath(of: bad).stat()) != nil)
        try await session.manager.tell(
            ThumbnailCacheInterface.delete, Arguments([good, bad, "garbage", "../../x"]))
        for path in session.cache.paths(of: good) + session.cache.paths(of: bad) {
            #expect((try? path.stat()) == nil)
        }
    }

    @Test func `a file manager that reports a large folder at once is not refused`() async throws {
        let session = try await ThumbnailSession()
        let uri = try session.photo("a.jpg")
        _ = try await session.manager.make([uri])
        let old = (0..<2100).map { "file:///a/folder/with/a/name/of/usual/length/\($0).jpg" }
        let new = (0..<2100).map { "file:///another/folder/with/a/usual/name/\($0).jpg" }
        // The second call is made while the first one is in progress.
        async let moving: Void = session.manager.tell(
            ThumbnailCacheInterface.move, Arguments(old, new))
        async let copying: Void = session.manager.tell(
            ThumbnailCacheInterface.copy, Arguments([old[0]], [new[0]]))
        _ = try await (moving, copying)
        try await session.manager.tell(ThumbnailCacheInterface.delete, Arguments(old + [uri]))
        #expect((try? session.cache.path(of: uri, .normal).stat()) == nil)
        // There is a limit all the same.
        let error = await #expect(throws: DBusError.self) {
            try await session.manager.tell(
                ThumbnailCacheInterface.delete,
                Arguments(["file:///" + String(repeating: "a", count: 65 << 20)]))
        }
        #expect(error?.name == .limitsExceeded)
    }

    @Test func `Cleanup keeps entries that are newer, elsewhere, or of a disk that is not mounted`()
        async throws
    {
        let session = try await ThumbnailSession()
        let old = try session.photo("old.jpg")
        session.home.setDate(of: session.home.pictures.appending("old.jpg"), 1_000_000)
        let new = try session.photo("new.jpg")
        let gone = try session.photo("gone.jpg")
        let away = try session.photo("away.jpg", in: "Pictures/disk")
        let elsewhere = try session.photo("old.jpg", in: "Pictures2")
        session.home.setDate(
            of: session.home.home.appending("Pictures2").appending("old.jpg"), 1_000_000)
        let all = [old, new, gone, away, elsewhere]
        _ = try await session.manager.make(all)
        try AtomicFile.remove(session.home.pictures.appending("gone.jpg"))
        removeTree(session.home.pictures.appending("disk"))
        let base = try #require(FileURI.make(session.home.pictures))
        try await session.manager.tell(
            ThumbnailCacheInterface.cleanup, Arguments(["", base], 1_000_000))
        let left = all.filter { (try? session.cache.path(of: $0, .normal).stat()) != nil }
        #expect(left == [new, away, elsewhere])
    }

    @Test func `a cache that is not writable is reported`() async throws {
        let session = try await ThumbnailSession()
        let uri = try session.photo("a.jpg")
        // Root may write anywhere, but even root cannot use a file as a folder.
        try session.home.write([1], to: session.cache.folder)
        let events = try await session.manager.make([uri])
        #expect(events.dropFirst().first == .failed(events[0].handle, [uri], 4))
        // A link to a folder elsewhere works like a folder.
        try AtomicFile.remove(session.cache.folder)
        let elsewhere = session.home.scratch.appending("elsewhere")
        try Directory.make(elsewhere)
        #expect(symlink(elsewhere.string, session.cache.folder.string) == 0)
        #expect(try await session.manager.make([uri]).count == 3)
        #expect(names(in: elsewhere.appending("normal")).count == 1)
    }

    // MARK: - Names

    @Test func `a thumbnailer that is already running keeps its names`() async throws {
        let session = try await Session.start()
        let tumbler = try session.start("/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd")
        let name = ThumbnailerInterface.busName
        try await session.waitForOwner(of: name.rawValue, tumbler)
        try await session.waitForOwner(of: ThumbnailCacheInterface.busName.rawValue, tumbler)
        let connection = try await session.connect()
        let owner = try await connection.owner(of: name)
        let service = try await session.startService()
        #expect(try await connection.owner(of: name) == owner)
        // Once it has ended, another program may own the names.
        try await tumbler.stop()
        try await session.waitForOwner(of: name.rawValue, service)
        let number = try await connection.credentials(of: name).processID
        #expect(number == UInt32(service.processID))
    }

    @Test func `a disabled thumbnailer is not served`() async throws {
        let home = try TestHome()
        try home.write(
            Array("[Thumbnails]\nServe=false\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let session = try await Session.start(home: home)
        _ = try await session.startService()
        let connection = try await session.connect()
        #expect(try await connection.owner(of: ThumbnailerInterface.busName) == nil)
    }
}
