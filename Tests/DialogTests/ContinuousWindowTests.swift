// SPDX-License-Identifier: MIT

import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A window whose choice the app follows.
@Suite(.serialized) struct ContinuousWindowTests {
    /// What the app hears, and the connection from which it asks.
    private struct App {
        let connection: Connection
        let choices = Recorder<[Vardict]>()
        let handles = Recorder<ObjectPath>()
        private let subscription: Subscription

        init(_ connection: Connection) async throws {
            self.connection = connection
            subscription = try await connection.subscribe(
                to: PhotoSelectionInterface.selectionChanged,
                of: PhotoSelectionInterface.interface.name, from: PhotoPickerInterface.busName
            ) { [choices, handles] message, content in
                if let path = message.path { handles.note(path) }
                choices.note(content.values.value("items") ?? [])
            }
        }

        /// Waits for a choice of so many photos.
        func heard(_ count: Int) async throws -> [String] {
            try await eventually("a choice of \(count): \(choices.all)") {
                choices.all.last.flatMap { $0.count == count ? $0 : nil }
            }.map { $0.value("id") ?? "" }
        }

        func deselect(_ ids: [String]) async throws {
            _ = try await connection.call(
                PhotoSelectionInterface.deselect, to: PhotoPickerInterface.busName,
                at: try #require(handles.all.last), on: PhotoSelectionInterface.interface.name,
                Arguments(ids))
        }

        func update(_ options: Vardict) async throws {
            _ = try await connection.call(
                PhotoSelectionInterface.update, to: PhotoPickerInterface.busName,
                at: try #require(handles.all.last), on: PhotoSelectionInterface.interface.name,
                Arguments(options))
        }
    }

    @Test func `an app in a sandbox follows the choice, and what it removes leaves the window`()
        async throws
    {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(5)
        }
        try await dialog.settle()
        let person = dialog.person
        let portals = try await PortalStack.start(
            on: dialog.session, [.permissionStore, .documents])
        let flatpak = try await FlatpakApp.start(on: dialog.session, appID: "org.example.Fake")
        let connection = try await Connection.open(address: flatpak.address)
        let app = try await App(connection)
        let client = await RequestClient(on: connection)
        async let answer = client.pick(
            .pickImages, title: "", options: ["continuous": true.variant])
        try await person.do("loaded 5")
        #expect(app.choices.all.isEmpty)
        for index in 0...2 { try await person.do("click \(index)") }
        let ids = try await app.heard(3)
        #expect(try await person.texts().contains("org.example.Fake follows your choice"))
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.see("continuous")
        // Who chooses in the preview is told as well.
        try await person.do("key Return")
        try await person.wait(for: "the preview") {
            let texts = try await person.texts()
            return texts.contains("Chosen: 3 photos")
                && texts.contains("org.example.Fake follows your choice")
        }
        try await person.see("continuous-preview")
        try await person.do("key Escape")
        try await person.do("photos 5")
        try await app.deselect([ids[1]])
        #expect(try await app.heard(2) == [ids[0], ids[2]])
        try await person.wait(for: "the tray") { try await person.do("tray").photos?.count == 2 }
        try await person.wait(for: "the message") {
            try await person.texts().contains("The app has removed 1 photo from your choice")
        }
        try await person.see("continuous-deselected")
        // The tile is no longer marked either.
        try await person.wait(for: "the tiles") {
            let photos = try await person.do("photos").photos ?? []
            return photos.map { $0.contains(", selected") } == [true, false, true, false, false]
        }
        try await app.update(["max_count": UInt32(1).variant])
        #expect(try await app.heard(1) == [ids[0]])
        try await person.do("press Select")
        let result = try await answer
        #expect(Delivery(result.results)?.items.map(\.id) == [ids[0]])
        withExtendedLifetime(portals) {}
    }

    /// The service took the answer for one to the new limit, and the app got none.
    @Test(arguments: 1...3)
    func `a limit that comes while the person finishes loses no choice`(round: Int) async throws {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(3)
        }
        try await dialog.settle()
        let connection = try await dialog.session.connect()
        let app = try await App(connection)
        let client = await RequestClient(on: connection)
        async let answer = client.pick(
            .pickImages, title: "",
            options: ["continuous": true.variant, "max_count": UInt32(3).variant])
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("key ctrl+a")
        let ids = try await app.heard(3)
        // Both are there when the window goes on.
        dialog.dialog.signal(SIGSTOP)
        let (status, _, _) = try await dialog.session.run(
            "timeout", ["5", "xdotool", "key", "ctrl+Return"],
            environment: Display.shared.value.environment)
        try await app.update(["max_count": UInt32(1).variant])
        dialog.dialog.signal(SIGCONT)
        // It may have been stopped while it had the display for itself, as toolkits do for a moment.
        if status != 0 { try await dialog.person.do("key ctrl+Return") }
        let result = try await answer
        let delivered = Delivery(result.results)?.items.map(\.id)
        #expect(delivered == ids || delivered == [ids[0]], "\(result)")
    }

    @Test func `without the option, the window says nothing of it`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(2) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 2")
        try await dialog.person.do("click 0")
        #expect(try await !dialog.person.texts().contains { $0.contains("follows your choice") })
        try await dialog.person.do("key Return")
        try await dialog.person.wait(for: "the preview") {
            try await dialog.person.texts().contains("1 of 2")
        }
        #expect(try await !dialog.person.texts().contains { $0.contains("follows your choice") })
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }
}
