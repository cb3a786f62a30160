// SPDX-License-Identifier: MIT

import Glibc
import SystemPackage
import TestSupport
import Testing

/// Every page of the windows, by keyboard and for screen readers: each control has a name, Tab reaches each
/// one, and nothing holds the focus.
@Suite(.serialized) struct AuditTests {
    /// A page: what portal-pick is asked for, what leads there, and what shows that it is there.
    struct Page: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var request: [String] = []
        var steps: [String] = []
        var sign: String

        init(_ name: String, _ request: [String], _ steps: [String], sign: String) {
            (testDescription, self.request, self.steps, self.sign) = (name, request, steps, sign)
        }
    }

    private static let pages = [
        Page("grid", ["--max", "5"], [], sign: "0 of 5"),
        Page("tray", ["--max", "5"], ["click 0", "click 2"], sign: "Clear"),
        Page("no albums", ["--max", "5"], ["key F9", "key Right"], sign: "0 of 5"),
        Page("narrow", ["--max", "5"], ["click 1", "resize 400 600"], sign: "Select (1)"),
        Page(
            "narrow albums", ["--max", "5"],
            ["click 1", "resize 400 600", "enabled 'Select (1)'", "key F9"],
            sign: "Other Files…"),
        Page("search", ["--max", "5"], ["key ctrl+f"], sign: "Search"),
        Page("suggestions", ["--max", "5"], ["key ctrl+f", "type 20"], sign: "Suggestions"),
        Page(
            "nothing found", ["--max", "5"], ["key ctrl+f", "type zzzz"],
            sign: "Nothing matches “zzzz”."),
        Page("nothing matches", ["--type", "video/*"], [], sign: "No matching videos"),
        Page("preview", ["--max", "5"], ["click 3", "key Return"], sign: "Choose this one"),
        Page("damaged photo", ["--max", "5"], ["key Right End Return"], sign: "8 of 8"),
        Page("animation", ["--max", "5"], ["magnify 0"], sign: "Play"),
        Page(
            "crop", ["--single", "--clip", "required"], ["key Right Right Right", "key Return"],
            sign: "Straighten"),
        Page(
            "crop with shapes", ["--max", "5", "--clip", "optional"],
            ["click 3", "key Return", "press Crop"], sign: "Straighten"),
        Page("sheet", ["--sheet", "--max", "5"], [], sign: "Actions"),
        Page(
            "sheet with a choice", ["--sheet", "--max", "5", "--no-immediate"], ["click 0"],
            sign: "Actions"),
    ]

    @Test(arguments: pages)
    func `every control has a name and is reached, and nothing holds the focus`(page: Page)
        async throws
    {
        let dialog = try await Self.start()
        let pick = try dialog.session.start("portal-pick", page.request)
        try await dialog.person.do("window")
        if !page.steps.isEmpty { try await dialog.person.do("loaded 3") }
        for step in page.steps { try await dialog.person.do(step) }
        try await dialog.person.wait(for: page.sign) {
            try await dialog.person.texts().contains(page.sign)
        }
        try await dialog.person.audit(page.testDescription)
        pick.signal(SIGINT)
        _ = try await pick.exitStatus()
    }

    @Test func `the same of a viewer`() async throws {
        let dialog = try await Self.start()
        let files = (1...3).map { dialog.home.pictures.appending("\($0).jpg").string }
        let viewer = try dialog.session.start("portal-pick", ["preview", "--allow-remove"] + files)
        try await dialog.person.do("enabled Next")
        try await dialog.person.audit("viewer")
        viewer.signal(SIGINT)
        _ = try await viewer.exitStatus()
    }

    /// It covers the page, so Tab stays in it until it is closed.
    @Test func `the same of the View menu, which Escape leaves`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("press View")
        try await dialog.person.wait(for: "the menu") {
            try await dialog.person.texts().contains("Crop to squares")
        }
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        for key in ["Tab", "shift+Tab"] {
            let stops = try await dialog.person.do("walk \(key)").texts ?? []
            #expect(stops.count == 2, "\(stops)")
            #expect(stops.contains { $0.hasSuffix("Crop to squares") }, "\(stops)")
            #expect(stops.allSatisfy { !$0.hasSuffix(" ") }, "\(stops)")
        }
        try await dialog.person.do("key Escape")
        try await dialog.person.do("key Right")
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?.contains(true) == true
        }
        pick.signal(SIGINT)
        _ = try await pick.exitStatus()
    }

    /// There is nothing to press in it; whoever reads it hears the names and the texts.
    @Test func `the details of a photo are read, and Escape leaves them`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("magnify 3")
        try await dialog.person.do("key alt+Return")
        try await dialog.person.wait(for: "the details") {
            try await dialog.person.texts().contains("File size")
        }
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("key Escape")
        try await dialog.person.wait(for: "the photo alone") {
            try await !dialog.person.texts().contains("File size")
        }
        try await dialog.person.audit("preview after details")
        pick.signal(SIGINT)
        _ = try await pick.exitStatus()
    }

    @Test func `the same of the question before many photos are sent`() async throws {
        let dialog = try await DialogSession {
            try $0.turnOffAnimations()
            try $0.addPhotos(101)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 5")
        try await dialog.person.do("key ctrl+a")
        try await dialog.person.do("key ctrl+Return")
        try await dialog.person.wait(for: "the question") {
            try await dialog.person.texts().contains { $0.contains("101") && $0.hasSuffix("?") }
        }
        // With libadwaita 1.7 the question is in the window, and Tab does not leave it.
        try await dialog.person.audit("question", isModal: true)
        pick.signal(SIGINT)
        _ = try await pick.exitStatus()
    }

    /// Photos of three shapes, one that is damaged, and one that moves.
    private static func start() async throws -> DialogSession {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(6)
            let moving = home.pictures.appending("moving.gif")
            try home.write(Fixtures.bytes("formats/moving.gif"), to: moving)
            home.setDate(of: moving, 1_800_000_000)
            let damaged = home.pictures.appending("damaged.jpg")
            try home.write(Array(Fixtures.bytes("jpeg/baseline.jpg").prefix(700)), to: damaged)
            home.setDate(of: damaged, 1_500_000_000)
        }
        try await dialog.settle()
        return dialog
    }
}

extension Person {
    /// Nothing that can be read or pressed is cut off by the boxes around it.
    ///
    /// GTK 4.18 tells places without the padding of boxes, so nobody knows there.
    func expectNothingOutside() async throws {
        guard try await hasOldToolkit else { return }
        #expect(try await self.do("outside").texts == [])
    }

    /// Whether GTK is that of Debian 12.
    private var hasOldToolkit: Bool {
        get async throws {
            try await self.do("toolkit").texts?.first?.hasPrefix("4.8.") == true
        }
    }

    /// Walks through the controls of the page in front; each has a name and is reached.
    ///
    /// - Parameter isModal: Whether a later toolkit leaves others in view that are not reached.
    func audit(_ name: String, isModal: Bool = false) async throws {
        try await see("audit-\(name.replacing(" ", with: "-"))")
        #expect(try await self.do("unlabelled").unlabelled == [])
        let forwards = try await self.do("walk Tab")
        let isOld = try await hasOldToolkit
        #expect(isModal && !isOld || forwards.missed == [], "\(forwards.texts ?? [])")
        // Backwards it leaves out what is below the albums.
        try await self.do("walk shift+Tab")
    }
}
