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

/// The window in which an app shows its pictures; the names begin with the ids of the behaviours.
@Suite(.serialized) struct ViewerTests {
    /// A folder outside the library with pictures of three shapes, named 1.jpg and so on.
    private func makeFiles(_ count: Int, _ home: TestHome) throws -> [FilePath] {
        let shapes = ["jpeg/progressive.jpg", "jpeg/baseline.jpg", "orientation/6.jpg"]
        return try (1...count).map { number in
            let path = home.scratch.appending("shown").appending("\(number).jpg")
            try home.write(Fixtures.bytes(shapes[number % 3]), to: path)
            return path
        }
    }

    /// The dialog, without a library unless there are files for one.
    private func start(
        dark isDark: Bool = false, fill: (TestHome) throws -> Void = { _ in }
    ) async throws -> DialogSession {
        try await DialogSession(
            environment: isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:], fill: fill)
    }

    private func show(
        _ files: [FilePath], _ words: String..., in dialog: DialogSession
    ) throws -> ChildProcess {
        try dialog.session.start("portal-pick", ["preview"] + files.map(\.string) + words)
    }

    /// Waits until the window shows the picture with this place among the others.
    private func see(_ place: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: "the picture \(place)") {
            try await dialog.person.texts().contains(place)
        }
    }

    /// Waits until something can be read in the window.
    private func read(_ text: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: text) {
            try await dialog.person.texts().contains { $0.contains(text) }
        }
    }

    @Test(arguments: [false, true])
    func `S2.20 pictures are removed from the list, by button and key, and come back`(
        isDark: Bool
    ) async throws {
        let style = isDark ? "dark" : "light"
        let dialog = try await start(dark: isDark)
        let files = try makeFiles(4, dialog.home)
        let shown = try show(
            files, "--index", "2", "--allow-remove", "--title", "Holiday", in: dialog)
        try await see("2 of 4", in: dialog)
        let person = dialog.person
        try await person.do("key Right Right Left")
        try await see("3 of 4", in: dialog)
        let texts = try await person.texts()
        #expect(texts.contains("Shown by an unknown app · “Holiday”"), "\(texts)")
        #expect(try await person.do("unlabelled").unlabelled == [])
        for name in ["Select", "Crop", "Choose this one", "Show only what is chosen"] {
            #expect(!texts.contains(name), "\(name)")
        }
        try await person.see("viewer-\(style)")
        try await person.do("press Remove")
        try await see("3 of 3", in: dialog)
        try await read("Removed from the list", in: dialog)
        try await person.see("viewer-removed-\(style)")
        try await person.do("press Undo")
        try await see("3 of 4", in: dialog)
        try await person.wait(for: "the end of the message") {
            try await !person.texts().contains("Undo")
        }
        try await person.do("key Delete")
        try await see("3 of 3", in: dialog)
        try await person.do("key Home")
        try await see("1 of 3", in: dialog)
        try await person.do("key Delete")
        try await see("1 of 2", in: dialog)
        try await person.do("key ctrl+z")
        try await see("1 of 3", in: dialog)
        try await person.do("key Escape")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["1.jpg", "2.jpg", "4.jpg"])
        try await person.do("no-window")
        #expect(names(in: files[0].removingLastComponent()).count == 4)
    }

    @Test func `S2.20 the window closes with the last picture, and a held key removes one`()
        async throws
    {
        let dialog = try await start()
        let files = try makeFiles(3, dialog.home)
        let shown = try show(files, "--allow-remove", in: dialog)
        try await see("1 of 3", in: dialog)
        try await dialog.person.do("hold Delete")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("key Delete")
        try await see("1 of 1", in: dialog)
        #expect(try await !dialog.person.texts().contains("Next"))
        try await dialog.person.do("press Remove")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.outputText == "")
        try await dialog.person.do("no-window")
    }

    @Test func `S2.20 nothing is removed unless the app allows it`() async throws {
        let dialog = try await start()
        let shown = try show(try makeFiles(2, dialog.home), in: dialog)
        try await see("1 of 2", in: dialog)
        #expect(try await !dialog.person.texts().contains("Remove"))
        try await dialog.person.do("key Delete ctrl+z Right")
        try await see("2 of 2", in: dialog)
        try await dialog.person.see("viewer-plain")
        try await dialog.person.do("press Close")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["1.jpg", "2.jpg"])
    }

    @Test func `S2.20 what is no picture, or has gone, is said in words and can be removed`()
        async throws
    {
        let dialog = try await start()
        var files = try makeFiles(2, dialog.home)
        let folder = files[0].removingLastComponent()
        for (name, bytes) in [
            ("text.jpg", Array("no picture".utf8)),
            ("half.jpg", Array(try Fixtures.bytes("jpeg/baseline.jpg").prefix(200))),
            ("gone.jpg", try Fixtures.bytes("jpeg/baseline.jpg")),
        ] {
            files.append(folder.appending(name))
            try dialog.home.write(bytes, to: folder.appending(name))
        }
        let shown = try show(files, "--allow-remove", in: dialog)
        try await see("1 of 5", in: dialog)
        try AtomicFile.remove(folder.appending("gone.jpg"))
        try await dialog.person.do("key End")
        try await see("5 of 5", in: dialog)
        try await read("cannot be opened", in: dialog)
        try await dialog.person.see("viewer-gone")
        try await dialog.person.do("key Left")
        try await read("is damaged", in: dialog)
        try await dialog.person.do("key Left")
        try await read("cannot be shown", in: dialog)
        try await dialog.person.do("key Delete")
        try await see("3 of 4", in: dialog)
        // A picture that was seen stays, whatever happens to its file.
        try await dialog.person.do("key Home")
        try await see("1 of 4", in: dialog)
        for file in files.prefix(2) { try AtomicFile.remove(file) }
        try await dialog.person.do("key Right Left")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("key Escape")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["1.jpg", "2.jpg", "half.jpg", "gone.jpg"])
    }

    @Test func `what is no file, or lies on a disk that does not answer, holds nothing up`()
        async throws
    {
        let dialog = try await start()
        let place = dialog.home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: dialog.home) {
            try dialog.home.write(
                Fixtures.bytes("jpeg/baseline.jpg"), to: $0.appending("slow.jpg"))
        }
        let fifo = dialog.home.scratch.appending("fifo.jpg")
        #expect(mkfifo(fifo.string, 0o600) == 0)
        let files = try makeFiles(1, dialog.home) + [place, fifo, place.appending("slow.jpg")]
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.preview(
            files.map { ["uri": "file://\($0)".variant] }, options: ["allow_remove": true.variant])
        try await see("1 of 4", in: dialog)
        try disk.stall(.getattr, .open, .read)
        try await dialog.person.do("key Right")
        try await see("2 of 4", in: dialog)
        try await dialog.person.do("key Right")
        try await see("3 of 4", in: dialog)
        try await read("cannot be opened", in: dialog)
        try await dialog.person.do("key Right")
        try await read("taking a long time", in: dialog)
        try await dialog.person.see("viewer-stalled")
        try await dialog.person.do("key Home")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("key Delete Escape")
        #expect(try await answer.results.value("removed") == [UInt32(0)])
        try disk.answer()
        try await disk.end()
    }

    @Test
    func `S2.20 photos of the library, open files and duplicates are shown with their details`()
        async throws
    {
        let dialog = try await start { try $0.addPhotos(1) }
        try await dialog.settle()
        let portals = try await PortalStack.start(on: dialog.session, [.permissionStore])
        try await dialog.session.setLibraryPermission("yes", of: "")
        let library = LibraryClient(on: try await dialog.session.connect())
        let id = try #require(
            try await library.assets(in: "all").assets.first?.value("id", as: String.self))
        let memory = try MemoryFile.make(
            named: "a", holding: Fixtures.bytes("jpeg/baseline.jpg"))
        let file = try Descriptor.openForReading(try makeFiles(1, dialog.home)[0])
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.preview(
            [
                ["id": id.variant], ["id": id.variant], ["fd": memory.variant],
                ["fd": file.variant], ["fd": file.variant],
            ], options: ["allow_remove": true.variant])
        try await see("1 of 5", in: dialog)
        for (place, text) in [
            ("1 of 5", "Pictures"), ("2 of 5", "Pictures"), ("3 of 5", "Dimensions"),
            ("4 of 5", "1.jpg"), ("5 of 5", "1.jpg"),
        ] {
            try await see(place, in: dialog)
            // What a file says is known once it is decoded.
            try await dialog.person.wait(for: "the details of \(place)") {
                try await dialog.person.do("key alt+Return")
                let texts = try await dialog.person.texts()
                try await dialog.person.do("key Escape")
                return texts.contains(text)
            }
            try await dialog.person.do("key Right")
        }
        try await dialog.person.do("key alt+Return")
        try await dialog.person.wait(for: "the details") {
            try await dialog.person.texts().contains("File size")
        }
        try await dialog.person.see("viewer-details")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("press Remove")
        try await see("4 of 4", in: dialog)
        try await dialog.person.do("press Close")
        let results = try await answer.results
        #expect(results.value("remaining") == [UInt32(0), 1, 2, 3])
        #expect(results.value("removed") == [UInt32(4)])
        withExtendedLifetime(portals) {}
    }

    @Test func `S2.19 a picture is zoomed, and shown as a whole again`() async throws {
        let dialog = try await start()
        let path = dialog.home.scratch.appending("squares.png")
        let script = """
            import sys
            from PIL import Image
            tile = Image.frombytes('RGB', (2, 2), bytes.fromhex('ff00000000ff' '0000ffff0000'))
            image = Image.new('RGB', (2000, 1500))
            for x in range(0, 2000, 2):
                for y in range(0, 1500, 2):
                    image.paste(tile, (x, y))
            image.save(sys.argv[1])
            """
        let made = try await dialog.session.run("/usr/bin/python3", ["-c", script, path.string])
        try #require(made.status == 0, "\(made.errors)")
        let shown = try show([path], in: dialog)
        try await see("1 of 1", in: dialog)
        try await dialog.person.do("no-colour ff0000")
        try await dialog.person.wait(for: "its pixels") {
            try await dialog.person.do("key 1")
            return try await dialog.person.attempt("colour ff0000 0.5").ok
        }
        try await dialog.person.do("key 0")
        try await dialog.person.do("no-colour ff0000")
        try await dialog.person.do("key Escape")
        #expect(try await shown.exitStatus() == 0)
    }

    @Test func `the window closes when the app no longer needs it`() async throws {
        let dialog = try await start()
        let shown = try show(try makeFiles(2, dialog.home), in: dialog)
        try await see("1 of 2", in: dialog)
        shown.signal(SIGINT)
        #expect(try await shown.exitStatus() == 128 + SIGINT)
        try await dialog.person.do("no-window")
    }

    @Test(arguments: [false, true])
    func `when the service has gone, the person learns what the app will not`(
        allowsRemoving: Bool
    ) async throws {
        let dialog = try await start()
        let files = try makeFiles(2, dialog.home)
        let shown =
            allowsRemoving
            ? try show(files, "--allow-remove", in: dialog) : try show(files, in: dialog)
        try await see("1 of 2", in: dialog)
        dialog.service.signal(SIGKILL)
        #expect(try await shown.exitStatus() == 2)
        if allowsRemoving {
            try await dialog.person.readInterruption()
            try await dialog.person.see("viewer-interrupted")
            try await dialog.person.do("press Close")
        } else {
            // Nothing is lost: the person can go on looking.
            try await dialog.person.do("key Right")
            try await see("2 of 2", in: dialog)
            try await dialog.person.do("key Escape")
        }
        try await dialog.person.do("no-window")
    }

    @Test func `with large text everything is inside a window of the width of a phone`()
        async throws
    {
        let dialog = try await start { try $0.setText(points: 22) }
        let shown = try show(
            try makeFiles(3, dialog.home), "--allow-remove", "--title", "Our holiday in Sicily",
            in: dialog)
        try await see("1 of 3", in: dialog)
        try await dialog.person.do("resize 360 640")
        try await dialog.seeNarrow("viewer-phone")
        try await dialog.person.do("press Remove")
        try await read("Removed from the list", in: dialog)
        try await dialog.person.see("viewer-phone-removed")
        try await dialog.seeNarrow("viewer-phone-rest")
        try await dialog.person.do("press Close")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["2.jpg", "3.jpg"])
    }

    @Test func `the window speaks German`() async throws {
        let home = try TestHome()
        let language = try await Language.german.prepare(in: home)
        let dialog = try await DialogSession(home: home, environment: language)
        let shown = try show(
            try makeFiles(2, home), "--allow-remove", "--title", "Urlaub", in: dialog)
        try await see("1 von 2", in: dialog)
        try await dialog.person.do("press Entfernen")
        try await read("Aus der Liste entfernt", in: dialog)
        let texts = try await dialog.person.texts()
        #expect(texts.contains("Gezeigt von einer unbekannten App · „Urlaub“"), "\(texts)")
        #expect(
            try await dialog.person.do("tooltip Entfernen").texts
                == ["Aus der Liste entfernen (Entf)"])
        try await dialog.person.see("viewer-german")
        try await dialog.person.do("press Rückgängig")
        try await see("1 von 2", in: dialog)
        try await dialog.person.do("press Schließen")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["1.jpg", "2.jpg"])
    }

    /// An app in a sandbox, with a name of its own and a file that nobody else finds.
    @Test func `S2.20 the window says which app shows the pictures`() async throws {
        let dialog = try await start()
        let home = dialog.home
        let app = try await FlatpakApp.start(on: dialog.session)
        try home.write(
            Array("[Desktop Entry]\nType=Application\nName=Fake Mail\nExec=true\n".utf8),
            to: home.data.appending("applications").appending("\(app.appID).desktop"))
        let file = try makeFiles(1, home)[0]
        let script = """
            import dbus, dbus.mainloop.glib, sys
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.SessionBus()
            loop = GLib.MainLoop()
            def respond(response, results):
                print(response, [int(n) for n in results["removed"]], flush=True)
                loop.quit()
            bus.add_signal_receiver(respond, "Response", "org.freedesktop.portal.Request")
            portal = dbus.Interface(
                bus.get_object(
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
                "org.freedesktop.portal.PhotoPicker")
            images = [{"fd": dbus.types.UnixFd(open(sys.argv[1], "rb"))} for _ in range(2)]
            portal.PreviewImages("", "Attachments", images, {"allow_remove": True})
            GLib.timeout_add_seconds(120, loop.quit)
            loop.run()
            """
        let running = try app.start("python3", ["-c", script, file.string], files: [file])
        try await see("1 of 2", in: dialog)
        let texts = try await dialog.person.texts()
        #expect(texts.contains("Shown by Fake Mail · “Attachments”"), "\(texts)")
        try await dialog.person.see("viewer-app")
        try await dialog.person.do("key Right Delete Escape")
        #expect(try await running.exitStatus() == 0)
        #expect(running.outputText == "0 [1]\n")
    }

    @Test func `keys that were meant for the app remove nothing`() async throws {
        let dialog = try await start()
        let files = try makeFiles(2, dialog.home)
        let shown = try show(files, "--allow-remove", in: dialog)
        #expect(try await dialog.person.do("rash-key Delete Delete").busy == true)
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("key Escape")
        #expect(try await shown.exitStatus() == 0)
        #expect(shown.pickedNames == ["1.jpg", "2.jpg"])
    }

    @Test func `an open file that the app overwrites meanwhile spoils its own picture alone`()
        async throws
    {
        let dialog = try await start()
        let files = try makeFiles(2, dialog.home)
        let writing = Descriptor(owning: try .open(files[1], .readWrite, options: .closeOnExec))
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.preview([
            ["fd": try Descriptor.openForReading(files[0]).variant], ["fd": writing.variant],
        ])
        try await see("1 of 2", in: dialog)
        #expect(ftruncate(writing.rawValue, 100) == 0)
        try await dialog.person.do("key Right")
        try await see("2 of 2", in: dialog)
        try await dialog.person.do("key Left")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("key Escape")
        #expect(try await answer.results.value("remaining") == [UInt32(0), 1])
    }

    @Test func `S2.19 an animation plays, also from an open file`() async throws {
        let dialog = try await start()
        let path = dialog.home.scratch.appending("moving.gif")
        let script = """
            import sys
            from PIL import Image
            red, blue = (Image.new('RGB', (320, 240), colour) for colour in ('red', 'blue'))
            red.save(sys.argv[1], 'GIF', save_all=True, append_images=[blue], duration=500, loop=0)
            """
        let made = try await dialog.session.run("/usr/bin/python3", ["-c", script, path.string])
        try #require(made.status == 0, "\(made.errors)")
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.preview([
            ["fd": try Descriptor.openForReading(path).variant]
        ])
        try await dialog.person.do("colour 0000ff")
        try await dialog.person.do("colour ff0000")
        try await read("Pause", in: dialog)
        try await dialog.person.do("key k")
        try await read("Play", in: dialog)
        try await dialog.person.do("press Close")
        #expect(try await answer.code == .success)
    }
}
