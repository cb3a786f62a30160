// SPDX-License-Identifier: MIT

import Files
import Foundation
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Apps that show their own pictures; the names begin with the ids of the behaviours.
@Suite(.serialized) struct PreviewImagesTests {
    private func show(
        _ images: [Vardict], _ options: Vardict = [:], title: String = "",
        in picker: PickerSession
    ) async throws(DBusError) -> RequestClient.Answer {
        try await RequestClient(on: picker.client.connection)
            .preview(images, title: title, options: options)
    }

    private func uri(_ path: FilePath) -> Vardict {
        ["uri": "file://\(path.string.replacing(" ", with: "%20"))".variant]
    }

    @Test func `S2.20 the app learns which of its pictures the person removed`() async throws {
        let picker = try await PickerSession(photos: 3)
        let backend = try await picker.session.startBackend("remove 0 2", "close", "cancel", "end")
        let file = try Descriptor.openForReading(picker.files[0])
        let images: [Vardict] = [
            uri(picker.files[1]), ["fd": file.variant], ["fd": file.variant], uri(picker.files[1]),
        ]
        let answer = try await show(
            images, ["allow_remove": true.variant, "index": UInt32(3).variant], title: "Mine",
            in: picker)
        #expect(answer.code == .success)
        #expect(answer.results.value("remaining") == [UInt32(1), 3])
        #expect(answer.results.value("removed") == [UInt32(0), 2])
        let report = try #require(backend.events.first)
        let size = try picker.files[0].stat().size
        let name = try #require(picker.files[1].lastComponent).string
        for part in [
            "\"method\":\"PreviewImages\"", "\"title\":\"Mine\"", "\"index\":3",
            "\"allow_remove\":true", "\"fd\":\(size)", name.replacing(" ", with: "%20"),
        ] { #expect(report.contains(part), "\(part) in \(report)") }
        #expect(picker.files.count == 3)
        // Whatever the code is, all that was not removed remains.
        for code in [ResponseCode.success, .cancelled, .ended] {
            let answer = try await show(images, in: picker)
            #expect(answer.code == code)
            #expect(answer.results.value("remaining") == [UInt32(0), 1, 2, 3])
            #expect(answer.results.value("removed") == [UInt32]())
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `S2.20 an app shows photos by the ids that it knows, and no others`(
        kind: CallerKind
    ) async throws {
        let picker = try await PickerSession(kind, photos: 3)
        let backend = try await picker.session.startBackend(
            "pick newest 2", "pick newest 3", "close")
        let given = try await picker.client.response(
            try await picker.client.pick(["max_count": UInt32(2).variant]))
        let ids = try #require(Delivery(given.results)).items.map(\.id)
        let known = try await picker.libraryIDs()
        let answer = try await show([["id": ids[1].variant], ["id": ids[1].variant]], in: picker)
        #expect(answer.code == .success, "\(answer)")
        // The backend gets the library's own.
        let report = try #require(backend.events.last)
        #expect(report.contains("{\"id\":\"\(known[1])\"},{\"id\":\"\(known[1])\"}"), "\(report)")
        // The third photo was given to another app, if this one is in a sandbox.
        let others = kind == .flatpak ? known : ["00112233445566778899aabbccddeeff"]
        for other in others {
            let error = await #expect(throws: DBusError.self) {
                try await show([["id": ids[0].variant], ["id": other.variant]], in: picker)
            }
            #expect(error?.name == .portalNotFound)
            #expect(error?.message == "Image 1: There is no photo '\(other)'")
        }
        #expect(backend.events.count == 3)
    }

    @Test func `S2.20 an app that may see the whole library shows any photo of it`() async throws {
        let session = try await LibrarySession(.flatpak, photos: 2)
        let backend = try await session.picker.session.startBackend("close")
        let ids = try await session.open()
        let answer = try await show(ids.map { ["id": $0.variant] }, in: session.picker)
        #expect(answer.code == .success)
        #expect(backend.events.count == 1)
        // Not one that has gone.
        try AtomicFile.remove(session.picker.files[0])
        try await eventually("the end of a photo") {
            try await session.library.assets(in: "all").total == 1
        }
        let error = await #expect(throws: DBusError.self) {
            try await show(ids.map { ["id": $0.variant] }, in: session.picker)
        }
        #expect(error?.name == .portalNotFound)
        // And none that it sees no longer.
        try await session.setPermission("no", of: session.picker.app?.appID ?? "")
        let left = await #expect(throws: DBusError.self) {
            try await show([["id": ids[1].variant]], in: session.picker)
        }
        #expect(left?.name == .portalNotFound)
    }

