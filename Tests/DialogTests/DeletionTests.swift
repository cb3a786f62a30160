// SPDX-License-Identifier: MIT

import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The question whether photos may be moved to the trash.
@Suite(.serialized) struct DeletionTests {
    @Test(arguments: [1, 8])
    func `the person sees the photos before they are in the trash`(count: Int) async throws {
        let (dialog, library, portals) = try await session(photos: 9)
        let ids = try await library.assets(in: "all").assets.prefix(count)
            .compactMap { $0.value("id", as: String.self) }
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.delete(
            ids, options: ["reason": "They are blurred.".variant])
        try await dialog.person.do("window")
        let texts = try await dialog.person.texts()
        let question =
            count == 1 ? "Move this photo to the trash?" : "Move these 8 photos to the trash?"
        #expect(texts.contains { $0.contains(question) }, "\(texts)")
        #expect(texts.contains { $0.contains("“They are blurred.”") })
        #expect(texts.contains("and 3 more") == (count == 8))
        // Screen readers say which photos they are.
        try await eventually("the photos by name") {
            try await dialog.person.texts().count { $0.hasPrefix("Photo, ") } == min(count, 5)
        }
        try await dialog.person.audit("deletion-\(count)")
        try await dialog.person.do("press 'Move to Trash'")
        try await dialog.person.do("no-window")
        #expect(try await answer.code == .success)
        #expect(try await library.assets(in: "all").total == UInt64(9 - count))
        withExtendedLifetime(portals) {}
    }

    @Test(arguments: [
        (["raw"], "Its raw file is moved as well."),
        (["live"], "Its video is moved as well."),
        (["raw", "live"], "Their raw files and videos are moved as well."),
        (["one"], "1 more picture of a burst is moved as well."),
        (["one", "many"], "4 more pictures of bursts are moved as well."),
    ])
    func `the person is told of the files that are not shown`(shots: [String], text: String)
        async throws
    {
        let (dialog, library, portals) = try await session { home in
            for (name, fixture) in [
                ("raw.jpg", "jpeg/baseline.jpg"), ("raw.dng", "raw/adobe.dng"),
                ("live.jpg", "live/photo.jpg"), ("live.mov", "live/video.mov"),
            ] where shots.contains(where: name.hasPrefix) {
                try home.write(
                    Fixtures.bytes(fixture), to: home.pictures.appending(FilePath(name).components))
            }
            for (index, (shot, count)) in [("one", 2), ("many", 4)].enumerated()
            where shots.contains(shot) {
                for number in 1...count {
                    let name = "IMG_20240101_12000\(index)_BURST00\(number).jpg"
                    try home.write(
                        Fixtures.bytes("jpeg/grey.jpg") + [UInt8(16 * index + number)],
                        to: home.pictures.appending(name))
                }
            }
        }
        let ids = try await eventually("\(shots)") {
            let photos = try await library.assets(in: "all").assets
            return photos.count == shots.count
                ? photos.compactMap { $0.value("id", as: String.self) } : nil
        }
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.delete(ids)
        try await dialog.person.do("window")
        let texts = try await dialog.person.texts()
        #expect(texts.contains(text), "\(texts)")
        try await dialog.person.see("deletion-\(shots.joined(separator: "-"))")
        try await dialog.person.do("press 'Move to Trash'")
        #expect(try await answer.code == .success)
        #expect(names(in: dialog.home.pictures) == [])
        withExtendedLifetime(portals) {}
    }

    /// They were called photos.
    @Test(arguments: [
        (1, 0, "Move this video to the trash?", "You can restore videos from the trash."),
        (2, 0, "Move these 2 videos to the trash?", "You can restore videos from the trash."),
        (
            1, 1, "Move these 2 photos and videos to the trash?",
            "You can restore photos and videos from the trash."
        ),
    ])
    func `the person is asked about videos as such`(
        videos: Int, photos: Int, question: String, consolation: String
    ) async throws {
        let (dialog, library, portals) = try await session { home in
            for number in 0..<videos {
                try home.write(
                    Fixtures.bytes("video/moving.mp4") + [UInt8(number)],
                    to: home.pictures.appending("\(number).mp4"))
            }
            if photos > 0 { try home.addPhotos(photos) }
        }
        let ids = try await library.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        #expect(ids.count == videos + photos)
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.delete(ids)
        try await dialog.person.do("window")
        let texts = try await dialog.person.texts()
        #expect(texts.contains { $0.contains(question) }, "\(texts)")
        #expect(texts.contains { $0.contains(consolation) }, "\(texts)")
        try await dialog.person.see("deletion-videos-\(videos)-\(photos)")
        try await dialog.person.do("press Cancel")
        #expect(try await answer.code == .cancelled)
        withExtendedLifetime(portals) {}
    }

    @Test(arguments: ["key Escape", "press Cancel", "close"])
    func `who does not agree keeps the photos`(command: String) async throws {
        let (dialog, library, portals) = try await session(photos: 2)
        let ids = try await library.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        let client = await RequestClient(on: try await dialog.session.connect())
        let request = Task { try await client.delete(ids) }
        try await dialog.person.do("window")
        if command == "close" {
            request.cancel()
        } else {
            try await dialog.person.do(command)
            #expect(try await request.value.code == .cancelled)
        }
        try await dialog.person.do("no-window")
        #expect(try await library.assets(in: "all").total == 2)
        withExtendedLifetime(portals) {}
    }

    @Test func `the reason of an app stays inside its quotation marks`() async throws {
        let (dialog, library, portals) = try await session(photos: 1)
        let ids = try await library.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        let client = await RequestClient(on: try await dialog.session.connect())
        async let answer = client.delete(
            ids, options: ["reason": "a\u{202E}b\nc\u{336}\u{336}\u{336}\u{336}".variant])
        try await dialog.person.do("window")
        let texts = try await dialog.person.texts()
        #expect(texts.contains("“a\u{FFFD}b c\u{336}\u{336}\u{336}”"), "\(texts)")
        try await dialog.person.do("press Cancel")
        #expect(try await answer.code == .cancelled)
        withExtendedLifetime(portals) {}
    }

    private func session(
        photos: Int
    ) async throws -> (DialogSession, LibraryClient, PortalStack) {
        try await session { try $0.addPhotos(photos) }
    }

    private func session(
        _ arrange: (TestHome) throws -> Void
    ) async throws -> (DialogSession, LibraryClient, PortalStack) {
        let dialog = try await DialogSession(fill: arrange)
        try await dialog.settle()
        let portals = try await PortalStack.start(on: dialog.session, [.permissionStore])
        try await dialog.session.setLibraryPermission("yes", of: "")
        let library = LibraryClient(on: try await dialog.session.connect())
        return (dialog, library, portals)
    }
}
