// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Apps that ask xdg-desktop-portal for a file get what the window says: the photo as it is, or a copy
/// without its location.
@Suite(.serialized) struct FileLocationTests {
    private struct Desk {
        let dialog: DialogSession
        let frontend: Connection
        /// The connection of the app.
        let app: Connection

        /// Calls as xdg-desktop-portal does for the app.
        func open(
            _ appID: String, several: Bool = false
        ) async throws -> (code: UInt32, results: Vardict) {
            let pictures = Variant.structure([
                .string("Pictures"),
                .array(element: "(us)", [.structure([.uint32(1), .string("image/*")])]),
            ])
            let name = await app.uniqueName
            let sender = try #require(name)
            let token = try #require(HandleToken("t\(UInt32.random(in: .min ... .max))"))
            let handle = try #require(RequestHandle.path(of: sender, token: token))
            return try await frontend.call(
                FileChooserInterface.openFile, to: PickerBackendInterface.defaultBusName,
                at: FileChooserInterface.path, on: FileChooserInterface.interface.name,
                Arguments(
                    handle, appID, "", "",
                    [
                        "filters": .array(element: "(sa(us))", [pictures]),
                        "multiple": .boolean(several),
                    ]),
                timeout: .seconds(60)
            ).values
        }

        /// Chooses the newest photo as the person that the window shows it to.
        func choose() async throws {
            try await dialog.person.do("count 2")
            try await dialog.person.do("click 0")
        }

        func location(of path: FilePath) async throws -> String {
            try await dialog.session.run(
                "/usr/bin/exiftool", ["-s3", "-n", "-GPSLatitude", path.string]
            ).output.split(separator: "\n").joined()
        }

        var copies: FilePath {
            dialog.home.cache.appending("photo-portal").appending("copies")
        }
    }

    /// Two photos, of which the newer one has a location, and two apps.
    private func start() async throws -> Desk {
        let dialog = try await DialogSession { home in
            try home.addPhotos(2)
            let apps = [
                ("org.example.Browser", "Web", "Network;WebBrowser;"),
                ("org.example.Editor", "Darkroom", "Graphics;Photography;"),
            ]
            for (id, name, categories) in apps {
                try home.write(
                    Array(
                        """
                        [Desktop Entry]
                        Type=Application
                        Name=\(name)
                        Exec=/bin/true
                        Categories=\(categories)
                        """.utf8),
                    to: home.data.appending("applications").appending("\(id).desktop"))
            }
            let tagging = try ChildProcess(
                "/usr/bin/exiftool",
                [
                    "-q", "-overwrite_original", "-P", "-n", "-GPSLatitude=48.8584",
                    "-GPSLatitudeRef=N", "-GPSLongitude=2.2945", "-GPSLongitudeRef=E",
                    home.pictures.appending("1.jpg").string,
                ], environment: home.environment, scratch: home.scratch)
            tagging.waitForEnd()
        }
        try await dialog.settle()
        let frontend = try await dialog.session.connect()
        #expect(try await frontend.requestName(FileChooserInterface.frontend) == .owner)
        return Desk(dialog: dialog, frontend: frontend, app: try await dialog.session.connect())
    }

    private func path(_ results: Vardict) throws -> FilePath {
        let uri = try #require(results.value("uris", as: [String].self)?.first)
        return FilePath(String(uri.dropFirst("file://".count)))
    }

