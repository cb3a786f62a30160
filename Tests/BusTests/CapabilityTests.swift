// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What apps use for which need, and how far they can set up the window; the names begin with the ids of the
/// behaviours.
@Suite(.serialized) struct CapabilityTests {
    // MARK: - Which way for which need

    @Test(arguments: CallerKind.allCases)
    func `S3.15 each need that the README names is served as it says`(kind: CallerKind) async throws
    {
        let session = try await LibrarySession(kind)
        // The person's answers to everything that may be asked.
        let backend = try await session.picker.session.startBackend(
            "pick newest 1", "pick newest 3", "close", "allow", "allow", "cancel")
        let photos = ["formats/blocks.jpg", "formats/blocks.png"].map { Fixtures.path($0) }
        let answers = try await session.answers(
            to: """
                code, one = wait(picker.OpenImage("", "", {}))
                show("OpenImage", code, len(one["items"]))
                code, several = wait(picker.PickImages(
                    "", "", {"max_count": dbus.UInt32(3), "ordered": True}))
                show("PickImages", code, len(several["items"]))
                first = several["items"][0]["id"]
                show("same", first == one["items"][0]["id"])
                code, shown = wait(picker.PreviewImages(
                    "", "", dbus.Array([{"id": first}], signature="a{sv}"), {}))
                show("PreviewImages", code, len(shown["remaining"]))
                for file in sys.argv[1:]:
                    with open(file, "rb") as photo:
                        code, saved = wait(library.SaveImage("", dbus.types.UnixFd(photo), {}))
                    show("SaveImage", code, len(saved["id"]))
                try:
                    library.GetAlbums({})
                except dbus.DBusException as error:
                    show("unasked", error.get_dbus_name())
                code, results = wait(library.RequestAuthorization("", "read-write", {}))
                show("authorization", code, int(results["authorization"]))
                photos, total = library.GetAssets("all", {})
                show("photos", int(total))
                pixels, _ = library.GetThumbnail(photos[0]["id"], dbus.UInt32(128), {})
                show("thumbnail", os.fstat(pixels.take()).st_size > 0)
                library.PerformChanges([
                    ("set-favorite", {"assets": [str(photos[0]["id"])], "favorite": True})])
                show("albums", "favorites" in [album["id"] for album in library.GetAlbums({})])
                """, photos)
        #expect(
            answers == [
                "OpenImage 0 1", "PickImages 0 3", "same True", "PreviewImages 0 1",
                "SaveImage 0 32", "SaveImage 0 32",
                "unasked org.freedesktop.portal.Error.NotAllowed", "authorization 0 3", "photos 7",
                "thumbnail True", "albums True",
            ])
        // Adding was asked once, and so was the collection; nothing else needs a permission.
        let methods = backend.events.compactMap { event in
            event.firstMatch(of: /"method":"(?<name>\w+)"/).map { String($0.name) }
        }
        #expect(backend.events.count == 5, "\(backend.events)")
        #expect(Array(methods.prefix(3)) == ["OpenImage", "PickImages", "PreviewImages"])

        let named = try namedInTable()
        #expect(
            named.isSuperset(of: [
                "OpenImage", "PickImages", "PreviewImages", "SaveImage",
                "org.freedesktop.portal.PhotoLibrary",
            ]))
        guard kind == .host else { return }
        // Thumbnails, and photos in a script, are for programs outside a sandbox.
        let owner = try await session.picker.client.connection.owner(
            of: "org.freedesktop.thumbnails.Thumbnailer1")
        #expect(owner != nil)
        let script = try await session.picker.session.run("portal-pick", ["list"])
        #expect(script.output.split(separator: "\n").count == 7, "\(script.errors)")
        #expect(named.isSuperset(of: ["org.freedesktop.thumbnails.Thumbnailer1", "portal-pick"]))
    }

    /// What stands in backquotes in the table “Which of these” of README.md.
    private func namedInTable() throws -> Set<String> {
        let text = try String(
            contentsOfFile: Programs.source.appending("README.md").string, encoding: .utf8)
        let parts = text.components(separatedBy: "### Which of these\n")
        try #require(parts.count == 2)
        let rows = parts[1].split(separator: "\n").prefix { !$0.hasPrefix("#") }
        return Set(
            rows.filter { $0.hasPrefix("|") }.joined().components(separatedBy: "`").enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element))
    }

    // MARK: - Setting up the window

    @Test(arguments: CallerKind.allCases)
    func `S3.20 an app sets up the window, hears of each change of the choice, and changes it`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let backend = try await session.picker.session.startBackend(
            "pick newest 3", "choose preselected; choose newest 4; hear; hear; pick chosen")
        let answers = try await session.answers(
            to: """
                chosen = []
                selection_name = "org.freedesktop.portal.PhotoSelection"
                def hear(changes, path=None):
                    chosen.append([str(item["id"]) for item in changes["items"]])
                    loop.quit()
                bus.add_signal_receiver(
                    hear, "SelectionChanged", selection_name, path_keyword="path")
                def heard(count):
                    while not chosen or len(chosen[-1]) != count:
                        loop.run()
                    return chosen[-1]
                _, given = wait(picker.PickImages("", "", {"max_count": dbus.UInt32(3)}))
                ids = [str(item["id"]) for item in given["items"]]
                handle = picker.PickImages("", "Send photos", {
                    "album": "recent", "only_album": True, "media_types": ["image/jpeg"],
                    "filter": dbus.Dictionary({"min_width": dbus.UInt32(1)}, signature="sv"),
                    "preselected": [ids[2], ids[0]], "accept_label": "Send", "ordered": True,
                    "min_count": dbus.UInt32(1), "max_count": dbus.UInt32(4),
                    "sources": ["library"], "continuous": True})
                selection = dbus.Interface(
                    bus.get_object("org.freedesktop.portal.PhotoPicker", handle), selection_name)
                heard(4)
                show("order", chosen[0] in ([ids[2], ids[0]], chosen[-1]))
                selection.Deselect([chosen[-1][1]])
                left = heard(3)
                show("deselected", left == [chosen[-2][0]] + chosen[-2][2:])
                selection.Update({"max_count": dbus.UInt32(2), "min_count": dbus.UInt32(1)})
                code, results = wait(handle)
                show("picked", code, [str(item["id"]) for item in results["items"]] == left[:2])
                """)
        #expect(answers == ["order True", "deselected True", "picked 0 True"])
        let request = try #require(backend.events.dropFirst().first)
        for option in [
            #""title":"Send photos""#, #""album":"recent""#, #""only_album":true"#,
            #""accept_label":"Send""#, #""ordered":true"#, #""min_count":1"#, #""max_count":4"#,
            #""continuous":true"#, #""media_types":["image/jpeg"]"#, #""sources":["library"]"#,
            #""min_width":1"#, #""preselected":["#,
        ] { #expect(request.contains(option), "\(option) in \(request)") }
        #expect(backend.events.contains { $0.contains("deselected") })
        #expect(backend.events.contains { $0.contains(#""max_count":2"#) })
    }
}
