// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// Searching with the keyboard and the mouse.
@Suite(.serialized) struct SearchWindowTests {
    /// Photos of two folders, which a search finds by the names of the folders.
    private func session(_ environment: [String: String] = [:]) async throws -> DialogSession {
        let dialog = try await DialogSession(environment: environment) { home in
            try home.turnOffAnimations()
            try home.addPhotos(3, in: "Sicily")
            try home.addPhotos(4, in: "Garden")
        }
        try await dialog.settle()
        return dialog
    }

    @Test func `typing searches, and what was chosen before stays chosen`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--max", "5")
        try await person.do("photos 7")
        // The photos take turns, because of equal dates.
        try await person.do("key Right Right space")
        try await person.do("type sici")
        try await person.do("count 3")
        try await eventually("the number") { try await person.texts().contains("3 photos") }
        #expect(try await person.texts().contains("1 of 5"))
        try await person.see("search")
        try await person.do("key ctrl+a")
        try await person.do("key Delete")
        try await person.do("count 7")
        try await person.do("type garden3")
        try await person.do("count 1")
        try await person.do("key Return")
        try await person.do("key Right space")
        try await eventually("the choice") {
            try await person.texts().contains("2 of 5")
        }
        try await person.do("key Escape")
        try await person.do("count 7")
        #expect(try await person.texts().contains("2 of 5"))
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames.last == "Garden3.jpg")
        #expect(pick.pickedNames.count == 2)
    }

    @Test func `words that mean more can be taken back one by one`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 7")
        try await person.do("album 'Sicily, 3 photos'")
        try await person.do("key ctrl+f")
        try await person.do("type 'landscape november 2023'")
        try await eventually("all parts") {
            try await person.texts().contains("Remove from search: November 2023")
        }
        try await person.see("search-parts")
        try await person.do("press 'Remove from search: November 2023'")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await eventually("the shape by itself") {
            try await !person.texts().contains("November 2023")
        }
        try await person.do("press 'Remove from search: Album: Sicily'")
        try await eventually("all photos") {
            try await person.do("albums").selected?.first == true
        }
        try await person.do("press 'Remove from search: Landscape format'")
        try await person.do("count 7")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `a search that finds nothing in an album goes on in all photos`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 7")
        try await person.do("album 'Sicily, 3 photos'")
        try await person.do("key ctrl+f")
        try await person.do("type garden3")
        try await person.wait(for: "the explanation") {
            try await person.texts().contains("Nothing in this album matches “garden3”.")
        }
        try await person.see("search-in-album")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.do("press 'Search All Photos'")
        try await person.do("count 1")
        // The words can be changed.
        try await person.do("field")
        try await person.do("key ctrl+a")
        try await person.do("type xyz")
        try await person.wait(for: "the explanation") {
            try await person.texts().contains("Nothing matches “xyz”.")
        }
        #expect(try await !person.texts().contains("Search All Photos"))
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    /// Arabic, if GTK is translated here; otherwise the order of English.
    @Test func `search and tray follow the direction of the language`() async throws {
        let dialog = try await session(["LC_ALL": "C.UTF-8", "LANGUAGE": "ar"])
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 7")
        for index in 0...2 { try await person.do("click \(index)") }
        try await person.do("type 'landscape 2023'")
        try await eventually("the parts") {
            try await person.texts().contains("Remove from search: 2023")
        }
        try await eventually("the tray") { try await person.do("tray").photos?.count == 3 }
        try await person.see("search-right-to-left")
        try await person.do("key Escape Escape")
        _ = try await pick.exitStatus()
    }

    /// The first Escape leaves the search, and the second one the window.
    @Test func `Escape twice ends a window that found nothing`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 7")
        try await person.do("press Search")
        try await person.do("field")
        try await person.do("key End")
        try await person.do("type xyz")
        try await eventually("the explanation") {
            try await person.texts().contains("Nothing matches “xyz”.")
        }
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test(arguments: ["press 'Clear Search'", "key Escape"])
    func `a search that finds nothing says so, and how to go on`(step: String) async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 7")
        try await person.do("press Search")
        // Typing does not wait until the window pays attention, but keys do.
        try await person.do("field")
        try await person.do("key End")
        try await person.do("type '<b>&'")
        try await eventually("the explanation") {
            try await person.texts().contains("Nothing matches “<b>&”.")
        }
        try await person.see("search-nothing")
        try await person.do(step)
        try await person.do("count 7")
        try await person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }
}
