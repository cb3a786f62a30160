// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Looking at one photo at a time.
@Suite(.serialized) struct PreviewTests {
    /// Waits until the preview shows the photo with this place among the others.
    private func see(_ place: String, in dialog: DialogSession) async throws {
        try await eventually("the photo \(place)") {
            try await dialog.person.texts().contains(place)
        }
    }

    @Test func `Enter opens the preview, in which keys move and choose`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("loaded 4")
        try await dialog.person.do("key Right Right Return")
        try await see("2 of 4", in: dialog)
        try await dialog.person.do("key space Right")
        try await see("3 of 4", in: dialog)
        #expect(try await dialog.person.texts().contains("Chosen: 1 of 3"))
        try await dialog.person.see("preview")
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("key End space Home")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("key Escape")
        try await dialog.person.do("photos 4")
        #expect(
            try await dialog.person.do("photos").pressed == [false, true, false, true])
        // The focus is on the photo that was shown last.
        #expect(
            try await dialog.person.do("photos").focused == [true, false, false, false])
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "4.jpg"])
    }

    @Test func `a double click opens the preview and chooses nothing`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        try await dialog.person.do("double-click 2")
        try await see("3 of 4", in: dialog)
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("press Choose this one")
        try await dialog.person.do("press Next")
        try await see("4 of 4", in: dialog)
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["3.jpg"])
    }

    @Test func `the preview of chosen photos leaves out the others`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        for index in [3, 0] { try await dialog.person.do("click \(index)") }
        try await dialog.person.do("key Return")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("press Show only what is chosen")
        try await see("2 of 2", in: dialog)
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["4.jpg", "1.jpg"])
    }

    /// The app got the new picture, which nobody had seen, or an error.
    @Test func `a photo that has changed by the time of the preview is no longer chosen`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click 1")
        try await dialog.person.do("click 0")
        dialog.service.signal(SIGSTOP)
        try dialog.home.write(
            Fixtures.bytes("jpeg/progressive.jpg"),
            to: dialog.home.pictures.appending("1.jpg"))
        try await dialog.person.do("key Return")
        try await see("1 of 3", in: dialog)
        try await eventually("the message") {
            try await dialog.person.texts().contains {
                $0.contains("1 file has changed or disappeared")
            }
        }
        #expect(try await dialog.person.texts().contains("Chosen: 1 photo"))
        dialog.service.signal(SIGCONT)
        // What is seen now can be chosen.
        try await dialog.person.do("key space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "1.jpg"])
    }
}
