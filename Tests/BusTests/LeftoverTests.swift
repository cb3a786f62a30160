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
        let copy = copies.appending("0123-1_5").appending("abc").appending("photo.jpg")
        try home.write([1], to: copy)
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
    @Test func `a service in another session leaves the copies of the first one's apps`()
        async throws
    {
        let home = try TestHome()
        let copies = home.cache.appending("photo-portal").appending("copies")
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        let buses = home.cache.appending("photo-portal").appending("buses")
        try await eventually("the lock: \(service.errorText)") { !names(in: buses).isEmpty }
        let app = try await session.connect()
        let name = try #require(await app.uniqueName)
        let living = try await CopyOwner.text(of: name, on: app)
        for owner in [living, "0123-1_5"] {
            try home.write(
                [1], to: copies.appending(FilePath("\(owner)/abc/photo.jpg").components))
        }
        let other = try await Session.start(home: home)
        let second = try await other.startService()
        try await eventually("the end of the other copy: \(second.errorText)") {
            !names(in: copies).contains("0123-1_5")
        }
        #expect(names(in: copies).map(\.string).contains(living))
        // The bus of the app ends.
        #expect(try await service.stop() == 0)
        await app.close()
        try await eventually("the end of the copy: \(second.errorText)", within: .seconds(40)) {
            !names(in: copies).map(\.string).contains(living)
        }
        #expect(try await second.stop() == 0)
    }
}
