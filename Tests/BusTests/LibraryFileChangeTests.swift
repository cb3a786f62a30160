// SPDX-License-Identifier: MIT

import PortalClient
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Change sets with files, from an app whose library for D-Bus passes descriptors, with and without a sandbox; the
/// names begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryFileChangeTests {
    @Test(arguments: CallerKind.allCases)
    func `S3.17 a photo is adjusted, both versions are read, and the original comes back`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let id = try await session.open()[0]
        let before = try #require(try await session.library.assets([id]).first)
        let script = """
            id = "\(id)"
            def read(version):
                file, _ = library.OpenAsset(id, {"version": version})
                with os.fdopen(file.take(), "rb") as content:
                    return content.read()[1:4]
            show(read("current"))
            with open(sys.argv[1], "rb") as version:
                results = library.PerformChanges([("set-adjustment", {
                    "asset": id, "file": dbus.types.UnixFd(version), "version": "1",
                    "format": "org.example.Fake"})])
            show(int(results[0]["count"]), read("current"), read("original"))
            results = library.PerformChanges([("revert-adjustment", {"assets": [id]})])
            show(int(results[0]["count"]), read("current"), read("original"))
            """
        let jpeg = "b'\\xd8\\xff\\xe0'"
        #expect(
            try await session.answers(to: script, [Fixtures.path("formats/blocks.png")])
                == [jpeg, "1 b'PNG' \(jpeg)", "1 \(jpeg) \(jpeg)"])
        #expect(try await session.library.assets([id]) == [before])
        #expect(Adjusting.files(of: session.picker.home) == [])
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.18 nothing stays of a change set with a file that is no photo`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let home = session.picker.home
        let id = try await session.open()[0]
        let before = try await session.library.assets(in: "all")
        let text = home.scratch.appending("text.jpg")
        try home.write(Array("Hello".utf8), to: text)
        let script = """
            good, bad = (dbus.types.UnixFd(open(path, "rb")) for path in sys.argv[1:])
            changes = [
                ("ensure-album", {"title": "Sicily", "placeholder": "it"}),
                ("create-asset", {"file": good, "placeholder": "good"}),
                ("set-favorite", {"assets": ["\(id)"], "favorite": True}),
                ("set-adjustment", {
                    "asset": "\(id)", "file": good, "version": "1", "format": "org.example.Fake"}),
                ("create-asset", {"file": bad, "placeholder": "bad"}),
                ("insert-assets", {"album": "@it", "assets": ["\(id)", "@good", "@bad"]}),
                ("delete-album", {"album": "user-0"}),
            ]
            try:
                library.PerformChanges(changes)
            except dbus.DBusException as error:
                show(error.get_dbus_name(), error.get_dbus_message())
            """
        let answers = try await session.answers(
            to: script, [Fixtures.path("formats/blocks.png"), text])
        #expect(
            answers.first?.hasPrefix(
                "org.freedesktop.portal.Error.InvalidArgument Change 4: ") == true, "\(answers)")
        #expect(try await session.library.albums().allSatisfy { $0.value("kind") != "user" })
        let after = try await session.library.assets(in: "all")
        #expect(after.total == before.total)
        #expect(after.assets == before.assets)
        #expect(names(in: home.pictures).count == 5)
        try await eventually("the end of what was refused") { Adjusting.files(of: home) == [] }
    }
}
