// SPDX-License-Identifier: MIT

import Glibc
import SystemPackage
import TestSupport
import Testing

/// Choosing with the keyboard: the photo that a key acts on, and keys that are held.
@Suite(.serialized) struct KeyboardTests {
    /// A key that repeats as often as on a keyboard in one and a half seconds.
    private static func held(_ key: String) -> String {
        "key --delay 40 " + Array(repeating: key, count: 36).joined(separator: " ")
    }

    /// The message was dismissed a second time while it was disappearing, and the
    /// process died.
    @Test(arguments: ["shift+Right", "ctrl+a", "space"])
    func `a key held at the limit leaves the window open`(key: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(12) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "2")
        try await dialog.person.do("photos 12")
        for index in [0, 1, 2] { try await dialog.person.do("click \(index)") }
        for _ in 0..<3 { try await dialog.person.do(Self.held(key)) }
        #expect(try await dialog.person.texts().contains("2 of 2"))
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
    }

    /// It was chosen and left again with each repetition, and the last one decided.
    @Test func `a key held on a photo chooses it once`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("key Right Right")
        // Over again, because the number of repetitions is by chance even or odd.
        for isChosen in [true, false, true, false, true] {
            try await dialog.person.do("hold space")
            #expect(try await dialog.person.do("photos").pressed == [false, isChosen, false])
        }
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
    }

    /// Select had the focus and could not be pressed any more, or an album had it and disappeared: GTK
    /// gave it to Cancel, or to nothing and with the next key to Cancel.
    @Test(arguments: [
        "key shift+Tab|resize 400 600", "key shift+Tab|press Albums", "key shift+Tab|key F9",
        "key Tab Tab|key ctrl+shift+a",
    ])
    func `no key cancels after what had the focus has gone`(steps: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        for step in steps.split(separator: "|") { try await dialog.person.do(String(step)) }
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?.contains(true) == true
        }
        try await dialog.person.do("key Right space")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(!pick.pickedNames.isEmpty)
    }

    @Test func `the photo that keys act on has a ring, until the mouse is used`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(6) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let plain = try await dialog.person.do("edge 1").colour
        try await dialog.person.do("key Right Right")
        try await dialog.person.see("focus-ring")
        #expect(try await dialog.person.do("edge 1").colour != plain)
        #expect(try await dialog.person.do("edge 2").colour == plain)
        try await dialog.person.do("key space Right")
        try await dialog.person.see("focus-ring-chosen")
        #expect(try await dialog.person.do("edge 1").colour == plain)
        #expect(try await dialog.person.do("edge 2").colour != plain)
        try await dialog.person.do("click 0")
        try await eventually("the end of the ring") {
            try await dialog.person.do("edge 2").colour == plain
        }
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "1.jpg"])
    }

    /// The range began at an index that no longer existed.
    @Test func `a range that began at a photo that is gone does not end the process`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(6) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 6")
        try await dialog.person.do("click 5")
        for number in 4...6 {
            try dialog.home.removePhoto("\(number).jpg")
        }
        try await dialog.person.do("count 3")
        try await dialog.person.do("click 0 shift")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg"])
    }

    /// Space acted on the photo that the arrow keys had reached last.
    @Test func `Space acts on the photo that has the focus`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 5")
        try await dialog.person.do("key Right Right Right")
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?[2] == true
        }
        try await dialog.person.do("key Tab")
        try await eventually("another focus") {
            try await dialog.person.do("photos").focused?[2] == false
        }
        if try await dialog.person.do("photos").focused?.contains(true) == false {
            try await dialog.person.do("key shift+Tab")
        }
        try await eventually("a photo with the focus") {
            try await dialog.person.do("photos").focused?.contains(true) == true
        }
        try await dialog.person.do("key space")
        try await eventually("a choice") {
            try await dialog.person.do("photos").pressed?.contains(true) == true
        }
        let photos = try await dialog.person.do("photos")
        #expect(photos.pressed == photos.focused)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// Tab stopped at every photo.
    @Test func `Tab leaves the photos, and comes back to the same one`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 5")
        try await dialog.person.do("key Right Right Right")
        let third = [false, false, true, false, false]
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused == third
        }
        try await dialog.person.do("key Tab")
        try await eventually("the end of the photos") {
            try await dialog.person.do("photos").focused?.contains(true) == false
        }
        try await dialog.person.do("key shift+Tab")
        try await eventually("the same photo") {
            try await dialog.person.do("photos").focused == third
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// Opens the first of two albums, which has three photos.
    private func openGarden() async throws -> (DialogSession, ChildProcess) {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3, in: "Garden")
            try home.addPhotos(2, in: "Sea")
        }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("photos 5")
        try await dialog.person.do("album Garden, 3 photos")
        try await dialog.person.do("count 3")
        return (dialog, pick)
    }

    /// The focus went to Cancel, and the next Space gave everything up.
    @Test func `hiding the albums gives the focus back to the photos`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        try await dialog.person.do("key Right shift+Tab F9")
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?.contains(true) == true
        }
        try await dialog.person.do("key Right space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames.count == 1)
    }

    /// The first Tab went to Cancel, past the photos that had the focus without showing it.
    @Test(arguments: [[], ["--sheet", "--no-immediate"]])
    func `Tab in a new window shows the photo that keys act on, and the next one goes on`(
        request: [String]
    ) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.session.start("portal-pick", ["--max", "3"] + request)
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("key Tab")
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?.first == true
        }
        try await dialog.person.see("tab\(request.first ?? "-grid")")
        try await dialog.person.do("key space")
        #expect(try await dialog.person.do("photos").pressed?.first == true)
        try await dialog.person.do("key Tab")
        try await eventually("something else") {
            try await dialog.person.do("photos").focused?.contains(true) == false
        }
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg"])
    }

    /// Tab led through all albums after it.
    @Test func `keys act on the photos of an album that was just opened`() async throws {
        let (dialog, pick) = try await openGarden()
        try await dialog.person.do("key Right Right space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["Garden2.jpg"])
    }

    @Test(arguments: ["Tab", "shift+Tab"])
    func `Tab goes from the photos to everything else and back`(key: String) async throws {
        let (dialog, pick) = try await openGarden()
        try await dialog.person.do("key Right")
        var seen: Set<String> = []
        try await eventually("the albums, something else, and the photos again") { () -> Bool in
            try await dialog.person.do("key \(key)")
            let album = try await dialog.person.do("albums").focused ?? []
            let photo = try await dialog.person.do("photos").focused ?? []
            guard !photo.contains(true) else { return seen.count == 2 }
            // The first album to get the focus from the photos is the one that is shown.
            if album.contains(true), key == "shift+Tab", seen.isEmpty { #expect(album[1]) }
            seen.insert(album.contains(true) ? "albums" : "else")
            return false
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The highlight moved with the focus.
    @Test func `the highlighted album is the one that is shown`() async throws {
        let (dialog, pick) = try await openGarden()
        let garden = [false, true, false]
        try await eventually("the highlight") {
            try await dialog.person.do("albums").selected == garden
        }
        for key in ["Down", "shift+Tab", "Tab", "Up", "Up"] {
            try await dialog.person.do("key \(key)")
            #expect(try await dialog.person.do("albums").selected == garden)
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The second Enter delivered the first photo and left the second one out.
    @Test func `Enter looks at a photo where several may be chosen, and does not finish`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("photos 5")
        try await dialog.person.do("key Right Return space Escape Right Return space")
        try await eventually("the choice") {
            try await dialog.person.texts().contains("Chosen: 2 of 3")
        }
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg", "2.jpg"])
    }

    @Test func `Ctrl+Shift+A clears the choice`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 5")
        try await dialog.person.do("key ctrl+a")
        #expect(try await dialog.person.texts().contains("5 photos"))
        try await dialog.person.do("key ctrl+shift+a")
        #expect(try await dialog.person.do("photos").pressed?.contains(true) == false)
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The first photo was left out, and the range never shrank.
    @Test func `Shift with an arrow includes the first photo, and shrinks`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 5")
        try await dialog.person.do("key Right shift+Right shift+Right")
        #expect(
            try await dialog.person.do("photos").pressed == [true, true, true, false, false])
        try await dialog.person.do("key shift+Left")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg", "2.jpg"])
    }

    /// Escape cancelled the request.
    @Test func `Escape on the page of albums goes back to the photos`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3, in: "Garden")
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("resize 400 600")
        try await eventually("the end of the movement") {
            try await dialog.person.do("place Photos").x == 4
        }
        try await dialog.person.do("key F9")
        try await eventually("the albums") {
            try await dialog.person.do("place Albums").width ?? 0 > 300
        }
        try await dialog.person.do("key Escape")
        try await eventually("the photos") {
            try await dialog.person.do("place Photos").x == 4
        }
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    /// Ctrl+Enter finished, and Select could not be pressed.
    @Test(arguments: ["press Select", "key ctrl+Return"])
    func `if an empty choice is allowed, the button and the key finish with it`(
        command: String
    ) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--min", "0")
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("enabled Select").enabled == true)
        try await dialog.person.do(command)
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.outputText.isEmpty)
    }

    /// The arrow went to the newest photo, far above.
    @Test func `without a focus, an arrow begins at the first photo in view`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(400) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let photos = try await dialog.scroll(80)
        try await dialog.person.do("key Down")
        let focused = try await eventually("a focus") {
            let photos = try await dialog.person.do("photos")
            return photos.focused?.firstIndex(of: true).map { photos.photos?[$0] }
        }
        #expect(focused.map { photos.contains($0) } == true)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The keyval of the key is another letter.
    @Test func `Ctrl+A works while another script is being typed`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(5) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 5")
        try await dialog.person.do("layout ru,us")
        // The key beside Caps Lock.
        _ = try await dialog.person.attempt("key ctrl+38")
        let texts = try await dialog.person.texts()
        _ = try await dialog.person.attempt("key ctrl+shift+38")
        let later = try await dialog.person.texts()
        try await dialog.person.do("layout us")
        #expect(texts.contains("5 photos"))
        #expect(!later.contains("5 photos"))
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The rows were made again, and the next key acted on something else.
    @Test func `the focus stays on its album when another one appears`() async throws {
        let (dialog, pick) = try await openGarden()
        try await dialog.person.do("key shift+Tab")
        try await eventually("the focus") {
            try await dialog.person.do("albums").focused == [false, true, false]
        }
        try dialog.home.addPhotos(1, in: "Autumn")
        let albums = try await eventually("the album") {
            let albums = try await dialog.person.do("albums")
            return albums.albums?.contains("Autumn, 1 photo") == true ? albums : nil
        }
        #expect(
            albums.albums == [
                "All photos, 6 photos", "Autumn, 1 photo", "Garden, 3 photos", "Sea, 2 photos",
            ])
        #expect(albums.focused == [false, false, true, false])
        try await dialog.person.see("album-appeared")
        try await dialog.person.do("key Down Return")
        try await dialog.person.do("count 2")
        try await dialog.person.do("key shift+Tab")
        // And once the last photo of another one has gone.
        try dialog.home.removePhoto("Autumn/Autumn1.jpg")
        try await eventually("the end of the album") {
            try await dialog.person.do("albums").focused == [false, false, true]
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }
}