    /// A whole app in a sandbox, which opens its own file.
    @Test func `S2.20 an app in a sandbox shows the files that it has opened`() async throws {
        let picker = try await PickerSession(.flatpak, photos: 0)
        let backend = try await picker.session.startBackend("remove 1")
        let file = picker.home.scratch.appending("own.jpg")
        try picker.home.write(Fixtures.bytes("formats/blocks.jpg"), to: file)
        let script = """
            import dbus, dbus.mainloop.glib, sys
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.SessionBus()
            loop = GLib.MainLoop()
            def respond(response, results):
                print(response, [int(n) for n in results["remaining"]],
                      [int(n) for n in results["removed"]], flush=True)
                loop.quit()
            bus.add_signal_receiver(respond, "Response", "org.freedesktop.portal.Request")
            portal = dbus.Interface(
                bus.get_object(
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
                "org.freedesktop.portal.PhotoPicker")
            file = open(sys.argv[1], "rb")
            images = [{"fd": dbus.types.UnixFd(file)} for _ in range(3)]
            for wrong in [{"uri": "file://" + sys.argv[1]}, {"fd": dbus.types.UnixFd(open("/"
                          "proc/self/status"))}]:
                try:
                    portal.PreviewImages("", "", [images[0], wrong], {})
                except dbus.DBusException as error:
                    print(error.get_dbus_name(), flush=True)
            portal.PreviewImages("", "", images, {"allow_remove": True})
            GLib.timeout_add_seconds(60, loop.quit)
            loop.run()
            """
        let app = try #require(picker.app)
        let run = try await app.run("python3", ["-c", script, file.string], files: [file])
        #expect(
            run.output == """
                org.freedesktop.portal.Error.NotAllowed
                org.freedesktop.portal.Error.InvalidArgument
                0 [0, 2] [1]

                """, "\(run.errors)")
        #expect(backend.events.count == 1)
        #expect(backend.events.first?.contains("\"app_id\":\"\(app.appID)\"") == true)
    }

    @Test func `S2.21 an app outside a sandbox may show pictures of the web`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("close")
        let file = try Descriptor.openForReading(picker.files[0])
        let uri = "https://pictures.example/a.jpg"
        let answer = try await show(
            [["uri": uri.variant, "thumbnail": file.variant], ["uri": uri.variant]], in: picker)
        #expect(answer.code == .success)
        let report = try #require(backend.events.first)
        let size = try picker.files[0].stat().size
        for part in ["\"uri\":\"\(uri)\"", "\"thumbnail\":\(size)"] {
            #expect(report.contains(part), "\(part) in \(report)")
        }
    }

    @Test(arguments: [true, false])
    func `S2.21 an app in a sandbox needs the network for pictures of the web`(
        hasNetwork: Bool
    ) async throws {
        let picker = try await PickerSession(.flatpak, photos: 1, sharesNetwork: hasNetwork)
        let backend = try await picker.session.startBackend("close")
        let images: [Vardict] = [["uri": "https://pictures.example/a.jpg".variant]]
        do throws(DBusError) {
            let answer = try await show(images, in: picker)
            #expect(hasNetwork)
            #expect(answer.code == .success)
        } catch {
            #expect(!hasNetwork)
            #expect(error.name == .portalNotAllowed)
            #expect(error.message.hasPrefix("Image 0: "))
        }
        #expect(backend.events.count == (hasNetwork ? 1 : 0))
    }

    @Test func `a wrong descriptor is an error that names it, and no window opens`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("close")
        let scratch = picker.home.scratch
        try picker.home.write([], to: scratch.appending("empty"))
        let fifo = scratch.appending("fifo")
        #expect(mkfifo(fifo.string, 0o600) == 0)
        let sound = try Descriptor.openForReading(picker.files[0])
        let writing = Descriptor(
            owning: try .open(
                scratch.appending("writing"), .writeOnly, options: [.create, .closeOnExec],
                permissions: .ownerReadWrite))
        _ = try writing.fileDescriptor.writeAll("x".utf8)
        for (path, wrong) in [
            ("a folder", try Descriptor.openForReading(scratch)),
            ("a pipe", Descriptor(owning: try .open(fifo, .readWrite, options: .closeOnExec))),
            ("a device", try Descriptor.openForReading("/dev/zero")),
            ("proc", try Descriptor.openForReading("/proc/self/environ")),
            ("sys", try Descriptor.openForReading("/sys/kernel/uevent_seqnum")),
            ("empty", try Descriptor.openForReading(scratch.appending("empty"))),
            ("writing", writing),
            ("a path", Descriptor(owning: try Self.pathDescriptor(of: picker.files[0]))),
        ] {
            let error = await #expect(throws: DBusError.self, "\(path)") {
                try await show([["fd": sound.variant], ["fd": wrong.variant]], in: picker)
            }
            #expect(error?.name == .portalInvalidArgument, "\(path)")
            #expect(error?.message.hasPrefix("Image 1: ") == true, "\(path)")
        }
        #expect(backend.events.isEmpty)
        // A memory file is one like any other, and what is in it is for the window to say.
        let memory = try MemoryFile.make(named: "text", holding: Array("no picture".utf8))
        #expect(try await show([["fd": memory.variant]], in: picker).code == .success)
    }

    /// Opens a file for neither reading nor writing.
    private static func pathDescriptor(of path: FilePath) throws -> FileDescriptor {
        let raw = path.withPlatformString { Glibc.open($0, 0o10_000_000 | O_CLOEXEC) }  // O_PATH
        guard raw >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: raw)
    }

    @Test func `bad input is refused before anything is shown`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("close")
        let one = [uri(picker.files[0])]
        for (images, options, name) in [
            ([], [:], ErrorName.portalInvalidArgument),
            (Array(repeating: one[0], count: 10_000), [:], .portalInvalidArgument),
            (one, ["index": UInt32(1).variant], .portalInvalidArgument),
            (one, ["allow_remove": "yes".variant], .portalInvalidArgument),
            (one, ["detached": "yes".variant], .portalInvalidArgument),
            ([["uri": "http://example.org/a.jpg".variant]], [:], .notSupported),
            ([["uri": "https://user@example.org/".variant]], [:], .portalInvalidArgument),
            (
                [["uri": "https://example.org/".variant, "thumbnail": "x".variant]], [:],
                .portalNotFound
            ),
            ([["uri": "file://elsewhere/a.jpg".variant]], [:], .portalInvalidArgument),
            ([["uri": "file:a.jpg".variant]], [:], .portalInvalidArgument),
            ([[:]], [:], .portalInvalidArgument), ([["id": "x".variant]], [:], .portalNotFound),
        ] as [([Vardict], Vardict, ErrorName)] {
            let error = await #expect(throws: DBusError.self) {
                try await show(images, options, in: picker)
            }
            #expect(error?.name == name, "\(images.prefix(2)) \(options)")
        }
        let error = await #expect(throws: DBusError.self) {
            try await show(
                one, title: String(repeating: "a", count: 4097), in: picker)
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(backend.events.isEmpty)
        // As many as there may be, the same one again and again.
        let many = try await show(Array(repeating: one[0], count: 1000), in: picker)
        #expect(many.results.value("remaining", as: [UInt32].self)?.count == 1000)
    }

    @Test func `an app that leaves while its call is checked leaves nothing behind`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("hang")
        // Known to the service, and gone before 16 files are looked at; nine times, because all apps
        // together may have 256 open.
        let script = """
            import dbus, dbus.bus, dbus.lowlevel, os, sys
            for _ in range(9):
                bus = dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])
                def call(images):
                    message = dbus.lowlevel.MethodCallMessage(
                        '\(PhotoPickerInterface.busName)', '\(PhotoPickerInterface.path)',
                        '\(PhotoPickerInterface.interface.name)', 'PreviewImages')
                    message.append('', '', images, {}, signature='ssaa{sv}a{sv}')
                    return message
                try:
                    bus.send_message_with_reply_and_block(call([]))
                except dbus.DBusException:
                    pass
                file = os.open(sys.argv[1], os.O_RDONLY)
                bus.send_message(call([{'fd': dbus.types.UnixFd(file)} for _ in range(16)]))
                bus.flush()
                bus.close()
            """
        let (status, _, errors) = try await picker.session.run(
            "/usr/bin/python3", ["-c", script, picker.files[0].string])
        #expect(status == 0, "\(errors)")
        let image: Vardict = ["fd": try Descriptor.openForReading(picker.files[0]).variant]
        try await eventually("the end of all requests") {
            do throws(DBusError) {
                _ = try await show([image], ["index": UInt32(99).variant], in: picker)
                return true
            } catch {
                return error.name == .portalInvalidArgument
            }
        }
        // No window of theirs is in the way. One that was checked before its app had left may have
        // been shown, and was closed.
        let waiting = try await picker.client.connection.call(
            PhotoPickerInterface.previewImages, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
            Arguments("", "Mine", [image], [:])
        ).values
        try await eventually("the app's own window: \(picker.service.errorText)") {
            backend.events.contains { $0.contains("\"title\":\"Mine\"") }
        }
        try await picker.client.close(waiting)
    }

    @Test func `who decodes a file of an app can neither change it nor move its position`()
        async throws
    {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("hang")
        let file = Descriptor(
            owning: try .open(picker.files[0], .readWrite, options: .closeOnExec))
        let handle = try await picker.client.connection.call(
            PhotoPickerInterface.previewImages, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
            Arguments("", "", [["fd": file.variant]], [:])
        ).values
        try await eventually("the request: \(backend.errorText)") { !backend.events.isEmpty }
        let flags = try openFlags(of: picker.files[0], in: backend.processID)
        #expect(!flags.isEmpty)
        #expect(flags.allSatisfy { $0 & O_ACCMODE == O_RDONLY }, "\(flags)")
        try await picker.client.close(handle)
    }

    /// With which flags a process has a file open.
    private func openFlags(of path: FilePath, in process: Int32) throws -> [Int32] {
        let folder = "/proc/\(process)"
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap {
            fd in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder)/fd/\(fd)")
            guard target == path.string else { return nil }
            let info = try String(contentsOfFile: "\(folder)/fdinfo/\(fd)", encoding: .utf8)
            return info.split(separator: "\n").first { $0.hasPrefix("flags:") }
                .flatMap { Int32($0.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8) }
        }
    }

    @Test func `descriptors count for the app as long as its windows are open`() async throws {
        let picker = try await PickerSession(photos: 1)
        _ = try await picker.session.startBackend("hang")
        let file = try Descriptor.openForReading(picker.files[0])
        let images = Array(repeating: ["fd": file.variant] as Vardict, count: 16)
        func open(
            _ images: [Vardict], _ options: Vardict = [:], as client: Client
        ) async throws(DBusError) -> ObjectPath {
            try await client.connection.call(
                PhotoPickerInterface.previewImages, to: PhotoPickerInterface.busName,
                at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
                Arguments("", "", images, options)
            ).values
        }
        // The index is wrong, so that no further window opens.
        func refusal(of client: Client) async -> ErrorName? {
            do throws(DBusError) {
                _ = try await open([images[0]], ["index": UInt32(99).variant], as: client)
                return nil
            } catch {
                return error.name
            }
        }
        // Four times 16 are all 64, one window open and the others waiting for it.
        var handles: [ObjectPath] = []
        for _ in 0..<4 { handles.append(try await open(images, as: picker.client)) }
        #expect(await refusal(of: picker.client) == .limitsExceeded)
        for handle in handles { try await picker.client.close(handle) }
        try await eventually("the end of the limit") {
            await refusal(of: picker.client) == .portalInvalidArgument
        }
    }

    @Test(
        arguments: [
            ["remaining": [UInt32(0)].variant, "removed": [UInt32]().variant],
            ["remaining": [UInt32(0), 1].variant, "removed": [UInt32(1)].variant],
            ["remaining": [UInt32(0)].variant, "removed": [UInt32(7)].variant],
            ["remaining": "all".variant, "removed": [UInt32]().variant], [:],
        ] as [Vardict])
    func `a reply that is wrong gives response 2, and everything remains`(
        results: Vardict
    ) async throws {
        let picker = try await PickerSession(photos: 1)
        let rogue = try await RogueBackend(picker.session) { _ throws(DBusError) in
            Arguments(0, results)
        }
        let answer = try await show(
            [uri(picker.files[0]), uri(picker.files[0])], ["allow_remove": true.variant],
            in: picker)
        #expect(answer.code == .ended)
        #expect(answer.results.value("remaining") == [UInt32(0), 1])
        #expect(answer.results.value("removed") == [UInt32]())
        #expect(answer.results.value("message", as: String.self)?.contains("wrong reply") == true)
        withExtendedLifetime(rogue) {}
    }

    @Test func `Close ends the window, a missing backend the request`() async throws {
        let picker = try await PickerSession(photos: 1)
        let images = [uri(picker.files[0])]
        let missing = try await show(images, in: picker)
        #expect(missing.code == .ended)
        #expect(missing.results.value("remaining") == [UInt32(0)])
        let backend = try await picker.session.startBackend("hang", "close")
        let closed = Task { try await show(images, in: picker) }
        try await eventually("the window") { backend.events.count == 1 }
        closed.cancel()
        _ = try? await closed.value
        try await eventually("its end") { backend.events.last == "{\"closed\":true}" }
        #expect(try await show(images, in: picker).code == .success)
    }

    @Test func `a detached request outlives its caller`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("delay 500ms; remove 0")
        let caller = try await picker.anotherClient()
        let handle = try await caller.connection.call(
            PhotoPickerInterface.previewImages, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
            Arguments(
                "", "", [uri(picker.files[0])],
                ["detached": true.variant, "allow_remove": true.variant])
        ).values
        await caller.connection.close()
        let (code, results) = try await picker.client.awaitResponse(handle)
        #expect(code == 0)
        #expect(results.value("removed") == [UInt32(0)])
        #expect(backend.events.count == 1)
    }

    // MARK: - portal-pick

    @Test func `S2.20 portal-pick prints the files that remain, as they were named`() async throws {
        let picker = try await PickerSession(photos: 3)
        let backend = try await picker.session.startBackend("remove 1", "remove 0 2", "remove 0")
        let names = picker.files.map(\.string)
        let words = ["preview", "--allow-remove"] + names
        let plain = try await picker.session.run(
            "portal-pick", words + ["--index", "3", "--title", "Mine"])
        #expect(plain.status == 0, "\(plain.errors)")
        #expect(plain.output == "\(names[0])\n\(names[2])\n")
        let report = try #require(backend.events.first)
        #expect(report.contains("\"index\":2"))
        #expect(report.contains("\"title\":\"Mine\""))
        let null = try await picker.session.run("portal-pick", words + ["--format", "null"])
        #expect(null.output == "\(names[1])\0")
        let json = try await picker.session.run("portal-pick", words + ["--format", "json"])
        let results = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(results["remaining"] as? [Int] == [1, 2])
        #expect(results["removed"] as? [Int] == [0])
        #expect((results["uris"] as? [String])?.count == 2)
    }

    @Test func `portal-pick shows a thousand files as its first call`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("close")
        // About as long as the names of files in folders of folders are.
        let folder = picker.home.scratch.appending(String(repeating: "a folder ", count: 25))
        try picker.home.write([], to: folder.appending("empty"))
        let name = folder.appending("photo.jpg")
        try FileManager.default.copyItem(atPath: picker.files[0].string, toPath: name.string)
        let words = Array(repeating: name.string, count: 1000)
        let run = try await picker.session.run("portal-pick", ["preview"] + words)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n").count == 1000)
        #expect(backend.events.count == 1)
    }

    @Test func `portal-pick refuses what cannot be shown`() async throws {
        let picker = try await PickerSession(photos: 1)
        let backend = try await picker.session.startBackend("cancel", "end")
        let name = picker.files[0].string
        for (words, status, text) in [
            ([], 64, "Missing expected argument"), ([name, "--index", "0"], 64, "from 1"),
            ([name, "--index", "2"], 64, "from 1"), ([name + "x"], 2, "No such file"),
            ([name], 1, ""), ([name], 2, "could not be shown"),
        ] as [([String], Int32, String)] {
            let run = try await picker.session.run("portal-pick", ["preview"] + words)
            #expect(run.status == status, "\(words): \(run.errors)")
            #expect(run.errors.contains(text) || text.isEmpty, "\(words): \(run.errors)")
            #expect(run.output == "")
        }
        #expect(backend.events.count == 2)
    }
}
