// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Requests that outlive their caller, for scripts that use a new connection for every call.
@Suite(.serialized) struct DetachedTests {
    @Test func `the response waits for a later connection, several times`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("delay 100ms; pick newest 2")
        let guest = try await Client(picker.session)
        let handle = try await guest.pick([
            "detached": true.variant, "min_count": UInt32(2).variant,
        ])
        await guest.connection.close()
        for _ in 0..<2 {
            let (code, results) = try await picker.client.awaitResponse(handle)
            #expect(code == 0)
            #expect(Delivery(results)?.items.count == 2)
        }
        try await picker.client.settle()
        #expect(picker.client.responses.all.isEmpty)
    }

    @Test func `several callers may wait, and each may leave`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("delay 3s; cancel")
        let handle = try await picker.client.pick(["detached": true.variant])
        let leaver = try await Client(picker.session)
        let lost = try await leaver.startAwaiting(handle)
        try await withThrowingTaskGroup(of: UInt32.self) { group in
            for _ in 0..<4 { group.addTask { try await picker.client.awaitResponse(handle).0 } }
            await leaver.connection.close()
            for try await code in group { #expect(code == 1) }
        }
        await #expect(throws: DBusError.self) { try await lost.value }
        // The caller is still connected, so it receives the signal as well.
        #expect(try await picker.client.response(handle).code == 1)
    }

    @Test(arguments: [
        "/org/freedesktop/portal/desktop/request/1_1/none", "/", "/org/freedesktop/portal/desktop",
    ])
    func `waiting for an unknown request is an error`(path: String) async throws {
        let picker = try await PickerSession(photos: 0)
        let handle = try #require(ObjectPath(path))
        let error = await #expect(throws: DBusError.self) {
            try await picker.client.awaitResponse(handle)
        }
        #expect(error?.name == .unknownObject)
    }

    @Test func `a request that is not detached cannot be waited for`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        let error = await #expect(throws: DBusError.self) {
            try await picker.client.awaitResponse(handle)
        }
        #expect(error?.name == .unknownObject)
    }

    @Test func `closing ends the wait with an error`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.pick(["detached": true.variant])
        let waiter = try await Client(picker.session)
        let waiting = try await waiter.startAwaiting(handle)
        try await eventually("the question") { backend.events.count == 1 }
        try await picker.client.close(handle)
        await #expect(throws: DBusError.self) { try await waiting.value }
        await #expect(throws: DBusError.self) { try await waiter.awaitResponse(handle) }
    }

    @Test func `a caller that waits as often as it may can still close its requests`() async throws
    {
        let picker = try await PickerSession(photos: 0)
        _ = try await picker.session.startBackend("hang")
        var handles: [ObjectPath] = []
        var waits: [Task<(UInt32, Vardict), any Error>] = []
        for _ in 0..<4 {
            let handle = try await picker.client.pick(["detached": true.variant])
            handles.append(handle)
            for _ in 0..<2 { waits.append(try await picker.client.startAwaiting(handle)) }
        }
        // The limit is for all of its requests together.
        for handle in handles {
            let error = await #expect(throws: DBusError.self) {
                try await picker.client.awaitResponse(handle)
            }
            #expect(error?.name == .limitsExceeded)
        }
        for handle in handles { try await picker.client.close(handle) }
        for wait in waits { await #expect(throws: DBusError.self) { try await wait.value } }
        // They are over, and so it may wait again.
        let error = await #expect(throws: DBusError.self) {
            try await picker.client.awaitResponse(handles[0])
        }
        #expect(error?.name == .unknownObject)
    }

    @Test func `a service that is stopped answers waiting callers`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.pick(["detached": true.variant])
        let waiting = try await picker.client.startAwaiting(handle)
        try await eventually("the question") { backend.events.count == 1 }
        try await picker.service.stop()
        #expect(try await waiting.value.0 == 2)
    }
}
