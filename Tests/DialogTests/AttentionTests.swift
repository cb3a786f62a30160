// SPDX-License-Identifier: MIT

import Glibc
import SystemPackage
import TestSupport
import Testing

/// What the person can have meant, and what the app says in our window.
@Suite(.serialized) struct AttentionTests {
    @Test(arguments: [[], ["--sheet", "--no-immediate"]])
    func `keys that are pressed while the window appears do not answer for the person`(
        options: [String]
    ) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try await dialog.pickInterrupted(
            by: "rash-key --delay 20", options)
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("photos").pressed == [false, false, false])
        try await dialog.person.do("click 1")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `keys that a busy window handles late do not answer for the person either`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try await dialog.pickInterrupted(
            by: "frozen-key \(dialog.dialog.processID) --delay 20")
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("photos").pressed == [false, false, false])
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `with immediate a click just after photos have moved delivers none`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        var found: (pick: ChildProcess, count: Int)?
        for count in 4...40 where found == nil {
            let pick = try dialog.pick("--single", "--immediate")
            try await dialog.person.do("loaded \(count - 1)")
            let photo = dialog.home.scratch.appending("new")
            try dialog.home.write(
                Fixtures.bytes("jpeg/baseline.jpg") + Array("new \(count)".utf8), to: photo)
            let place = dialog.home.pictures.appending("new\(count).jpg")
            let click = try await dialog.person.attempt(
                "rash-click \(dialog.dialog.processID) \(photo) \(place)")
            if click.busy == true {
                found = (pick, count)
            } else {
                // On a busy machine it may come too late.
                _ = try await pick.stop()
                try await dialog.person.do("no-window")
            }
        }
        let (pick, count) = try #require(found)
        try await eventually("the reason") {
            try await dialog.person.texts().contains("The list has just changed. Please try again.")
        }
        try await dialog.person.do("click \(count - 3)")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg"])
    }

    @Test func `Escape works from the first moment`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await eventually("the end") {
            _ = try await dialog.person.attempt("rash-key Escape")
            return try await dialog.person.attempt("no-window 1").ok
        }
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `a press that was dragged away leaves nothing behind`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(6) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 6")
        try await dialog.person.do("click 0")
        try await dialog.person.do("drag 4 shift")
        #expect(try await dialog.person.do("photos").pressed?.filter { $0 }.count == 1)
        // The next choice is not extended by the Shift of that press.
        try await dialog.person.do("choose 4")
        #expect(
            try await dialog.person.do("photos").pressed == [
                true, false, false, false, true, false,
            ]
        )
        // And keys act on the photo that has the focus.
        try await dialog.person.do("key Left space")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg", "5.jpg", "4.jpg"])
    }

    @Test func `the title that an app gives is quoted`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--title", "System update needs your password")
        try await dialog.person.do("photos 3")
        #expect(
            try await dialog.person.do("window").title == "“System update needs your password”")
        let texts = try await dialog.person.texts()
        #expect(texts.contains("“System update needs your password”"))
        #expect(!texts.contains("System update needs your password"))
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `a Select that cannot be pressed says why`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--min", "2")
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        let texts = try await dialog.person.do("tooltip Select").texts
        #expect(texts?.contains("Choose at least 2 photos") == true)
        try await dialog.person.see("tooltip")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test(arguments: [
        (["video/mp4"], "Choose Videos", "No videos yet"),
        (["image/*", "video/*"], "Choose Photos or Videos", "No photos or videos yet"),
        (["image/png"], "Choose Photos", "No photos in Pictures yet"),
    ])
    func `the words are those for the types that the app wants`(
        types: [String], title: String, empty: String
    ) async throws {
        let dialog = try await DialogSession()
        try await dialog.settle()
        let pick = try dialog.session.start("portal-pick", types.flatMap { ["--type", $0] })
        #expect(try await dialog.person.do("window").title == title)
        try await eventually("the empty page") {
            try await dialog.person.texts().contains(empty)
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }
}

extension DialogSession {
    /// A pick while whose window appeared keys were pressed, all of them while it was still busy.
    ///
    /// - Parameters:
    ///   - command: The person's command, without the keys.
    ///   - options: Further options of the pick.
    fileprivate func pickInterrupted(
        by command: String, _ options: [String] = []
    ) async throws -> ChildProcess {
        try await eventually("keys that come in time") {
            // Without a minimum, Ctrl+Enter could finish at once.
            let pick = try session.start("portal-pick", ["--min", "0"] + options)
            let keys = "ctrl+Return Right space ctrl+Return ctrl+a ctrl+Return"
            if try await person.attempt("\(command) \(keys)").busy == true { return pick }
            // On a busy machine they may have come later, and counted.
            _ = try await pick.stop()
            try await person.do("no-window")
            return nil
        }
    }
}
