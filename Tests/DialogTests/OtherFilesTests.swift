// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage
import TestSupport
import Testing

/// Files from outside the library: opened in the file dialog, dropped on the window, or pasted.
@Suite(.serialized) struct OtherFilesTests {
    private func session(_ count: Int = 2) async throws -> DialogSession {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            if count > 0 { try home.addPhotos(count) }
            try home.write(
                Fixtures.bytes("orientation/6.jpg"), to: home.home.appending("elsewhere.jpg"))
            try home.write(
                Fixtures.bytes("png/rgb.png"), to: home.home.appending("drawing.png"))
            try home.write(Array("no picture".utf8), to: home.home.appending("notes.jpg"))
        }
        try await dialog.settle()
        return dialog
    }

    private func items(_ pick: ChildProcess) throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(pick.outputText.utf8))
        return try #require((json as? [String: Any])?["items"] as? [[String: Any]])
    }

    @Test func `a file from elsewhere is chosen beside photos`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--format", "json")
        try await person.do("photos 2")
        try await person.do("click 0")
        try await person.see("other-files-sidebar")
        try await person.do("press Other Files…")
        try await person.nameFile(dialog.home.home.appending("elsewhere.jpg"))
        try await eventually("both") { try await person.do("tray").photos?.count == 2 }
        try await person.see("other-files")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        let items = try items(pick)
        #expect(items.map { $0["source"] as? String } == ["library", "files"])
        #expect(items.last?["name"] as? String == "elsewhere.jpg")
        #expect(
            items.last?["uri"] as? String
                == "file://\(dialog.home.home.appending("elsewhere.jpg"))")
    }

    /// It was called a photo.
    @Test func `a video from elsewhere has its name in the preview`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let video = dialog.home.home.appending("film.mp4")
        try dialog.home.write(Fixtures.bytes("video/moving.mp4"), to: video)
        let pick = try dialog.pick("--single", "--type", "image/*", "--type", "video/*")
        try await person.do("photos 2")
        try await person.do("key ctrl+o")
        try await person.nameFile(video)
        try await person.wait(for: "the name of the video") {
            try await person.texts().contains {
                $0.hasPrefix("Video, ") && $0.hasSuffix(", 1 of 1, selected")
            }
        }
        try await person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(pick.pickedNames == ["film.mp4"])
    }

    @Test func `where one photo is wanted, a file from elsewhere is shown by itself`() async throws
    {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--single")
        try await person.do("photos 2")
        try await person.do("key ctrl+o")
        try await person.nameFile(dialog.home.home.appending("elsewhere.jpg"))
        try await person.wait(for: "the preview") { try await person.texts().contains("1 of 1") }
        try await person.do("press Back")
        try await person.do("photos 2")
        // Nothing is chosen any more.
        #expect(try await person.do("enabled Select").enabled == false)
        try await person.do("key ctrl+o")
        try await person.nameFile(dialog.home.home.appending("elsewhere.jpg"))
        try await person.wait(for: "the preview") {
            try await person.texts().contains("1 of 1")
        }
        try await person.see("other-files-single")
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(pick.pickedNames == ["elsewhere.jpg"])
    }

    @Test func `what is no picture, or not what the app asked for, is not chosen`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--type", "image/jpeg", "--filter", "min_width=900")
        try await person.do("photos 2")
        for (file, text) in [
            ("notes.jpg", "“notes.jpg” is not a photo or video that can be shown"),
            ("drawing.png", "“drawing.png” is not what the app asked for"),
            ("elsewhere.jpg", "The app needs photos at least 900 pixels wide"),
        ] {
            try await person.do("key ctrl+o")
            try await person.nameFile(dialog.home.home.appending(file))
            try await person.wait(for: "the reason: \(text)") {
                try await person.texts().contains(text)
            }
        }
        #expect(try await person.do("tray").photos == [])
        try await person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    @Test func `without a library the window asks for files`() async throws {
        let dialog = try await session(0)
        let person = dialog.person
        let pick = try dialog.pick("--source", "files", "--single", "--immediate")
        try await eventually("the page") {
            try await person.texts().contains("Open files, or drop or paste them here.")
        }
        try await person.see("other-files-alone")
        try await person.do("press Other Files…")
        try await person.nameFile(dialog.home.home.appending("elsewhere.jpg"))
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(pick.pickedNames == ["elsewhere.jpg"])
    }

    @Test func `files are pasted`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--format", "json")
        try await person.do("photos 2")
        try await person.do("copy \(dialog.home.home.appending("elsewhere.jpg"))")
        try await person.do("key ctrl+v")
        try await eventually("the file") { try await person.do("tray").photos?.count == 1 }
        // The same file again is the same photo.
        try await person.do("key ctrl+v")
        try await person.do("click 0")
        try await eventually("both") { try await person.do("tray").photos?.count == 2 }
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(try items(pick).map { $0["source"] as? String } == ["clipboard", "library"])
    }

    @Test func `a picture on the clipboard becomes a file`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--format", "json", "--single")
        try await person.do("photos 2")
        try await person.do("key ctrl+v")
        try await eventually("the reason") {
            try await person.texts().contains("There is no photo on the clipboard")
        }
        try await person.do("copy-picture \(dialog.home.home.appending("drawing.png"))")
        try await person.do("key ctrl+v")
        try await person.wait(for: "the preview") {
            try await person.texts().contains("1 of 1")
        }
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        let item = try #require(try items(pick).first)
        #expect(item["source"] as? String == "clipboard")
        #expect(item["media_type"] as? String == "image/png")
        #expect(item["name"] as? String == "Pasted picture.png")
    }

    @Test func `files are dropped on the window`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--format", "json")
        try await person.do("photos 2")
        try await person.do("drop \(dialog.home.home.appending("elsewhere.jpg"))")
        try await eventually("the file") { try await person.do("tray").photos?.count == 1 }
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(try items(pick).map { $0["source"] as? String } == ["files"])
    }

    @Test func `an app that wants the library alone gets nothing else`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--source", "library")
        try await person.do("photos 2")
        #expect(!(try await person.texts().contains("Other Files…")))
        try await person.do("key ctrl+o")
        try await person.do("copy \(dialog.home.home.appending("elsewhere.jpg"))")
        try await person.do("key ctrl+v")
        try await person.do("click 0")
        try await eventually("the photo") { try await person.do("tray").photos?.count == 1 }
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(pick.pickedNames == ["1.jpg"])
    }
}

extension Person {
    /// Names a file in the file dialog as a person does who knows where it is.
    func nameFile(_ path: FilePath) async throws {
        try await self.do("other-window Other Files")
        try await self.do("key ctrl+l")
        try await self.do("field")
        try await self.do("type \(path)")
        // GTK 4.18 completes names while others are typed, and leaves what does not belong there behind.
        try await self.do("key shift+End Delete")
        try await see("other-files-dialog")
        try await self.do("confirm-window Other Files")
    }
}
