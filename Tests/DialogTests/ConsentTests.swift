// SPDX-License-Identifier: MIT

import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The information about the app that a person sees, and the grants that they make.
@Suite(.serialized) struct ConsentTests {
    private static let appID = "org.example.Fake"

    /// Makes the app known to the desktop.
    ///
    /// - Parameter icon: The name or path of its icon.
    private static func install(
        _ home: TestHome, icon: String = "accessories-text-editor", name: String = "Fake Albums"
    ) throws {
        try home.write(
            Array(
                """
                [Desktop Entry]
                Type=Application
                Name=\(name)
                Exec=true
                Icon=\(icon)
                """.utf8),
            to: home.data.appending("applications").appending("\(appID).desktop"))
    }

    // MARK: - A request for photos

    /// Makes a request as an app in a sandbox, and runs the person's commands.
    private func pick(
        _ options: Vardict, name: String = "Fake Albums",
        _ act: @Sendable (DialogSession) async throws -> Void
    ) async throws -> RequestClient.Answer {
        let dialog = try await DialogSession { home in
            try Self.install(home, name: name)
            try home.addPhotos(3)
            try home.addPhotos(2, in: "Sea")
        }
        try await dialog.settle()
        let portals = try await PortalStack.start(
            on: dialog.session, [.permissionStore, .documents])
        let app = try await FlatpakApp.start(on: dialog.session, appID: Self.appID)
        let connection = try await Connection.open(address: app.address)
        let client = await RequestClient(on: connection)
        async let answer = client.pick(.pickImages, title: "", options: options)
        try await dialog.person.do("loaded 2")
        try await act(dialog)
        defer { withExtendedLifetime(portals) {} }
        return try await answer
    }

    @Test func `the app's name is shown, and only ticked wishes are granted`() async throws {
        let answer = try await pick(["persistent": true.variant, "writable": true.variant]) {
            let texts = try await $0.person.texts()
            #expect(texts.contains("For Fake Albums"))
            try await $0.person.do("click 0")
            try await $0.person.audit("grants")
            try await $0.person.do("press Select")
        }
        #expect(answer.code == .success)
        #expect(Delivery(answer.results)?.grants == Grants.none)
    }

    @Test func `ticked wishes are granted`() async throws {
        let answer = try await pick(["persistent": true.variant, "writable": true.variant]) {
            try await $0.person.do("tick 'Let Fake Albums change the photos'")
            try await $0.person.do("click 0")
            try await $0.person.do("press Select")
        }
        #expect(Delivery(answer.results)?.grants == .writable)
    }

