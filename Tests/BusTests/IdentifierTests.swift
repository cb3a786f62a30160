// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The ids of photos as apps see them.
@Suite(.serialized) struct IdentifierTests {
    private func pick(_ client: Client, _ options: Vardict = [:]) async throws -> [String] {
        let response = try await client.response(client.pick(options))
        #expect(response.code == 0)
        return try #require(Delivery(response.results)).items.map(\.id)
    }

    @Test func `two apps see different ids of one photo, and neither is its fingerprint`()
        async throws
    {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 3")
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let host = try await pick(Client(picker.session))
        let first = try await pick(picker.client)
        let second = try await pick(Client(picker.session, at: other.address))
        #expect(Set(host + first + second).count == 9)
        for id in first + second { #expect(AssetID(id) != nil) }
        // The ids of an app stay the same, also for its other connections.
        #expect(try await pick(picker.anotherClient()) == first)
        // Programs outside a sandbox see the library's ids, as before.
        let (_, output, _) = try await picker.session.run(
            "sqlite3", [picker.home.database.string, "SELECT lower(hex(key)) FROM asset"])
        let known = Set(output.split(separator: "\n").map(String.init))
        #expect(Set(host).isSubset(of: known))
        #expect(known.isDisjoint(with: first + second))
    }

    @Test func `an app's ids survive the service, and select what they stand for`() async throws {
        let picker = try await PickerSession(.flatpak)
        let backend = try await picker.session.startBackend("pick newest 2")
        let ids = try await pick(picker.client)
        try await picker.service.stop()
        let service = try await picker.session.startService()
        try await picker.session.replace(backend, "pick preselected", "pick preselected")
        let client = try await picker.anotherClient()
        #expect(try await pick(client, ["preselected": ids.reversed().variant]) == ids.reversed())
        // The ids of another app mean nothing, and neither do those of the library.
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let stranger = try await Client(picker.session, at: other.address)
        let handle = try await stranger.pick([
            "preselected": ids.variant, "min_count": UInt32(0).variant,
        ])
        #expect(Delivery(try await stranger.response(handle).results)?.items.isEmpty == true)
        try await service.stop()
    }

    @Test func `a failure names its photo by the app's own id`() async throws {
        let picker = try await PickerSession(.flatpak, photos: 2)
        let backend = try await picker.session.startBackend("pick newest 2")
        let ids = try await pick(picker.client)
        let host = try await pick(Client(picker.session))
        let gone = "pick ids \(host[0]) 00000000000000000000000000000000"
        try await picker.session.replace(backend, gone)
        let response = try await picker.client.response(picker.client.pick())
        let delivery = try #require(Delivery(response.results))
        #expect(delivery.items.map(\.id) == [ids[0]])
        #expect(delivery.failures.count == 1)
        #expect(delivery.failures.first?.id != "00000000000000000000000000000000")
    }

    @Test func `the secret of the ids is for the person alone`() async throws {
        let picker = try await PickerSession(photos: 0)
        let folder = picker.home.database.removingLastComponent()
        for name in ["secret", "library.db"] {
            let mode = try folder.appending(name).stat().permissions
            #expect(mode == .ownerReadWrite, "\(name)")
        }
    }
}
