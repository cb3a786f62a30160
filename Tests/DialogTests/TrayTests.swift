// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage
import TestSupport
import Testing

/// The chosen photos below the grid, and the question before very many are sent.
@Suite(.serialized) struct TrayTests {
    private func session(
        _ count: Int, _ environment: [String: String] = [:]
    ) async throws -> DialogSession {
        let dialog = try await DialogSession(environment: environment) { home in
            try home.turnOffAnimations()
            try home.addPhotos(count)
        }
        try await dialog.settle()
        return dialog
    }

    /// The minutes in the names of the chosen photos, which tell them apart.
    private func order(_ person: Person) async throws -> [Int] {
        let photos = try await person.do("photos").photos ?? []
        return try await person.do("tray").photos?.compactMap { name in
            photos.firstIndex { name.hasPrefix($0.components(separatedBy: ", selected")[0]) }
        } ?? []
    }

    private func waitForOrder(_ wanted: [Int], _ person: Person) async throws {
        try await eventually("the order \(wanted)") { try await order(person) == wanted }
    }

    @Test func `chosen photos can be put in another order and removed`() async throws {
        let dialog = try await session(6)
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 6")
        for index in [0, 2, 4, 5] { try await person.do("click \(index)") }
        try await waitForOrder([0, 2, 4, 5], person)
        try await person.see("tray")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.do("key Tab")
        try await eventually("the focus") {
            try await person.do("tray").focused == [true, false, false, false]
        }
        try await person.do("key ctrl+Right")
        try await waitForOrder([2, 0, 4, 5], person)
        try await person.see("tray-focus")
        try await person.do("key Delete")
        try await waitForOrder([2, 4, 5], person)
        #expect(try await person.do("tray").focused == [false, true, false])
        try await person.do("drag-tray 0 2")
        try await waitForOrder([4, 5, 2], person)
        let last = try #require(try await person.do("photos").photos?.last)
        try await person.do("press 'Remove: \(last.components(separatedBy: ", selected")[0])'")
        try await waitForOrder([4, 2], person)
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["5.jpg", "3.jpg"])
    }

    @Test func `the bar says what the app gets, and Clear empties it`() async throws {
        let dialog = try await session(3)
        let person = dialog.person
        let pick = try dialog.pick("--accept", "image/png")
        try await person.do("photos 3")
        try await person.do("click 0")
        try await eventually("the receipt") {
            try await person.texts().contains("1 photo, as PNG")
        }
        // At once, it could be the second press of a double click.
        try await eventually("no photo") {
            if try await person.do("tray").photos == [] { return true }
            _ = try await person.attempt("press Clear")
            return false
        }
        try await person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    @Test func `a narrow window has no pictures, but says what the app gets`() async throws {
        let dialog = try await session(3)
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 3")
        try await person.do("click 0")
        try await eventually("a picture") { try await person.do("tray").photos?.count == 1 }
        try await person.do("resize 400 600")
        try await eventually("no picture") { try await person.do("tray").photos == [] }
        #expect(try await person.texts().contains { $0.hasPrefix("1 photo, ") })
        try await person.see("tray-narrow")
        // A phone has room for the header.
        try await person.do("resize 360 600")
        try await eventually("a window as narrow as the screen") {
            try await person.do("place Photos").width ?? 360 < 360
        }
        try await person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    @Test func `whoever can choose one photo sees no tray`() async throws {
        let dialog = try await session(3)
        let pick = try dialog.pick("--single")
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.do("tray").photos == [])
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
    }

    @Test func `more than a hundred photos are sent after a question`() async throws {
        let dialog = try await session(120)
        let person = dialog.person
        let pick = try dialog.pick()
        try await person.do("photos 6")
        try await person.do("key ctrl+a")
        try await eventually("the size of all") {
            try await person.texts().contains { $0.hasPrefix("120 photos, ") }
        }
        #expect(try await person.texts().contains("+70"))
        try await person.see("tray-many")
        try await person.do("press Select")
        try await eventually("the question") {
            try await person.texts().contains { $0.hasPrefix("Send 120 photos (") }
        }
        try await person.see("confirmation")
        // Both windows have a button to cancel.
        try await person.do("key Escape")
        try await eventually("the photos") { try await person.do("photos").photos != nil }
        try await person.do("press Select")
        try await person.do("press Send")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames.count == 120)
    }
}
