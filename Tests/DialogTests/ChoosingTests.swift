// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Choosing photos with mouse and keyboard, in a real window.
@Suite(.serialized) struct ChoosingTests {
    @Test func `photos come back in the order in which they were clicked`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(9) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "5", "--ordered", "--reason", "For a test")
        try await dialog.person.do("window")
        try await dialog.person.do("photos 9")
        try await dialog.person.do("loaded 9")
        for index in [5, 0, 7] { try await dialog.person.do("click \(index)") }
        let texts = try await dialog.person.texts()
        #expect(texts.contains("3 of 5"))
        #expect(texts.contains("“For a test”"))
        #expect(texts.contains { $0.hasSuffix(", selected 2 of 3") })
        #expect(texts.contains("Choose Photos"))
        let photos = try await dialog.person.do("photos")
        #expect(photos.pressed?.filter { $0 }.count == 3)
        try await dialog.person.see("ordered")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["6.jpg", "1.jpg", "8.jpg"])
        try await dialog.person.do("no-window")
    }

    @Test func `a photo whose file is exchanged after the click is not delivered`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3", "--format", "json")
        try await dialog.person.do("photos 3")
        try await dialog.person.do("loaded 3")
        for index in 0...2 { try await dialog.person.do("click \(index)") }
        // The window hears of the change later than of the key.
        dialog.dialog.signal(SIGSTOP)
        // Of the same size and date, under the same name.
        let path = dialog.home.pictures.appending("2.jpg")
        let size = try #require(try Descriptor.openForReading(path).byteCount)
        let other = try Fixtures.bytes("jpeg/grey.jpg")
        try dialog.home.write(
            other + [UInt8](repeating: 0, count: max(size - other.count, 0)), to: path)
        dialog.home.setDate(of: path, 1_700_000_000 - 120)
        let (status, _, errors) = try await dialog.session.run(
            "xdotool", ["key", "ctrl+Return"], environment: Display.shared.value.environment)
        #expect(status == 0, "\(errors)")
        dialog.dialog.signal(SIGCONT)
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.outputText.contains("\"changed\""), "\(pick.outputText)")
        #expect(pick.outputText.contains("“2.jpg” has been changed"))
        #expect(!pick.outputText.contains("2.jpg\""))
        #expect(pick.outputText.contains("1.jpg") && pick.outputText.contains("3.jpg"))
    }

    @Test(arguments: ["touch", "mv", "chmod 600"])
    func `a chosen photo that changes is chosen no longer, and the person is told`(
        change: String
    ) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("loaded 3")
        let before = try await dialog.person.do("photos").photos
        try await dialog.person.do("click 1")
        let path = dialog.home.pictures.appending("2.jpg").string
        let words = change.split(separator: " ").map(String.init)
        let target = change == "mv" ? [dialog.home.pictures.appending("other.jpg").string] : []
        let (status, _, errors) = try await dialog.session.run(
            words[0], words.dropFirst() + [path] + target)
        #expect(status == 0, "\(errors)")
        try await eventually("the notice") {
            try await dialog.person.texts().contains(
                "1 file has changed or disappeared, and is no longer chosen")
        }
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        // It can be chosen as it is now; the photos do not say when they were taken, so the newest file is first.
        let place = change == "touch" ? 0 : 1
        if change == "touch" {
            try await eventually("the new place") {
                // Each photo is named after its date.
                try await dialog.person.do("photos 3").photos?.first != before?.first
            }
        }
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click \(place)")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == [change == "mv" ? "other.jpg" : "2.jpg"])
    }

    @Test func `a click beyond the limit changes nothing and says why`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(6) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "2")
        try await dialog.person.do("photos 6")
        for index in [0, 1, 2] { try await dialog.person.do("click \(index)") }
        let texts = try await dialog.person.texts()
        #expect(texts.contains("2 of 2"))
        #expect(texts.contains("You can choose up to 2 photos"))
        #expect(
            try await dialog.person.do("photos").pressed == [
                true, true, false, false, false, false,
            ])
        // Removing a photo is always allowed.
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.do("photos").pressed?.first == false)
        try await dialog.person.do("press Select")
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == ["2.jpg"])
    }

    /// It was a label like any other, which appeared in silence.
    @Test func `a refusal is an alert for a screen reader`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "2")
        try await dialog.person.do("photos 3")
        for index in 0...2 { try await dialog.person.do("click \(index)") }
        let role = try await dialog.person.do("role You can choose up to 2 photos").role
        #expect(["alert", "notification"].contains(role))
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `a refusal right after another one can be read as long as the first`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "2")
        try await dialog.person.do("photos 4")
        for index in [0, 1] { try await dialog.person.do("choose \(index)") }
        let clock = ContinuousClock()
        let first = clock.now
        var last = first
        var index = 2
        while first.duration(to: last) < .seconds(2.5) {
            last = clock.now
            try await dialog.person.do("click \(index)")
            // The other photo next: another click of this one would be that of a double click.
            index = 5 - index
        }
        try await eventually("the end of the message") {
            try await !dialog.person.texts().contains("You can choose up to 2 photos")
        }
        #expect(last.duration(to: clock.now) > .seconds(3))
        try await pick.stop(SIGTERM)
    }

    @Test func `with a limit of one the choice moves, and a double click finishes`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("photos 4")
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("click 0")
        try await dialog.person.do("click 2")
        #expect(try await dialog.person.do("photos").pressed == [false, false, true, false])
        #expect(try await dialog.person.do("enabled Select").enabled == true)
        try await dialog.person.do("double-click 1")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    /// The second press hit a photo on the page that the first one had shown.
    @Test(arguments: [["--single", "--immediate"], []])
    func `a double click on an album chooses no photo`(options: [String]) async throws {
        let dialog = try await DialogSession {
            try $0.addPhotos(4)
            try $0.addPhotos(4, in: "Holiday")
        }
        try await dialog.settle()
        let pick = try dialog.session.start("portal-pick", options)
        try await dialog.person.do("photos 8")
        try await dialog.person.do("resize 400 600")
        try await dialog.person.do("key F9")
        try await dialog.person.do("slow-double-album Holiday, 4 photos")
        try await dialog.person.do("count 4")
        #expect(try await dialog.person.do("photos").pressed == [false, false, false, false])
        // The next click counts.
        try await dialog.person.do("click 1")
        if options.isEmpty { try await dialog.person.do("key ctrl+Return") }
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["Holiday2.jpg"])
    }

    @Test func `a double click finishes at its second press`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("point 1")
        let environment = try await Display.shared.value.environment
        let (status, _, errors) = try await dialog.session.run(
            "xdotool", ["click", "1", "sleep", "0.06", "mousedown", "1"], environment: environment)
        #expect(status == 0, "\(errors)")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
        _ = try await dialog.session.run("xdotool", ["mouseup", "1"], environment: environment)
    }

    @Test func `a double click that a busy window hears of late finishes`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("point 1")
        dialog.dialog.signal(SIGSTOP)
        let (status, _, errors) = try await dialog.session.run(
            "xdotool", ["click", "--repeat", "2", "--delay", "60", "1"],
            environment: Display.shared.value.environment)
        #expect(status == 0, "\(errors)")
        dialog.dialog.signal(SIGCONT)
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `two slow clicks that a busy window hears of at once count twice`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        try await dialog.person.do("point 1")
        dialog.dialog.signal(SIGSTOP)
        // Double clicks are shorter than 0.4 s.
        let (status, _, errors) = try await dialog.session.run(
            "xdotool", ["click", "--repeat", "2", "--delay", "800", "1"],
            environment: Display.shared.value.environment)
        #expect(status == 0, "\(errors)")
        dialog.dialog.signal(SIGCONT)
        try await dialog.person.do("click 3")
        #expect(try await dialog.person.do("photos").pressed == [false, false, false, true])
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `every click counts, whenever the button is released`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(9) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 9")
        let environment = try await Display.shared.value.environment
        var places: [String] = []
        for photo in 0..<9 {
            try await dialog.person.do("point \(photo)")
            let (_, place, _) = try await dialog.session.run(
                "xdotool", ["getmouselocation", "--shell"], environment: environment)
            let numbers = place.split(separator: "\n").prefix(2).map { $0.dropFirst(2) }
            places.append(numbers.joined(separator: " "))
        }
        for round in 0..<6 {
            // About 1 ms after a press GTK looks where the pointer is, in some clicks of each run just
            // before it hears of the release. The first pause prevents double clicks, and during the last
            // one the pointer stays: until the window manager has looked at a press, X holds back the
            // release, and then reports it where the pointer is by that time.
            let commands = places.enumerated().map { photo, place in
                let duration = 0.0008 + Double(photo) * 0.0001
                let press = "mousedown 1 sleep \(duration) mouseup 1"
                return "mousemove \(place) sleep 0.02 \(press) sleep 0.1"
            }
            let clicks = commands.joined(separator: " ").split(whereSeparator: \.isWhitespace)
            let (status, _, errors) = try await dialog.session.run(
                "xdotool", ["sleep", "0.5"] + clicks.map(String.init), environment: environment)
            #expect(status == 0, "\(errors)")
            let wanted = Array(repeating: round.isMultiple(of: 2), count: 9)
            try await eventually("choice of round \(round)", is: wanted) {
                try await dialog.person.do("photos").pressed
            }
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `with immediate the first click finishes`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--single", "--immediate")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("click 3")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["4.jpg"])
    }

    @Test func `Shift chooses a range`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(8) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 8")
        try await dialog.person.do("click 1")
        try await dialog.person.do("click 4 shift")
        #expect(try await dialog.person.texts().contains("4 photos"))
        try await dialog.person.do("press Select")
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == ["2.jpg", "3.jpg", "4.jpg", "5.jpg"])
    }

    @Test func `the keyboard is enough`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(9) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("photos 9")
        // The focus starts at the photos.
        try await dialog.person.do("key Right")
        #expect(try await dialog.person.do("photos").focused?.first == true)
        try await dialog.person.do("key space")
        try await dialog.person.do("key End")
        #expect(try await dialog.person.do("photos").focused?.last == true)
        try await dialog.person.do("key space Left Left space")
        #expect(try await dialog.person.texts().contains("3 of 3"))
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg", "9.jpg", "7.jpg"])
    }

    @Test func `up and down stay in the column`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(12) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("photos 12")
        try await dialog.person.do("key Right Right Down Up")
        let focused = try await dialog.person.do("photos").focused
        #expect(focused?.firstIndex(of: true) == 1)
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `Ctrl+A chooses up to the limit and says so`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(7) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "5")
        try await dialog.person.do("photos 7")
        try await dialog.person.do("key ctrl+a")
        let texts = try await dialog.person.texts()
        #expect(texts.contains("5 of 5"))
        #expect(texts.contains("You can choose up to 5 photos"))
        try await dialog.person.do("press Select")
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == (1...5).map { "\($0).jpg" })
    }

    @Test func `Select is insensitive until the minimum is reached`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--min", "2", "--accept-label", "Send")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.do("enabled Send").enabled == false)
        try await dialog.person.do("key ctrl+Return")
        try await dialog.person.do("click 1")
        try await dialog.person.do("press Send")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg", "2.jpg"])
    }

    @Test(arguments: ["press Cancel", "key Escape", "key alt+F4"])
    func `every way of cancelling works`(command: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 1")
        try await dialog.person.do(command)
        #expect(try await pick.exitStatus() == 1)
        #expect(pick.outputText.isEmpty)
        try await dialog.person.do("no-window")
    }

    @Test func `an assistive technology can choose`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("choose 2")
        try await dialog.person.do("choose 0")
        try await dialog.person.do("choose 2")
        #expect(try await dialog.person.do("photos").pressed == [true, false, false])
        try await dialog.person.do("press Select")
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == ["1.jpg"])
    }

    @Test func `the choice stays when another album is opened`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3, in: "Garden")
            try home.addPhotos(2, in: "Sea")
        }
        try await dialog.settle()
        let pick = try dialog.pick("--ordered")
        try await dialog.person.do("photos 5")
        let albums = try await dialog.person.do("albums").albums
        // The newest photos are all of them.
        #expect(albums == ["All photos, 5 photos", "Garden, 3 photos", "Sea, 2 photos"])
        try await dialog.person.do("album Sea, 2 photos")
        try await dialog.person.do("count 2")
        try await dialog.person.do("click 1")
        try await dialog.person.do("album Garden, 3 photos")
        try await dialog.person.do("count 3")
        try await dialog.person.do("click 0")
        try await dialog.person.do("album All photos, 5 photos")
        try await dialog.person.do("count 5")
        #expect(try await dialog.person.do("photos").pressed?.filter { $0 }.count == 2)
        try await dialog.person.do("press Select")
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == ["Sea2.jpg", "Garden1.jpg"])
    }

    @Test func `photos that the app has received can be preselected`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let first = try dialog.pick("--format", "json")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("click 2")
        try await dialog.person.do("press Select")
        _ = try await first.exitStatus()
        let id = try #require(
            first.outputText.firstMatch(of: #/"id" : "(?<id>[0-9a-f]{32})"/#)?.id)
        let second = try dialog.pick("--preselect", String(id))
        try await dialog.person.do("photos 4")
        #expect(try await dialog.person.do("photos").pressed == [false, false, true, false])
        try await dialog.person.do("key ctrl+Return")
        _ = try await second.exitStatus()
        #expect(second.pickedNames == ["3.jpg"])
    }

    /// Assistive technologies saw no window.
    @Test func `several photos can be preselected in a later window`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let first = try dialog.pick("--format", "json")
        try await dialog.person.do("loaded 4")
        for index in [1, 2] { try await dialog.person.do("click \(index)") }
        try await dialog.person.do("press Select")
        _ = try await first.exitStatus()
        let ids = first.outputText.matches(of: #/"id" : "(?<id>[0-9a-f]{32})"/#).map {
            String($0.id)
        }
        try #require(ids.count == 2)
        let second = try dialog.pick("--preselect", ids[0], "--preselect", ids[1])
        try await dialog.person.do("photos 4")
        #expect(try await dialog.person.do("photos").pressed == [false, true, true, false])
        try await dialog.person.do("key ctrl+Return")
        _ = try await second.exitStatus()
        #expect(second.pickedNames == ["2.jpg", "3.jpg"])
    }

    /// The click removed the photo.
    @Test func `with immediate a click on a photo that is already chosen finishes`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let first = try dialog.pick("--format", "json", "--immediate")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("click 2")
        _ = try await first.exitStatus()
        let id = try #require(
            first.outputText.firstMatch(of: #/"id" : "(?<id>[0-9a-f]{32})"/#)?.id)
        let second = try dialog.pick("--preselect", String(id), "--immediate")
        try await dialog.person.do("photos 4")
        try await dialog.person.do("click 2")
        #expect(try await second.exitStatus() == 0)
        #expect(second.pickedNames == ["3.jpg"])
    }
}
