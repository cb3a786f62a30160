// SPDX-License-Identifier: MIT

import Desktop
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// How long a sandboxed app can read what it was given.
@Suite(.serialized) struct DocumentLifeTests {
    private struct Document {
        let id: String
        let path: FilePath
    }

    private func pick(_ client: Client, _ options: Vardict = [:]) async throws -> Document {
        let response = try await client.response(client.open(options))
        let uri = try #require(Delivery(response.results)?.items.first?.uri)
        let path = try #require(FileURI.path(uri))
        let id = try #require(path.removingLastComponent().lastComponent)
        return Document(id: id.string, path: path)
    }

    /// What an app may do with a document, as the document portal says.
    private func permissions(
        _ document: Document, _ appID: String, _ session: Session
    ) async throws -> [String] {
        let connection = try await session.connect()
        let (_, apps) = try await connection.call(
            Method<Arguments<String>, Arguments<[UInt8], [String: [String]]>>(
                "Info", takes: ["doc_id"], returns: ["path", "apps"]),
            to: DocumentsInterface.busName, at: DocumentsInterface.path,
            on: DocumentsInterface.interface.name, Arguments(document.id)
        ).values
        return apps[appID] ?? []
    }

    @Test func `a second run of an app cannot read what the first one was given`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        let app = try #require(picker.app)
        let document = try await pick(picker.client)
        let read = ["-c", "open('\(document.path)', 'rb').read(1)"]
        let (status, _, errors) = try await app.run("/usr/bin/python3", read)
        #expect(status == 0, "\(errors)")
        await picker.client.connection.close()
        try await eventually("the end of the permission") {
            try await permissions(document, app.appID, picker.session).isEmpty
        }
        #expect(try await app.run("/usr/bin/python3", read).status != 0)
    }

    @Test func `an app keeps its photos while one of its processes is left`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        let app = try #require(picker.app)
        let second = try await picker.anotherClient()
        let document = try await pick(picker.client)
        _ = try await pick(second)
        await picker.client.connection.close()
        // Nothing has changed when the service has seen the end of another connection after it.
        let third = try await picker.anotherClient()
        _ = try await pick(third)
        await third.connection.close()
        try await second.settle()
        #expect(try await permissions(document, app.appID, picker.session) == ["read"])
        await second.connection.close()
        try await eventually("the end of the permission") {
            try await permissions(document, app.appID, picker.session).isEmpty
        }
    }

    @Test func `lasting access, and that of other apps, is not touched`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend(
            "grant persistent; pick newest 1", "pick newest 1")
        let app = try #require(picker.app)
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let stranger = try await Client(picker.session, at: other.address)
        let lasting = try await pick(picker.client, ["persistent": true.variant])
        let transient = try await pick(picker.client)
        let shared = try await pick(stranger)
        await picker.client.connection.close()
        try await eventually("the end of the permission") {
            try await permissions(transient, app.appID, picker.session).isEmpty
        }
        #expect(try await permissions(lasting, app.appID, picker.session) == ["read"])
        #expect(try await permissions(shared, other.appID, picker.session) == ["read"])
    }

    @Test func `documents of a service that was killed end with their app, too`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        let app = try #require(picker.app)
        let gone = try await picker.anotherClient()
        let document = try await pick(picker.client)
        _ = try await pick(gone)
        try await picker.service.stop(SIGKILL)
        // One process ends while there is no service, the other one after that.
        await gone.connection.close()
        let next = try await picker.session.startService()
        #expect(try await permissions(document, app.appID, picker.session) == ["read"])
        await picker.client.connection.close()
        try await eventually("the end of the permission") {
            try await permissions(document, app.appID, picker.session).isEmpty
        }
        try await next.stop()
    }

    /// It took them away on its own bus, and forgot them.
    @Test func `a service in another session does not lose what an app was given`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        let app = try #require(picker.app)
        let document = try await pick(picker.client)
        try await picker.service.stop(SIGKILL)
        // The app ends while only the other session has a service.
        await picker.client.connection.close()
        let other = try await Session.start(home: picker.session.home)
        let second = try await other.startService()
        try await eventually("the library: \(second.errorText)") {
            second.errorText.contains("Looked through the library")
        }
        try await second.stop()
        let next = try await picker.session.startService()
        try await eventually("the end of the permission") {
            try await permissions(document, app.appID, picker.session).isEmpty
        }
        try await next.stop()
    }

    /// The documents that an app may read.
    private func documents(of appID: String, _ session: Session) async throws -> [String] {
        let connection = try await session.connect()
        let list = try await connection.call(
            Method<Arguments<String>, Arguments<[String: [UInt8]]>>(
                "List", takes: ["app_id"], returns: ["docs"]),
            to: DocumentsInterface.busName, at: DocumentsInterface.path,
            on: DocumentsInterface.interface.name, Arguments(appID)
        ).values
        return list.keys.sorted()
    }

    @Test(arguments: [false, true])
    func `documents that the portal gives while the service ends end with their app`(
        isReplaced: Bool
    ) async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1", "pick newest 2")
        let app = try #require(picker.app)
        let portal = try #require(picker.portals?.process(of: .documents))
        // The portal answers a call of somebody who has left only if it knows them.
        _ = try await pick(picker.client)
        let monitor = try await picker.session.startMonitor()
        portal.signal(SIGSTOP)
        let handle = try await picker.client.pick()
        try await eventually("the call") { monitor.outputText.contains("\"AddFull\"") }
        var next: ChildProcess?
        if isReplaced {
            next = try picker.session.start("photo-portal", ["--replace"])
        } else {
            picker.service.signal(SIGTERM)
        }
        #expect(try await picker.client.response(handle).code == 2)
        portal.signal(SIGCONT)
        #expect(try await picker.service.exitStatus() == 0)
        try await eventually("the second document") {
            try await documents(of: app.appID, picker.session).count == 2
        }
        if next == nil { next = try await picker.session.startService() }
        await picker.client.connection.close()
        try await eventually("the end of the permission") {
            try await documents(of: app.appID, picker.session).isEmpty
        }
        #expect(try await next?.stop() == 0)
    }
}