    @Test(arguments: [true, false])
    func `in the sheet only ticked wishes are granted, too`(isTicked: Bool) async throws {
        let options: Vardict = [
            "layout": "sheet".variant, "persistent": true.variant, "writable": true.variant,
            "include_location": true.variant,
        ]
        let answer = try await pick(options) {
            let texts = try await $0.person.texts()
            #expect(texts.contains("Let Fake Albums keep access"))
            #expect(texts.contains("Let Fake Albums change the photos"))
            if isTicked {
                try await $0.person.do("tick 'Let Fake Albums see where the photos were taken'")
                try await $0.person.do("tick 'Let Fake Albums keep access'")
                try await $0.person.see("sheet-grants")
            }
            try await $0.person.do("click 0")
        }
        #expect(answer.code == .success)
        #expect(
            Delivery(answer.results)?.grants == (isTicked ? [.persistent, .location] : Grants.none))
    }

    @Test func `what is ticked in the sheet is ticked in its grid, and the other way round`()
        async throws
    {
        let answer = try await pick(["layout": "sheet".variant, "writable": true.variant]) {
            try await $0.person.do("tick 'Let Fake Albums change the photos'")
            try await $0.person.do("press Library")
            try await $0.person.do("albums")
            // It can only be unticked if it is ticked.
            try await $0.person.do("tick 'Let Fake Albums change the photos'")
            try await $0.person.do("key Escape")
            try await $0.person.do("photos 2")
            try await $0.person.do("click 0")
        }
        #expect(Delivery(answer.results)?.grants == Grants.none)
    }

    @Test func `the person decides whether the app learns where the photos were taken`()
        async throws
    {
        for isTicked in [true, false] {
            let answer = try await pick(["include_location": true.variant]) {
                if isTicked {
                    try await $0.person.do("tick 'Let Fake Albums see where the photos were taken'")
                    try await $0.person.see("location")
                }
                try await $0.person.do("click 0")
                try await $0.person.do("press Select")
            }
            #expect(Delivery(answer.results)?.grants == (isTicked ? .location : Grants.none))
        }
    }

    /// The window became wider than a phone, and its button was beyond the edge.
    @Test func `all wishes fit in a narrow window`() async throws {
        let wishes: Vardict = [
            "persistent": true.variant, "writable": true.variant, "include_location": true.variant,
        ]
        let answer = try await pick(wishes, name: "Firefox Web Browser Nightly") {
            try await $0.person.see("wishes")
            try await $0.person.do("resize 360 640")
            try await eventually("the narrow window") { [person = $0.person] in
                try await person.do("place Photos").x == 4
            }
            try await $0.person.see("wishes-narrow")
            let photos = try await $0.person.do("place Photos")
            #expect(photos.width ?? 360 < 360)
            #expect(photos.height ?? 640 < 560)
            try await $0.person.do(
                "tick 'Let Firefox Web Browser Nightly see where the photos were taken'")
            try await $0.person.do("click 0")
            try await $0.person.do("press 'Select (1)'")
        }
        #expect(Delivery(answer.results)?.grants == .location)
    }

    @Test func `without a wish there is nothing to tick`() async throws {
        _ = try await pick([:]) {
            let texts = try await $0.person.texts()
            #expect(!texts.contains { $0.hasPrefix("Let ") })
            try await $0.person.do("press Cancel")
        }
    }

    @Test func `only_album shows only that album`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.addPhotos(2, in: "Sea")
        }
        try await dialog.settle()
        let connection = try await dialog.session.connect()
        let albums = try await LibraryAlbums.titles(dialog)
        let sea = try #require(albums["Sea"])
        let client = await RequestClient(on: connection)
        async let answer = client.pick(
            .pickImages, title: "",
            options: ["album": sea.variant, "only_album": true.variant])
        try await dialog.person.do("count 2")
        let texts = try await dialog.person.texts()
        #expect(!texts.contains("Albums"))
        #expect(!texts.contains("Recent"))
        try await dialog.person.do("key F9")
        #expect(try await !dialog.person.texts().contains("Recent"))
        try await dialog.person.see("only-album")
        // Nor does a search lead to others.
        try await dialog.person.do("key ctrl+f")
        try await dialog.person.do("type xyz")
        try await dialog.person.wait(for: "the explanation") {
            try await dialog.person.texts().contains("Nothing in this album matches “xyz”.")
        }
        #expect(try await !dialog.person.texts().contains("Search All Photos"))
        try await dialog.person.do("press Cancel")
        #expect(try await answer.code == .cancelled)
    }

    // MARK: - A question about the library

    /// Asks as the service would, in a session with the app installed, and runs the person's commands.
    private func ask(
        _ level: AccessLevel, appID: AppID, _ act: (Person) async throws -> Void
    ) async throws -> AuthorizationDecision {
        let home = try TestHome()
        try Self.install(home)
        let session = try await DialogSession.bare(home)
        return try await ask(
            level, appID: appID, reason: "To put them into a book.", in: session, act)
    }

    /// Asks as the service would, and runs the person's commands.
    private func ask(
        _ level: AccessLevel, appID: AppID, reason: String? = nil, isReminder: Bool = false,
        in session: DialogSession.Bare, _ act: (Person) async throws -> Void
    ) async throws -> AuthorizationDecision {
        let question = AuthorizationRequest(
            appID: appID, parentWindow: "", level: level, reason: reason, isReminder: isReminder)
        let handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_1/consent"
        let connection = session.service
        async let reply = connection.call(
            PickerBackendInterface.authorize, to: PickerBackendInterface.defaultBusName,
            at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
            AuthorizationAnswer.encode(question, at: handle), timeout: .seconds(60))
        try await session.person.do("window")
        // It is there before its texts have a place.
        try await session.person.wait(for: "the question") {
            try await session.person.texts().contains("Don’t Allow")
        }
        try await act(session.person)
        return AuthorizationAnswer.decode(try await reply, for: level)
    }

    @Test func `the reason of an app stays inside its quotation marks`() async throws {
        let home = try TestHome()
        try Self.install(home)
        let session = try await DialogSession.bare(home)
        let decided = try await ask(
            .add, appID: AppID(vouchedFor: Self.appID), reason: "a\u{202E}b\nc", in: session
        ) { person in
            let texts = try await person.texts()
            #expect(texts.contains("“a\u{FFFD}b c”"), "\(texts)")
            try await person.do("press 'Don’t Allow'")
        }
        #expect(decided == .decided(.denied))
    }

    /// Asks about the app, and allows it once the question names it.
    private func expectQuestion(
        naming name: String, in session: DialogSession.Bare
    ) async throws {
        let decided = try await ask(
            .readWrite, appID: AppID(vouchedFor: Self.appID), in: session
        ) { person in
            try await eventually("the question") {
                try await person.texts().contains {
                    $0.contains("“\(name)” wants to use your photos")
                }
            }
            try await person.do("press Allow")
        }
        #expect(decided == .decided(.authorized))
    }

    @Test(
        arguments: [
            ("press Allow", AuthorizationDecision.decided(.authorized)),
            ("press 'Only Chosen Photos'", .decided(.limited)),
            ("press 'Don’t Allow'", .decided(.denied)),
            ("key Escape", .undecided),
        ])
    func `a person decides about the library`(
        command: String, decision: AuthorizationDecision
    ) async throws {
        let decided = try await ask(.readWrite, appID: AppID(vouchedFor: Self.appID)) { person in
            let texts = try await person.texts()
            #expect(texts.contains { $0.contains("“Fake Albums” wants to use your photos") })
            #expect(texts.contains { $0.contains("“To put them into a book.”") })
            try await person.audit("consent")
            try await person.do(command)
            try await person.do("no-window")
        }
        #expect(decided == decision)
    }

    @Test func `an app that asks to add cannot be given limited access`() async throws {
        let decided = try await ask(.add, appID: "") { person in
            let texts = try await person.texts()
            #expect(texts.contains { $0.contains("An app wants to add to your photos") })
            #expect(!texts.contains("Only Chosen Photos"))
            try await person.see("consent-add")
            try await person.do("press 'Don’t Allow'")
        }
        #expect(decided == .decided(.denied))
    }

    @Test func `S3.14 a reminder says that the answer is from earlier, and offers to change it`()
        async throws
    {
        let home = try TestHome()
        try Self.install(home)
        let session = try await DialogSession.bare(home)
        for (level, answers) in [
            (AccessLevel.readWrite, [("press 'Only Chosen Photos'", Authorization.limited)]),
            (.add, [("press Allow", .authorized), ("press 'Don’t Allow'", .denied)]),
        ] {
            for (command, authorization) in answers {
                let decided = try await ask(
                    level, appID: AppID(vouchedFor: Self.appID),
                    reason: "To put them into a book.", isReminder: true, in: session
                ) { person in
                    let texts = try await person.texts()
                    let verb = level == .add ? "add to" : "use"
                    #expect(
                        texts.contains { $0.contains("“Fake Albums” cannot \(verb) your photos") })
                    #expect(texts.contains { $0.contains("You didn’t allow this earlier.") })
                    #expect(!texts.contains { $0.contains("wants to") })
                    try await person.see("reminder-\(level.rawValue)")
                    try await person.do(command)
                    try await person.do("no-window")
                }
                #expect(decided == .decided(authorization))
            }
        }
    }

    @Test func `a question whose service dies says that nothing has changed`() async throws {
        let home = try TestHome()
        try Self.install(home)
        let session = try await DialogSession.bare(home)
        let question = AuthorizationRequest(
            appID: AppID(vouchedFor: Self.appID), parentWindow: "", level: .readWrite)
        async let reply = try? session.service.call(
            PickerBackendInterface.authorize, to: PickerBackendInterface.defaultBusName,
            at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
            AuthorizationAnswer.encode(
                question, at: "/org/freedesktop/portal/desktop/request/1_1/consent"),
            timeout: .seconds(60))
        try await session.person.do("window")
        await session.service.close()
        _ = await reply
        try await session.person.readInterruption()
        #expect(
            try await session.person.texts().contains {
                $0.contains("The access of Fake Albums to your photos has not changed.")
            })
        try await session.person.see("consent-interrupted")
        try await session.person.do("press Close")
        try await session.person.do("no-window")
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a question about an app that cannot be looked up appears all the same`() async throws {
        let home = try TestHome()
        let session = try await DialogSession.bare(home)
        let disk = try await StalledDisk.mount(
            at: home.data.appending("applications"), of: home
        ) { _ in }
        try disk.stall(.getattr, .open, .readdir)
        try await expectQuestion(naming: Self.appID, in: session)
        try await disk.end()
    }

    @Test(
        .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)),
        arguments: [StalledDisk.Call.open, .read])
    func `a question about an app whose icon cannot be read appears at once`(
        call: StalledDisk.Call
    ) async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { content in
            try home.write(Fixtures.bytes("formats/blocks.png"), to: content.appending("icon.png"))
        }
        try Self.install(home, icon: place.appending("icon.png").string)
        let session = try await DialogSession.bare(home)
        try disk.stall(call)
        try await expectQuestion(naming: "Fake Albums", in: session)
        session.dialog.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `an icon that is a file is shown`() async throws {
        let home = try TestHome()
        let icon = home.scratch.appending("icon.svg")
        let picture = """
            <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
            <rect width="64" height="64" fill="#ff00c8"/></svg>
            """
        try home.write(Array(picture.utf8), to: icon)
        try Self.install(home, icon: icon.string)
        let dialog = try await DialogSession(home: home) { try $0.addPhotos(1) }
        let app = try await FlatpakApp.start(on: dialog.session, appID: Self.appID)
        let client = await RequestClient(on: try await Connection.open(address: app.address))
        async let answer = client.pick(.openImage, title: "", options: [:])
        try await dialog.person.do("window")
        try await dialog.person.do("colour ff00c8")
        try await dialog.person.do("press Cancel")
        #expect(try await answer.code == .cancelled)
    }

    @Test func `only the service may ask`() async throws {
        let session = try await DialogSession.bare(try TestHome())
        let stranger = try await session.session.connect()
        let question = AuthorizationRequest(
            appID: "org.gnome.Maps", parentWindow: "", level: .readWrite)
        let error = await #expect(throws: DBusError.self) {
            try await stranger.call(
                PickerBackendInterface.authorize, to: PickerBackendInterface.defaultBusName,
                at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                AuthorizationAnswer.encode(question, at: "/org/freedesktop/x"))
        }
        #expect(error?.name == .accessDenied)
    }
}

/// The ids of the albums by title, from the database.
private enum LibraryAlbums {
    static func titles(_ dialog: DialogSession) async throws -> [String: String] {
        let (_, output, _) = try await dialog.session.run(
            "sqlite3", [dialog.home.database.string, "SELECT title, key FROM album"])
        return Dictionary(
            output.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: "|").map(String.init)
                return fields.count == 2 ? (fields[0], fields[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension DialogSession {
    /// The dialog alone; the test takes the place of the service.
    struct Bare {
        let session: Session
        let service: Connection
        let person: Person
        let dialog: ChildProcess
    }

    static func bare(_ home: TestHome) async throws -> Bare {
        let services = try home.startableAccessibility()
        let session = try await Session.start(home: home, services: services)
        let display = try await Display.shared.value.environment
        let service = try await session.connect()
        _ = try await service.requestName(PhotoPickerInterface.busName)
        let dialog = try session.start("photo-portal-dialog", environment: display)
        try await session.waitForOwner(
            of: PickerBackendInterface.defaultBusName.rawValue, dialog)
        return Bare(
            session: session, service: service, person: try Person(session, display),
            dialog: dialog)
    }
}