    @Test func `a browser gets a copy without the location, under the photo's name`() async throws {
        let desk = try await start()
        async let answer = desk.open("org.example.Browser")
        try await desk.choose()
        try await eventually("the switch") {
            try await desk.dialog.person.texts().contains("Remove location")
        }
        let texts = try await desk.dialog.person.texts()
        #expect(texts.contains("Web gets copies without location"), "\(texts)")
        try await desk.dialog.person.see("file-location-removed")
        try await desk.dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        let copy = try path(results)
        #expect(copy.lastComponent == "1.jpg")
        #expect(copy.starts(with: desk.copies))
        #expect(try await desk.location(of: copy) == "")
        #expect(
            try await desk.location(of: desk.dialog.home.pictures.appending("1.jpg"))
                .hasPrefix("48.85"))
        // It goes when the app ends.
        await desk.app.close()
        try await eventually("the end of the copy") { (try? copy.stat()) == nil }
    }

    @Test func `S3.17 a browser gets a copy of an adjusted photo under the name of the original`()
        async throws
    {
        let desk = try await start()
        let session = desk.dialog.session
        let portals = try await PortalStack.start(on: session, [.permissionStore])
        try await session.setLibraryPermission("yes", of: "")
        let library = LibraryClient(on: try await session.connect())
        let newest = try await library.assets(in: "all").assets.first
        let id = try #require(newest?.value("id", as: String.self))
        let version = try Fixtures.open("location/exif.jpg")
        _ = try await library.perform([
            ChangeOperation(
                "set-adjustment",
                [
                    "asset": id.variant, "file": version.variant, "format": "x".variant,
                    "version": "1".variant,
                ])
        ])
        async let answer = desk.open("org.example.Browser")
        try await desk.choose()
        try await eventually("the switch") {
            try await desk.dialog.person.texts().contains("Remove location")
        }
        try await desk.dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        let copy = try path(results)
        #expect(copy.starts(with: desk.copies))
        #expect(copy.lastComponent == "1.jpg")
        withExtendedLifetime(portals) {}
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a disk without room for a copy is named as the reason`() async throws {
        let desk = try await start()
        let disk = try await StalledDisk.mount(at: desk.copies, of: desk.dialog.home) { _ in }
        try disk.fill()
        async let answer = desk.open("org.example.Browser")
        try await desk.choose()
        try await eventually("the switch") {
            try await desk.dialog.person.texts().contains("Remove location")
        }
        try await desk.dialog.person.do("press Select")
        try await eventually("the reason") {
            try await desk.dialog.person.texts().contains {
                $0.contains("There is not enough space for a copy")
            }
        }
        try await desk.dialog.person.do("press Cancel")
        #expect(try await answer.code == 1)
        try await disk.end()
    }

    /// The window then said that the app sees the location, and the app got copies.
    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `what the app gets cannot be changed while it is being made`() async throws {
        let desk = try await start()
        let disk = try await StalledDisk.mount(at: desk.copies, of: desk.dialog.home) { _ in }
        let person = desk.dialog.person
        async let answer = desk.open("org.example.Browser")
        try await desk.choose()
        try await eventually("the switch") {
            try await person.texts().contains("Remove location")
        }
        try disk.stall(.getattr)
        try await person.do("press Select")
        try await eventually("the preparation") {
            try await person.do("enabled Select").enabled == false
        }
        let isEnabled = try await person.do("enabled 'Remove location'").enabled
        #expect(isEnabled == false)
        if isEnabled == true { try await person.do("tick Remove location") }
        try await person.do("click 1")
        #expect(try await person.do("photos").pressed == [true, false])
        #expect(try await person.texts().contains("Web gets copies without location"))
        try await eventually("the sign") {
            try await person.texts().contains("Preparing the photo…")
        }
        try await person.see("file-location-preparing")
        try disk.answer()
        #expect(try path(await answer.results).lastComponent == "1.jpg")
        try await disk.end()
    }

    /// The photo itself was looked at once, before the copy was made.
    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a photo that is exchanged while a copy of another is made is not delivered`() async throws
    {
        let desk = try await start()
        let disk = try await StalledDisk.mount(at: desk.copies, of: desk.dialog.home) { _ in }
        let person = desk.dialog.person
        async let answer = desk.open("org.example.Browser", several: true)
        try await desk.choose()
        try await person.do("click 1")
        try await eventually("the switch") {
            try await person.texts().contains("Remove location")
        }
        try disk.stall(.getattr)
        try await person.do("press Select")
        try await eventually("the second photo") {
            try await person.texts().contains("Preparing photos: 1 of 2")
        }
        let path = desk.dialog.home.pictures.appending("2.jpg")
        try desk.dialog.home.write(
            Fixtures.bytes("jpeg/grey.jpg"), to: path.removingLastComponent().appending("other"))
        #expect(rename(path.removingLastComponent().appending("other").string, path.string) == 0)
        try disk.answer()
        try await eventually("the reason") {
            try await person.texts().contains {
                $0.contains("“2.jpg” has changed or disappeared")
            }
        }
        try await person.do("press Cancel")
        #expect(try await answer.code == 1)
        try await disk.end()
    }

    @Test func `a photo without a location is delivered as it is, without a switch`() async throws {
        let desk = try await start()
        async let answer = desk.open("org.example.Browser")
        try await desk.dialog.person.do("count 2")
        try await desk.dialog.person.do("click 1")
        try await eventually("what the app gets") {
            try await desk.dialog.person.texts().contains("Web gets the original files")
        }
        #expect(try await !desk.dialog.person.texts().contains("Remove location"))
        try await desk.dialog.person.do("press Select")
        #expect(try path(await answer.results) == desk.dialog.home.pictures.appending("2.jpg"))
    }

    @Test func `an editor gets the file itself, unless the person decides otherwise`() async throws
    {
        let desk = try await start()
        async let first = desk.open("org.example.Editor")
        try await desk.choose()
        try await eventually("the switch") {
            try await desk.dialog.person.texts().contains("Remove location")
        }
        #expect(
            try await desk.dialog.person.texts()
                .contains("Darkroom will see where the photos were taken"))
        try await desk.dialog.person.see("file-location-kept")
        try await desk.dialog.person.do("press Select")
        #expect(try path(await first.results) == desk.dialog.home.pictures.appending("1.jpg"))

        async let second = desk.open("org.example.Editor")
        try await desk.choose()
        try await desk.dialog.person.do("tick Remove location")
        try await desk.dialog.person.do("press Select")
        #expect(try path(await second.results).starts(with: desk.copies))

        // The person's last choice holds from now on.
        async let third = desk.open("org.example.Editor")
        try await desk.choose()
        try await desk.dialog.person.do("press Select")
        #expect(try path(await third.results).starts(with: desk.copies))
    }

    @Test func `a file whose location cannot be removed is not delivered`() async throws {
        let desk = try await start()
        async let answer = desk.open("org.example.Browser")
        try await desk.choose()
        try AtomicFile.remove(desk.dialog.home.pictures.appending("1.jpg"))
        try desk.dialog.home.write(
            Array(repeating: 0xFF, count: 100), to: desk.dialog.home.pictures.appending("1.jpg"))
        _ = try await desk.dialog.person.attempt("press Select")
        // The window may have stayed open.
        _ = try await desk.dialog.person.attempt("key Escape")
        let (code, results) = try await answer
        #expect(code != 0, "\(results)")
    }
}
