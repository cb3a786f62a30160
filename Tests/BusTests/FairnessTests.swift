// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What one app uses is not taken from others, however many connections it has.
@Suite(.serialized) struct FairnessTests {
    @Test(arguments: CallerKind.allCases)
    func `the connections of an app share its requests`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("hang")
        let second = try await picker.anotherClient()
        var handles: [ObjectPath] = []
        for client in [picker.client, second] {
            for _ in 0..<4 { handles.append(try await client.open()) }
        }
        let third = try await picker.anotherClient()
        for client in [picker.client, second, third] {
            let error = await #expect(throws: DBusError.self) { try await client.open() }
            #expect(error?.name == .limitsExceeded)
        }
        // Neither other apps nor other programs are affected.
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let others = [
            try await Client(picker.session, at: other.address), try await picker.foreignClient(),
        ]
        for client in others { _ = try await client.open() }
        // A connection that leaves gives its requests back to the app.
        await second.connection.close()
        try await eventually("a free place") { (try? await third.open()) != nil }
    }

    @Test(arguments: CallerKind.allCases)
    func `an app shows one window at a time, in the order of its requests`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang", "pick newest 1", "hang")
        var handles: [ObjectPath] = []
        for _ in 0..<4 { handles.append(try await picker.client.open()) }
        // A request that is closed before its turn comes is never shown.
        try await picker.client.close(handles[1])
        try await eventually("the first question") { backend.events.count == 1 }
        try await picker.client.close(handles[0])
        #expect(try await picker.client.response(handles[2]).code == 0)
        try await eventually("the last question") {
            backend.events.count { $0.contains("\"method\"") } == 3
        }
        // Another app need not wait for the first one.
        let other = try await picker.foreignClient()
        _ = try await other.open()
        try await eventually("the question of another app") {
            backend.events.count { $0.contains("\"method\"") } == 4
        }
        try await picker.client.settle()
        #expect(picker.client.responses.count == 1)
        withExtendedLifetime(other) {}
    }

    @Test func `a request with preselected photos is not overtaken by the next one`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("pick newest 1", "hang")
        let ids = try await picker.libraryIDs()
        // Photos that were never delivered, so that it takes a while to look them up.
        let many = (100..<1100).map { "\(ids[0].dropLast(4))\($0)" }
        for round in 1...5 {
            let client = try await Client(picker.session)
            // The service finds out who it is.
            try await client.settle()
            // Without waiting for the first reply, as an app may.
            try await send(
                PhotoPickerInterface.pickImages, ["preselected": (ids + many).variant], client)
            try await send(PhotoPickerInterface.openImage, [:], client)
            let questions = { backend.events.filter { $0.contains("\"method\"") } }
            try await eventually("the question") { questions().count == round + 1 }
            try #require(questions().last?.contains("PickImages") == true)
            await client.connection.close()
        }
    }

    /// Several connections, because the order could be right by chance.
    @Test(arguments: CallerKind.allCases)
    func `the first requests of a connection keep their order`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("cancel")
        for round in 1...20 {
            let client = try await picker.anotherClient()
            let titles = (1...6).map { "round \(round), request \($0)" }
            // Without waiting for replies; the service does not know the connection yet.
            for title in titles {
                try await send(PhotoPickerInterface.openImage, [:], client, title: title)
            }
            try await eventually("all questions") {
                backend.events.count { $0.contains("\"method\"") } == round * titles.count
            }
            let shown = backend.events.filter { $0.contains("\"method\"") }.suffix(titles.count)
            for (event, title) in zip(shown, titles) { try #require(event.contains(title)) }
            await client.connection.close()
        }
    }

    private func send(
        _ method: PhotoPickerInterface.Pick, _ options: Vardict, _ client: Client,
        title: String = "Title"
    ) async throws {
        try await client.connection.send(
            method, to: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
            on: PhotoPickerInterface.interface.name, Arguments("", title, options))
    }

    @Test(arguments: CallerKind.allCases)
    func `the windows of an app's connections wait for each other`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        let second = try await picker.anotherClient()
        let first = try await picker.client.open()
        _ = try await second.open()
        try await eventually("the first question") { backend.events.count == 1 }
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let stranger = try await Client(picker.session, at: other.address)
        _ = try await stranger.open()
        try await eventually("the question of the other app") { backend.events.count == 2 }
        #expect(backend.events[1].contains("org.example.Other"))
        try await picker.client.close(first)
        try await eventually("the question of the second connection") {
            backend.events.count {
                $0.contains("\"app_id\":\"\(picker.app?.appID ?? "")\"")
            } == 2
        }
        withExtendedLifetime(stranger) {}
    }

    @Test func `the last places are kept for those who have no request`() async throws {
        let home = try TestHome()
        try home.write(
            Array("[Limits]\nRequests=8\nRequestsPerCaller=8\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let session = try await Session.start(home: home)
        _ = try await session.startService()
        _ = try await session.startBackend("hang")
        let greedy = try await Client(ofAnotherProgramOn: session)
        for _ in 0..<6 { _ = try await greedy.open() }
        let error = await #expect(throws: DBusError.self) { try await greedy.open() }
        #expect(error?.name == .limitsExceeded)
        let modest = [
            try await Client(ofAnotherProgramOn: session),
            try await Client(ofAnotherProgramOn: session),
        ]
        for client in modest { _ = try await client.open() }
        let late = try await Client(ofAnotherProgramOn: session)
        let full = await #expect(throws: DBusError.self) { try await late.open() }
        #expect(full?.name == .limitsExceeded)
        withExtendedLifetime(modest) {}
    }

    @Test(arguments: CallerKind.allCases)
    func `Introspect shows no request of another connection`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        let stranger = try await picker.anotherClient()
        var path = handle.rawValue.split(separator: "/").map(String.init)
        while !path.isEmpty {
            let object = try #require(ObjectPath("/" + path.joined(separator: "/")))
            let xml = try? await introspect(object, from: stranger)
            #expect(xml?.contains("org.freedesktop.portal.Request") != true)
            #expect(xml?.contains(path.last == "request" ? "<node name" : "<node name=\"t") != true)
            path.removeLast()
        }
        // Its own caller sees it.
        #expect(
            try await introspect(handle, from: picker.client)
                .contains("org.freedesktop.portal.Request"))
    }

    private func introspect(
        _ path: ObjectPath, from client: Client
    ) async throws(DBusError) -> String {
        try await client.connection.call(
            Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]),
            to: PhotoPickerInterface.busName, at: path,
            on: "org.freedesktop.DBus.Introspectable", Arguments()
        ).values
    }
}
