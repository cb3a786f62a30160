// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The rules that an app sets for photos.
@Suite(.serialized) struct FilterTests {
    @Test(arguments: CallerKind.allCases)
    func `a photo that breaks a rule is not delivered, whatever the backend says`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind, photos: 2)
        let first = try await picker.session.startBackend("pick newest 2")
        let all = try #require(
            Delivery(try await picker.client.response(try await picker.client.pick()).results))
        let ids = try await picker.libraryIDs()
        try await picker.session.replace(first, "pick ids \(ids.joined(separator: " "))")
        let limit = try #require(all.items.map(\.modified).max())
        let filter: Vardict = ["newer_than": limit.variant]
        let handle = try await picker.client.pick(["filter": filter.variant])
        let response = try await picker.client.response(handle)
        let delivery = try #require(Delivery(response.results))
        #expect(response.code == 2)
        #expect(delivery.items.isEmpty)
        #expect(delivery.failures.map(\.code) == [.unfit, .unfit])
    }

    @Test func `a photo of the right size is delivered`() async throws {
        let picker = try await PickerSession(.host, photos: 1)
        _ = try await picker.session.startBackend("pick newest 1", "pick newest 1")
        func pick(_ width: Int) async throws -> Int {
            let filter: Vardict = ["min_width": UInt32(clamping: width).variant]
            let handle = try await picker.client.pick(["filter": filter.variant])
            return Delivery(try await picker.client.response(handle).results)?.items.count ?? -1
        }
        #expect(try await pick(1) == 1)
        // The scripted backend leaves out what breaks a rule, as people do.
        #expect(try await pick(60_000) == 0)
    }
}
