// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What programs of ours leave behind when they are killed.
@Suite struct LeftoverTests {
    @Test func `unfinished files of killed programs are removed from the person's folders`()
        async throws
    {
        let home = try TestHome()
        let thumbnails = home.cache.appending("thumbnails")
        let folders = [
            thumbnails.appending("normal"), thumbnails.appending("large"),
            thumbnails.appending("fail").appending("photo-portal-3"),
            home.data.appending("photo-portal"),
            home.home.appending(".local").appending("state").appending("photo-portal"),
        ]
        let old = time(nil) - 7200
        for folder in folders {
            // Somebody may still be writing the last one.
            for (name, date) in [
                (".photo-portal-x1Y2z3", old), (".other-x1Y2z3", old),
                (".photo-portal-Ab0Cd1", time(nil)),
            ] {
                try home.write([1], to: folder.appending(name))
                home.setDate(of: folder.appending(name), date)
            }
        }
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        for folder in folders {
            try await eventually("the end of the old file in \(folder)") {
                !names(in: folder).contains(".photo-portal-x1Y2z3")
            }
            #expect(names(in: folder).contains(".photo-portal-Ab0Cd1"))
            #expect(names(in: folder).contains(".other-x1Y2z3"))
        }
        #expect(try await service.stop() == 0)
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `what others put into a folder keeps no unfinished file there`() async throws {
        let home = try TestHome()
        let normal = home.cache.appending("thumbnails").appending("normal")
        let file = normal.appending(".photo-portal-x1Y2z3")
        try home.write([1], to: file)
        home.setDate(of: file, time(nil) - 7200)
        let disk = try await StalledDisk.mount(at: home.scratch.appending("mounted"), of: home) {
            try home.write([1], to: $0.appending("a.png"))
        }
        let link = normal.appending("a.png")
        try #require(
            symlink(home.scratch.appending("mounted").appending("a.png").string, link.string) == 0)
        try disk.stall(.getattr)
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        try await eventually("the end of the old file", within: .seconds(20)) {
            !names(in: normal).contains(".photo-portal-x1Y2z3")
        }
        service.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `copies are removed, but nothing that a link leads to`() async throws {
        let home = try TestHome()
        let copies = home.cache.appending("photo-portal").appending("copies")
        // Of an app on another bus.
        try makeOldCopy(of: "0123-1_5", home)
        let photo = home.pictures.appending("Holiday").appending("photo.jpg")
        try home.write([1], to: photo)
        let links = [
            copies.appending("link"), copies.appending("0123-1_6").appending("link"),
        ]
        for (link, target) in zip(links, [home.pictures, photo.removingLastComponent()]) {
            try Directory.make(link.removingLastComponent())
            try #require(symlink(target.string, link.string) == 0)
        }
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        try await eventually("the end of the copy: \(service.errorText)") {
            !names(in: copies).contains("0123-1_5")
        }
        #expect((try? photo.stat()) != nil)
        #expect(try await service.stop() == 0)
        #expect((try? photo.stat()) != nil)
    }

    /// It removed what a browser was about to send.
    @Test(arguments: [true, false])
    func `a service in another session leaves the copies of the first one's apps`(
        isStopped: Bool
    ) async throws {
        let home = try TestHome()
        let copies = home.cache.appending("photo-portal").appending("copies")
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        let app = try await session.connect()
        let name = try #require(await app.uniqueName)
        let living = try await CopyOwner.text(of: name, on: app)
        // The bus outlives a service that is stopped.
        if isStopped { #expect(try await service.stop() == 0) }
        try home.write([1], to: copies.appending(FilePath("\(living)/abc/photo.jpg").components))
        // In one round, in any order.
        let old = (1...10).map { "0123-1_\($0)" }
        for owner in old { try makeOldCopy(of: owner, home) }
        let other = try await Session.start(home: home)
        let second = try await other.startService()
        try await eventually("the end of old copies: \(second.errorText)", within: .seconds(40)) {
            names(in: copies).map(\.string) == [living]
        }
        #expect(try await second.stop() == 0)
        #expect(names(in: copies).map(\.string) == [living])
        // The app ends.
        await app.close()
        let next = try await isStopped ? session.startService() : service
        try await eventually("the end of the copy: \(next.errorText)", within: .seconds(40)) {
            names(in: copies).isEmpty
        }
        #expect(try await next.stop() == 0)
    }

    /// Makes a copy for an app that is older than any copy may become.
    private func makeOldCopy(of owner: String, _ home: TestHome) throws {
        let place = home.cache.appending("photo-portal").appending("copies").appending(owner)
            .appending("abc")
        try home.write([1], to: place.appending("photo.jpg"))
        home.setDate(of: place, 1_000_000_000)
    }
}
