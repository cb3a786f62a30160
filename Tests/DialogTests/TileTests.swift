// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// What tiles say besides their picture.
@Suite(.serialized) struct TileTests {
    @Test func `tiles say what is special, and the pointer what a photo is`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.write(
                Fixtures.bytes("video/moving.mp4"), to: home.pictures.appending("moving.mp4"))
            try home.write(
                Fixtures.bytes("formats/moving.gif"), to: home.pictures.appending("animated.gif"))
            try home.write(
                Fixtures.bytes("broken/header-only.jpg"),
                to: home.pictures.appending("broken.jpg"))
        }
        try await dialog.settle()
        let pick = try dialog.pick("--type", "image/*", "--type", "video/*")
        try await dialog.person.do("loaded 6")
        try await eventually("the kinds") {
            let texts = try await dialog.person.texts()
            return texts.contains("GIF") && texts.contains { $0.hasPrefix("0:") }
        }
        #expect(try await dialog.person.texts().contains("This photo is damaged"))
        #expect(try await dialog.person.texts().contains("broken.jpg"))
        let photos = try #require(try await dialog.person.do("photos").photos)
        let ordinary = try #require(photos.firstIndex { $0.contains("14 November 2023") })
        let tooltip = try await dialog.person.do("describe \(ordinary)").texts?.first
        #expect(tooltip?.contains(".jpg\n14 November 2023") == true)
        try await dialog.person.do("point \(ordinary)")
        try await dialog.person.see("badges")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// Both were called photos.
    @Test func `a video that cannot be shown is called a video, in the grid and in the preview`()
        async throws
    {
        let dialog = try await DialogSession { home in
            var bytes = try Fixtures.bytes("video/moving.mp4")
            let content = try #require(
                bytes.indices.first { bytes[$0...].starts(with: "mdat".utf8) })
            let size = bytes[(content - 4)..<content].reduce(0) { $0 << 8 | Int($1) }
            for index in content + 4..<min(content - 4 + size, bytes.count) { bytes[index] = 0 }
            try home.write(bytes, to: home.pictures.appending("broken.mp4"))
        }
        try await dialog.settle()
        let pick = try dialog.pick(
            "--type", "video/*", "--type", "image/*", "--filter", "newer_than=4000000000")
        let photos = try #require(try await dialog.person.do("photos 1").photos)
        try await dialog.person.do("loaded 1")
        #expect(photos[0].contains("The app needs photos and videos taken after"))
        try await dialog.person.wait(for: "the reason") {
            try await dialog.person.texts().contains("This video is damaged")
        }
        try await dialog.person.see("broken-video")
        try await dialog.person.do("key Right Return")
        try await dialog.person.wait(for: "the reason") {
            let texts = try await dialog.person.texts()
            return texts.contains("1 of 1") && texts.contains("This video is damaged")
        }
        try await dialog.person.see("broken-video-preview")
        try await dialog.person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `a photo that has a raw file beside its picture is one tile, which says so`()
        async throws
    {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.write(
                Fixtures.bytes("raw/adobe.dng"), to: home.pictures.appending("2.dng"))
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        let photos = try #require(try await dialog.person.do("photos 3").photos)
        try await dialog.person.do("loaded 3")
        try await eventually("the sign") {
            try await dialog.person.texts().contains("RAW + JPEG")
        }
        var described: [String] = []
        for index in photos.indices {
            described += try await dialog.person.do("describe \(index)").texts ?? []
        }
        #expect(described.filter { $0.hasSuffix("\nRAW + JPEG") }.count == 1, "\(described)")
        try await dialog.person.see("raw-and-picture")
        try await dialog.person.do("key ctrl+a")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(Set(pick.pickedNames) == ["1.jpg", "2.jpg", "3.jpg"])
    }

    @Test func `photos that break a rule of the app are dimmed, and say why`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(4)
            try home.addPictures(2)
        }
        try await dialog.settle()
        // 1.png and 2.png are older.
        let pick = try dialog.pick("--filter", "newer_than=1650000000")
        let photos = try #require(try await dialog.person.do("photos 6").photos)
        try await dialog.person.do("loaded 6")
        let reasons = photos.filter { $0.contains("The app needs photos taken after") }
        #expect(reasons.count == 2)
        try await dialog.person.do("click 5")
        try await eventually("the reason") {
            try await dialog.person.texts().contains {
                $0.hasPrefix("The app needs photos taken after")
            }
        }
        try await dialog.person.see("unfit")
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("key ctrl+a")
        try await eventually("the choice") {
            try await dialog.person.texts().contains("4 photos")
        }
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(Set(pick.pickedNames) == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
    }

    /// It looked like any other, and pressing the button had no effect but a message.
    @Test(arguments: [false, true])
    func `the preview of a photo that breaks a rule says why it cannot be chosen`(
        isSingle: Bool
    ) async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(1)
            try home.addPictures(1)
        }
        try await dialog.settle()
        let pick = try dialog.session.start(
            "portal-pick",
            ["--filter", "newer_than=1650000000"] + (isSingle ? ["--single"] : []))
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("magnify 1")
        try await eventually("the reason") {
            try await dialog.person.texts().contains {
                $0.hasPrefix("The app needs photos taken after")
            }
        }
        #expect(try await dialog.person.texts().contains("2 of 2"))
        try await dialog.person.see("preview-unfit")
        let button = isSingle ? "Select" : "'Choose this one'"
        #expect(try await dialog.person.do("enabled \(button)").enabled == false)
        try await dialog.person.do("key Left")
        try await eventually("the photo that fits") {
            try await dialog.person.do("enabled \(button)").enabled == true
        }
        #expect(
            try await !dialog.person.texts().contains {
                $0.hasPrefix("The app needs photos taken after")
            })
        try await dialog.person.do("press \(button)")
        if !isSingle { try await dialog.person.do("press Select") }
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg"])
    }
}
