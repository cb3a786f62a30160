// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Many changes, and apps that do not read what they are told.
@Suite(.serialized) struct LibraryWatchLoadTests {
    @Test func `S4.20 thousands of new files are told in a few signals`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        let known = try await session.open()
        let follower = try await Follower(session.library)
        let start = try await session.library.watchChanges().generation
        let count = 3000
        try await fill(session.picker.home, count)
        try await eventually("all photos", within: .seconds(300)) {
            follower.reports.reduce(0) { $0 + $1.assets.inserted.count } == count
        }
        let all = try await ids(session.library)
        #expect(
            Set(follower.reports.flatMap(\.assets.inserted)) == Set(all).subtracting(known))
        // The index stores 128 files at a time.
        print("\(count) files were told in \(follower.reports.count) signals")
        #expect(follower.reports.count < count / 20)
        // All at once, they still fit.
        try await session.setFavorite(all)
        try await eventually("the favorites") {
            follower.reports.reduce(0) { $0 + $1.assets.updated.count } == all.count
        }
        #expect(follower.reports.contains { $0.idCount == ChangeReport.mostIDs })
        // Whoever asks gets a part.
        let report = try await session.library.changes(since: start)
        #expect((1...ChangeReport.mostIDs).contains(report.idCount) && report.hasMore)
        follower.expectOrder(after: start)
    }

    @Test func `S4.20 an app that reads nothing gets few signals, and the others all of them`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.open()
        let follower = try await Follower(session.library)
        let stopped = try session.picker.session.start("portal-pick", ["watch", "--since", "1"])
        try await eventually("the watch: \(stopped.errorText)") {
            stopped.outputText == "start-over\n"
        }
        stopped.signal(SIGSTOP)
        let start = try await session.library.watchChanges().generation
        let monitor = try await session.picker.session.startMonitor()
        var albums: [String] = []
        for number in 0..<30 {
            let album = try await session.makeAlbum("\(number)")
            albums.append(album)
            try await follower.expect("the album") { $0.albums.inserted == [album] }
        }
        follower.expectOrder(after: start)
        #expect(follower.reports.count == albums.count)
        // One for each to us, and at most one to the other.
        let signals = monitor.outputLines.count { $0.contains(#""member":"Changed""#) }
        #expect((albums.count...albums.count + 1).contains(signals))
        stopped.signal(SIGCONT)
        try await eventually("the albums") {
            stopped.outputLines.dropFirst()
                == ArraySlice(
                    albums.map { "inserted\talbum\t\($0)" as Substring })
        }
        stopped.signal(SIGTERM)
        #expect(try await stopped.exitStatus() == 143)
    }

    /// Watches, and prints the ids of albums until there are enough.
    private static let app = """
        import sys
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        loop, left = GLib.MainLoop(), int(sys.argv[1])
        place = ('org.freedesktop.portal.PhotoPicker', '/org/freedesktop/portal/desktop')
        interface = 'org.freedesktop.portal.PhotoLibrary'
        def changed(bus, sender, path, interface, member, arguments):
            global left
            for album in arguments.unpack()[1].get('albums_inserted', []):
                print(album, flush=True)
                left -= 1
                if left == 0: loop.quit()
        bus.signal_subscribe(place[0], interface, 'Changed', place[1], None, 0, changed)
        start = bus.call_sync(*place, interface, 'WatchChanges',
            GLib.Variant('(a{sv})', ({},)), None, 0, -1, None)
        print(start.unpack()[0], flush=True)
        loop.run()
        """

    @Test func `S4.20 an app behind Flatpak's proxy is told one change after the other`()
        async throws
    {
        let session = try await LibrarySession(.flatpak, photos: 1)
        let app = try #require(session.picker.app)
        try await session.setPermission("yes", of: app.appID)
        let child = try app.start("/usr/bin/python3", ["-c", Self.app, "4"])
        try await eventually("the watch: \(child.errorText)") { child.outputLines.count == 1 }
        var albums: [String] = []
        for number in 0..<4 {
            let album = try await session.makeAlbum("\(number)")
            albums.append(album)
            try await eventually("album \(number): \(child.errorText)") {
                child.outputLines.dropFirst() == ArraySlice(albums.map { $0[...] })
            }
        }
        #expect(try await child.exitStatus() == 0)
    }

    // MARK: -

    /// Puts photos into a folder at once.
    private func fill(_ home: TestHome, _ count: Int) async throws {
        let picture = try Fixtures.bytes("jpeg/grey.jpg")
        let folder = home.scratch.appending("many")
        for number in 0..<count {
            let tail = [1, UInt8(number / 256), UInt8(number % 256)]
            try home.write(picture + tail, to: folder.appending("\(number).jpg"))
        }
        try AtomicFile.rename(folder, to: home.pictures.appending("many"))
    }

    /// The ids of all photos.
    private func ids(_ library: LibraryClient) async throws -> [String] {
        var ids: [String] = []
        while true {
            let part = try await library.assets(
                in: "all",
                ["offset": UInt32(ids.count).variant, "limit": UInt32(1000).variant]
            ).assets.compactMap { $0.value("id", as: String.self) }
            ids += part
            if part.count < 1000 { return ids }
        }
    }
}
