// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// What the window suggests while a person types a search.
@Suite(.serialized) struct SuggestionWindowTests {
    private func session(
        home: TestHome? = nil, _ environment: [String: String] = [:], points: Int = 11
    ) async throws -> DialogSession {
        let home = try home ?? TestHome()
        let dialog = try await DialogSession(home: home, environment: environment) { home in
            try home.setText(points: points)
            try home.addPhotos(3, in: "Sicily")
            try home.addPhotos(4, in: "Silver wedding")
            // A photo with keywords, a camera and a lens.
            let boats = home.pictures.appending("boats.jpg")
            try home.write(Fixtures.bytes("texts/details.jpg"), to: boats)
            home.setDate(of: boats, 1_650_000_000)
        }
        try await dialog.settle()
        return dialog
    }

    /// Opens a window with all photos, and the field of its search.
    private func beginSearch(_ dialog: DialogSession) async throws -> ChildProcess {
        let pick = try dialog.pick()
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key ctrl+f")
        try await dialog.person.do("field")
        return pick
    }

    /// Waits for suggestions with these names, in this order.
    private func see(_ names: [String], _ person: Person) async throws {
        try await person.wait(for: "the suggestions \(names)") {
            let texts = try await person.texts()
            let kinds = ["Date:", "Album:", "Folder:", "Keyword:", "Camera:", "Lens:"]
            return texts.filter { text in
                kinds.contains { text.hasPrefix($0) } && text.contains(" photo")
            } == names
        }
    }

    @Test func `a folder that is suggested becomes a part of the search`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type 'landscape si'")
        try await see(["Folder: Silver wedding, 4 photos", "Folder: Sicily, 3 photos"], person)
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.see("suggestions")
        try await person.do("press 'Folder: Sicily, 3 photos'")
        try await eventually("the album") {
            try await person.texts().contains("Remove from search: Album: Sicily")
        }
        try await person.do("count 3")
        try await see([], person)
        try await person.see("suggestion-chosen")
        // The next key goes to the field, behind what is left.
        try await person.do("type 'november'")
        try await eventually("the month") {
            try await person.texts().contains("Remove from search: November")
        }
        try await person.do("press 'Remove from search: Album: Sicily'")
        try await eventually("all photos") {
            try await person.do("albums").selected?.first == true
        }
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `an album by itself stays a part of the search until it is left`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type sic")
        try await see(["Folder: Sicily, 3 photos"], person)
        try await person.do("press 'Folder: Sicily, 3 photos'")
        try await person.do("count 3")
        try await eventually("the album") {
            try await person.texts().contains("Remove from search: Album: Sicily")
        }
        try await person.do("press 'Remove from search: Album: Sicily'")
        try await person.do("count 8")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `Tab leads from the field to the suggestions, and Enter chooses one`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type ni")
        try await see(["Camera: NIKON D90, 1 photo"], person)
        try await person.do("key Tab")
        try await person.see("suggestion-focus")
        try await person.do("key Return")
        try await see([], person)
        try await person.do("count 1")
        // The text goes on behind the words of the suggestion.
        try await person.do("type 2023")
        try await eventually("the page without photos") {
            try await person.texts().contains("No photos found")
        }
        #expect(
            try await person.texts().contains("Nothing matches “\"NIKON D90\" 2023”."))
        try await person.do("key Escape")
        try await person.do("count 8")
        try await person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `arrow keys lead from one suggestion to another`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type si")
        try await see(["Folder: Silver wedding, 4 photos", "Folder: Sicily, 3 photos"], person)
        try await person.do("key Tab Right Return")
        try await person.do("count 3")
        // The suggestions come before the parts, and these before the photos.
        try await person.do("type b")
        try await see([], person)
        try await person.do("key BackSpace")
        try await person.do("key Tab Return")
        try await person.do("count 8")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `Escape on a suggestion leaves the search`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type sic")
        try await see(["Folder: Sicily, 3 photos"], person)
        try await person.do("key Tab Escape")
        try await person.do("count 8")
        try await see([], person)
        try await person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test(arguments: [Language.german, .chinese])
    func `suggestions speak the language of the person`(language: Language) async throws {
        let home = try TestHome()
        let dialog = try await session(home: home, try await language.prepare(in: home))
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        let isGerman = language.name == "de"
        try await person.do(isGerman ? "type nov" : "type 2023")
        try await person.wait(for: "the month") {
            try await person.texts().contains(
                isGerman ? "Datum: November 2023, 7 Fotos" : "日期：2023年11月，7 张照片")
        }
        try await person.see("suggestions-\(language.name)")
        try await person.do("key Tab Return")
        try await person.do("count 7")
        try await person.wait(for: "the part") {
            try await person.texts().contains(
                isGerman ? "Aus der Suche entfernen: November 2023" : "从搜索中移除：2023年11月")
        }
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    /// Arabic, if GTK is translated here; otherwise the order of English.
    @Test func `suggestions follow the direction of the language`() async throws {
        let dialog = try await session(["LC_ALL": "C.UTF-8", "LANGUAGE": "ar"])
        let person = dialog.person
        let pick = try await beginSearch(dialog)
        try await person.do("type 'landscape si'")
        try await see(["Folder: Silver wedding, 4 photos", "Folder: Sicily, 3 photos"], person)
        try await person.see("suggestions-right-to-left")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `on a phone with large text a suggestion can be chosen`() async throws {
        let dialog = try await session(points: 22)
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 1")
        try await person.do("resize 360 640")
        try await person.do("key ctrl+f")
        try await person.do("field")
        try await person.do("type si")
        try await see(["Folder: Silver wedding, 4 photos", "Folder: Sicily, 3 photos"], person)
        try await person.do("loaded 1")
        try await person.see("phone-suggestions")
        #expect(try await person.do("size").width ?? 999 <= 360)
        // Tab brings what does not fit into view.
        try await person.do("key Tab Tab")
        try await person.see("phone-suggestion-focus")
        // The photos just fit below the suggestions, and were not drawn.
        let isDrawn = !dialog.dialog.errorText.contains("without a current allocation")
        #expect(isDrawn)
        try await person.do("key Return")
        try await person.do("count 3")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}
