// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// The window in German, whose words are longer than those of English.
@Suite(.serialized) struct GermanTests {
    /// Three photos of 1 October 2023, and text of a size.
    private func start(
        points: Int = 11, fill: (TestHome) throws -> Void = { _ in }
    ) async throws -> DialogSession {
        let home = try TestHome()
        let language = try await Language.german.prepare(in: home)
        let dialog = try await DialogSession(home: home, environment: language) { home in
            try home.addPhotos(3)
            for number in 1...3 {
                home.setDate(of: home.pictures.appending("\(number).jpg"), 1_696_161_600 + number)
            }
            try home.setText(points: points)
            try fill(home)
        }
        try await dialog.settle()
        return dialog
    }

    @Test func `every page speaks German`() async throws {
        let dialog = try await start()
        let person = dialog.person
        let pick = try dialog.pick("--max", "5", "--clip", "optional")
        try await person.do("loaded 3")
        let texts = try await person.texts()
        for text in ["Fotos auswählen", "Für eine unbekannte App", "Abbrechen", "Auswählen"] {
            #expect(texts.contains(text), "\(text)")
        }
        #expect(try await person.do("albums").albums?.first == "Alle Fotos, 3 Fotos")
        try await person.do("click 0")
        try await person.do("click 2")
        try await eventually("the number") { try await person.texts().contains("2 von 5") }
        try await person.see("german-chosen")
        try await person.do("key Return")
        try await eventually("the preview") {
            try await person.texts().contains("Ausgewählt: 2 von 5")
        }
        try await person.do("key alt+Return")
        try await eventually("the details") {
            try await person.texts().contains("1. Oktober 2023, 12:00")
        }
        try await person.see("german-details")
        try await person.do("key Escape")
        try await person.do("press Zuschneiden")
        try await eventually("the frame") {
            try await person.texts().contains { $0.hasPrefix("Ausschnitt: ") }
        }
        try await person.see("german-crop")
        try await person.do("key Escape Escape")
        try await person.do("press Auswählen")
        #expect(try await pick.exitStatus() == 0)
    }

    @Test func `a search understands German words and answers in German`() async throws {
        let dialog = try await start()
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 3")
        try await person.do("key ctrl+f")
        try await person.do("field")
        try await person.do("type 'querformat oktober 2023'")
        try await eventually("both parts") {
            let texts = try await person.texts()
            return texts.contains("Aus der Suche entfernen: Querformat")
                && texts.contains("Aus der Suche entfernen: Oktober 2023")
        }
        try await person.see("german-search")
        try await person.do("key ctrl+a")
        try await person.do("type 'heute'")
        try await eventually("the explanation") {
            try await person.texts().contains("Keine Fotos gefunden")
        }
        try await person.see("german-nothing")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `numbers are written as Germans write them`() async throws {
        let dialog = try await start()
        let pick = try dialog.pick("--filter", "min_width=12000")
        try await dialog.person.do("photos 3")
        let description = try await dialog.person.do("describe 0").texts?.first ?? ""
        #expect(
            description.contains("Die App benötigt Fotos, die mindestens 12.000 Pixel breit sind"))
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    /// Only some numbers of photos had separators.
    @Test func `numbers of photos are written as Germans write them, wherever they are`()
        async throws
    {
        let dialog = try await start { try $0.addPictures(1001) }
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 3")
        #expect(try await person.do("albums").albums?.first == "Alle Fotos, 1.004 Fotos")
        try await person.do("key ctrl+a")
        try await person.wait(for: "the choice") {
            try await person.do("photos").photos?.first?.hasSuffix("1 von 1.004") == true
        }
        try await person.wait(for: "the number") {
            try await person.do("tray").photos?.first?.hasSuffix("1 von 1.004") == true
        }
        try await person.see("german-many")
        try await person.do("key Home Return")
        try await person.wait(for: "the preview") {
            try await person.texts().contains("1 von 1.004")
        }
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test(arguments: [11, 22])
    func `in German everything is inside a window of the width of a phone`(points: Int)
        async throws
    {
        let dialog = try await start(points: points)
        let person = dialog.person
        let pick = try dialog.pick("--max", "5", "--clip", "optional", "--reason", "Für das Profil")
        try await person.do("photos 1")
        try await person.do("resize 360 640")
        try await dialog.seeNarrow("german-phone-photos-\(points)")
        try await person.do("click 0")
        try await dialog.seeNarrow("german-phone-chosen-\(points)")
        try await person.do("key F9")
        try await eventually("the albums") {
            try await person.do("place Alben").width ?? 0 > 300
        }
        try await dialog.seeNarrow("german-phone-albums-\(points)")
        try await person.do("key Escape")
        try await person.do("key Right Return")
        try await eventually("the preview") {
            try await person.texts().contains("Ausgewählt: 1 von 5")
        }
        try await dialog.seeNarrow("german-phone-preview-\(points)")
        try await person.do("press Zuschneiden")
        try await eventually("the frame") {
            try await person.texts().contains { $0.hasPrefix("Ausschnitt: ") }
        }
        try await dialog.seeNarrow("german-phone-crop-\(points)")
        try await person.do("key Escape Escape")
        try await person.do("press 'Auswählen (1)'")
        #expect(try await pick.exitStatus() == 0)
    }
}
