// SPDX-License-Identifier: MIT

import Glibc
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Apps that do not know us ask xdg-desktop-portal for a file and receive photos.
@Suite(.serialized) struct FileChooserAppTests {
    @Test func `a GTK 3 app gets a photo and the answers to its questions`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(6) }
        let app = try portal.app("gtk", "3", "glob")
        #expect(try await portal.person.do("window").title == "“Open a picture”")
        try await portal.person.do("photos 6")
        try await portal.person.do("loaded 6")
        try await portal.person.do("tick “Keep a copy”")
        try await portal.person.do("pick Size Small")
        try await portal.person.do("click 2")
        try await portal.person.see("file-chooser-gtk3")
        try await portal.person.do("press Attach")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(
            app.lines == [
                "file://\(portal.home.pictures.appending("3.jpg"))", "copy false", "size small",
                "filter Pictures",
            ])
    }

    @Test func `a GTK 4 app gets several photos`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(4) }
        let app = try portal.app("gtk", "4", "pixbuf", "multiple")
        try await portal.person.do("photos 4")
        for index in [3, 0] { try await portal.person.do("click \(index)") }
        try await portal.person.do("press Attach")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        // GTK reverses the order.
        #expect(
            Set(app.lines.prefix(2)) == [
                "file://\(portal.home.pictures.appending("4.jpg"))",
                "file://\(portal.home.pictures.appending("1.jpg"))",
            ])
    }

    @Test func `a Qt app's filters can be switched`() async throws {
        let portal = try await PortalSession { home in
            try home.addPhotos(3)
            try home.write(
                Fixtures.bytes("png/rgb.png"), to: home.pictures.appending("drawing.png"))
        }
        let app = try portal.app("qt", "5", "mime")
        // The app selected JPEG.
        try await portal.person.do("count 3")
        try await portal.person.do("pick 'File type' 'PNG image'")
        try await portal.person.do("count 1")
        try await portal.person.do("click 0")
        try await portal.person.see("file-chooser-qt")
        try await portal.person.do("press Select")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(
            app.lines == [
                "file://\(portal.home.pictures.appending("drawing.png"))", "filter image/png",
            ])
    }

    @Test func `a libportal app gets its choices back`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(3) }
        let app = try portal.app("libportal")
        try await portal.person.do("photos 3")
        for index in [0, 1] { try await portal.person.do("click \(index)") }
        try await portal.person.see("file-chooser-libportal")
        try await portal.person.do("press Select")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(
            app.lines == [
                "file://\(portal.home.pictures.appending("1.jpg"))",
                "file://\(portal.home.pictures.appending("2.jpg"))", "choices [('size', 'l')]",
            ])
    }

    @Test func `Browse Files opens the desktop's file dialog for the same app`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(2) }
        let file = portal.home.home.appending("elsewhere.jpg")
        try portal.home.write(Fixtures.bytes("jpeg/grey.jpg"), to: file)
        let backend = try await portal.startFileBackend()
        let app = try portal.app("gtk", "3", "mime")
        try await portal.person.do("photos 2")
        try await portal.person.do("press Browse Files…")
        try await portal.person.do("no-window")
        try await portal.person.do("other-window Open a picture")
        // The first letter opens a field; text that is typed before it has the focus is lost.
        try await portal.person.do("type /")
        try await portal.person.do("field")
        try await portal.person.do("type \(file.string.dropFirst())")
        try await portal.person.see("file-chooser-browse")
        try await portal.person.do("key Return")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(app.lines.first == "file://\(file)")
        withExtendedLifetime(backend) {}
    }

    @Test func `a sandboxed app gets read-only documents`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(2) }
        let flatpak = try await FlatpakApp.start(on: portal.session)
        let program = PortalSession.program("libportal")
        async let running = flatpak.run(
            program.string, [], files: [program, PortalSession.program("uris.py")])
        try await portal.person.do("photos 2")
        #expect(try await portal.person.texts().contains("For org.example.Fake"))
        try await portal.person.do("click 1")
        try await portal.person.do("press Select")
        let (status, output, errors) = try await running
        try #require(status == 0, "\(errors)")
        let uri = try #require(output.split(separator: "\n").first)
        let prefix = "file://\(portal.portals.mountPoint)/"
        try #require(uri.hasPrefix(prefix) && uri.hasSuffix("/2.jpg"), "\(uri)")
        let id = try #require(uri.dropFirst(prefix.count).split(separator: "/").first)
        let connection = try await portal.session.connect()
        let (path, permissions) = try await connection.call(
            Method<Arguments<String>, Arguments<[UInt8], [String: [String]]>>(
                "Info", takes: ["doc_id"], returns: ["path", "apps"]),
            to: "org.freedesktop.portal.Documents", at: "/org/freedesktop/portal/documents",
            on: "org.freedesktop.portal.Documents", Arguments(String(id))
        ).values
        #expect(path.dropLast() == Array("\(portal.home.pictures)/2.jpg".utf8)[...])
        #expect(permissions["org.example.Fake"]?.contains("write") == false)
    }

    @Test func `Cancel cancels`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(2) }
        let app = try portal.app("gtk", "3", "mime")
        try await portal.person.do("photos 2")
        try await portal.person.do("press Cancel")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(app.lines.first?.hasPrefix("cancelled") == true)
    }

    @Test func `a window whose xdg-desktop-portal dies says so, and the next one works`()
        async throws
    {
        let portal = try await PortalSession { try $0.addPhotos(2) }
        let app = try portal.app("libportal")
        try await portal.person.do("loaded 2")
        try await portal.person.do("click 1")
        try await portal.portals.process(of: .desktop)?.stop(SIGKILL)
        try await portal.person.readInterruption()
        try await portal.person.see("file-chooser-interrupted")
        try await portal.person.do("press Close")
        try await portal.person.do("no-window")
        try await app.stop(SIGKILL)

        let portals = try await portal.restartPortal()
        let next = try portal.app("gtk", "4", "pixbuf")
        try await portal.person.do("photos 2")
        try await portal.person.do("click 1")
        try await portal.person.do("press Attach")
        #expect(try await next.exitStatus() == 0, "\(next.errorText)")
        #expect(next.lines.first == "file://\(portal.home.pictures.appending("2.jpg"))")
        withExtendedLifetime(portals) {}
    }

    @Test func `the window closes with the app`() async throws {
        let portal = try await PortalSession { try $0.addPhotos(2) }
        let app = try portal.app("libportal")
        try await portal.person.do("photos 2")
        try await app.stop(SIGKILL)
        try await portal.person.do("no-window")
    }
}

extension ChildProcess {
    fileprivate var lines: [String] {
        outputText.split(separator: "\n").map(String.init)
    }
}
