// SPDX-License-Identifier: MIT

import Glibc
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The life of a request: every way to begin, every way to end, and exactly one response.
@Suite(.serialized) struct RequestTests {
    @Test(arguments: CallerKind.allCases)
    func `a pick delivers photos to the caller, and the request to the backend`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("pick newest 3")
        let handle = try await picker.client.pick([
            "handle_token": "mine".variant, "max_count": UInt32(4).variant,
            "reason": "For a test".variant, "ordered": true.variant, "unknown": UInt32(1).variant,
        ])
        let sender = try #require(await picker.client.connection.uniqueName)
        #expect(handle == RequestHandle.path(of: sender, token: try #require(HandleToken("mine"))))
        let response = try await picker.client.response(handle)
        #expect(response.code == 0)
        let delivery = try #require(Delivery(response.results))
        #expect(delivery.items.count == 3)
        #expect(delivery.failures.isEmpty)
        #expect(response.results.value("uris", as: [String].self) == delivery.items.map(\.uri))
        for item in delivery.items {
            #expect(item.uri.hasPrefix("file://\(picker.folderOfResults)/"))
            #expect(item.mediaType == .jpeg)
            #expect(item.size == PixelSize(width: 64, height: 48))
            #expect(item.byteCount > 100)
            #expect(AssetID(item.id) != nil)
            #expect(item.source == .library)
        }
        let asked = try #require(backend.events.first)
        #expect(asked.contains("\"method\":\"PickImages\""))
        #expect(asked.contains("\"app_id\":\"\(picker.app?.appID ?? "")\""))
        #expect(asked.contains("\"title\":\"Title\""))
        #expect(asked.contains("\"max_count\":4"))
        #expect(asked.contains("\"reason\":\"For a test\""))
        #expect(asked.contains("\"ordered\":true"))
        try await picker.client.settle()
        #expect(picker.client.responses.count == 1)
    }

    @Test func `an album that does not exist is ignored, as in the window`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("pick newest 2")
        let handle = try await picker.client.pick([
            "max_count": UInt32(2).variant, "album": "folder-0000".variant,
            "only_album": true.variant,
        ])
        let response = try await picker.client.response(handle)
        #expect(response.code == 0)
        #expect(Delivery(response.results)?.items.count == 2)
    }

    @Test(arguments: CallerKind.allCases)
    func `a person who cancels gives response 1 and no photos`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("cancel")
        let handle = try await picker.client.open()
        let response = try await picker.client.response(handle)
        #expect(response.code == 1)
        #expect(response.results.value("uris", as: [String].self) == [])
    }

    @Test(
        arguments: CallerKind.allCases,
        [
            "end", "error it is broken", "die", "pick newest 2",
            "pick ids 00000000000000000000000000000000",
        ])
    func `any failure of the dialog gives response 2, once`(kind: CallerKind, answer: String)
        async throws
    {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend(answer)
        let handle = try await picker.client.open()
        #expect(try await picker.client.response(handle).code == 2)
        try await picker.client.settle()
        #expect(picker.client.responses.count == 1)
        // The request is no longer on the bus.
        await #expect(throws: DBusError.self) { try await picker.client.close(handle) }
    }

    @Test(arguments: CallerKind.allCases)
    func `a missing dialog gives response 2 at once`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        let handle = try await picker.client.open()
        #expect(try await picker.client.response(handle).code == 2)
    }

    @Test(arguments: CallerKind.allCases)
    func `a killed dialog gives response 2, and the next one works`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        try await eventually("the question") { !backend.events.isEmpty }
        backend.signal(SIGKILL)
        #expect(try await picker.client.response(handle).code == 2)
        try await picker.session.replace(backend, "pick newest 1")
        let next = try await picker.client.open()
        #expect(try await picker.client.response(next).code == 0)
    }

    @Test(
        arguments: CallerKind.allCases, ["", "a-b", "a/b", "ä", String(repeating: "a", count: 256)])
    func `an invalid token is an error, and no window opens`(kind: CallerKind, token: String)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("cancel")
        let error = await #expect(throws: DBusError.self) {
            try await picker.client.open(["handle_token": token.variant])
        }
        #expect(error?.name == .portalInvalidArgument)
        let handle = try await picker.client.open()
        _ = try await picker.client.response(handle)
        #expect(backend.events.count == 1)
        #expect(picker.client.responses.count == 1)
    }

    @Test(arguments: CallerKind.allCases)
    func `two requests with one token have two handles`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("delay 100ms; cancel")
        let first = try await picker.client.open(["handle_token": "t1".variant])
        let second = try await picker.client.open(["handle_token": "t1".variant])
        #expect(second.rawValue.hasPrefix(first.rawValue + "/"))
        #expect(try await picker.client.response(first).code == 1)
        #expect(try await picker.client.response(second).code == 1)
        // When both have ended, the token is free again.
        #expect(try await picker.client.open(["handle_token": "t1".variant]) == first)
    }

    @Test(arguments: CallerKind.allCases)
    func `Close by the caller closes the window and sends no response`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        try await eventually("the question") { backend.events.count == 1 }
        try await picker.client.close(handle)
        try await eventually("the end of the window") { backend.events.last == "{\"closed\":true}" }
        try await picker.client.settle()
        #expect(picker.client.responses.all.isEmpty)
        let error = await #expect(throws: DBusError.self) { try await picker.client.close(handle) }
        #expect(
            [
                "org.freedesktop.DBus.Error.UnknownObject",
                "org.freedesktop.DBus.Error.UnknownMethod",
            ]
            .contains(error?.name ?? ""))
    }

    @Test(arguments: CallerKind.allCases)
    func `Close right after the call closes the window that is about to open`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        for _ in 0..<20 {
            // All with the same token, so the path must be free again each time.
            let handle = try await picker.client.open(["handle_token": "again".variant])
            try await picker.client.close(handle)
        }
        try await picker.client.settle()
        #expect(picker.client.responses.all.isEmpty)
        // Every window that was opened has been closed.
        try await eventually("the end of all windows") {
            backend.events.count { $0.contains("closed") }
                == backend.events.count { $0.contains("method") }
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `Close by another caller has no effect, and tells nothing`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("delay 200ms; pick newest 1")
        let stranger = try await picker.anotherClient()
        let handle = try await picker.client.open()
        let missing = try #require(ObjectPath(handle.rawValue + "x"))
        let error = await #expect(throws: DBusError.self) { try await stranger.close(handle) }
        let expected = await #expect(throws: DBusError.self) { try await stranger.close(missing) }
        // An error of its own would tell whether another app has such a request.
        #expect(error?.name == expected?.name)
        #expect(
            error?.message
                == expected?.message.replacing(missing.rawValue, with: handle.rawValue))
        #expect(try await picker.client.response(handle).code == 0)
        try await stranger.settle()
        #expect(stranger.responses.all.isEmpty)
    }

    @Test(arguments: CallerKind.allCases)
    func `a caller that leaves closes its window`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        let guest = try await picker.anotherClient()
        _ = try await guest.open()
        try await eventually("the question") { backend.events.count == 1 }
        await guest.connection.close()
        try await eventually("the end of the window") { backend.events.last == "{\"closed\":true}" }
    }

    @Test(arguments: CallerKind.allCases)
    func `a forged NameOwnerChanged signal closes nothing`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("delay 300ms; pick newest 1")
        let handle = try await picker.client.open()
        let stranger = try await Client(picker.session)
        let service = try #require(
            try await stranger.connection.owner(of: PhotoPickerInterface.busName))
        let victim = try #require(await picker.client.connection.uniqueName)
        try await stranger.connection.emit(
            Signal<Arguments<String, String, String>>(
                "NameOwnerChanged", carries: ["name", "old_owner", "new_owner"]),
            of: "org.freedesktop.DBus", from: "/org/freedesktop/DBus", to: service,
            Arguments(victim.rawValue, victim.rawValue, ""))
        #expect(try await picker.client.response(handle).code == 0)
    }

    @Test(arguments: CallerKind.allCases)
    func `concurrent requests of several callers each get their own response`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind, photos: 6)
        _ = try await picker.session.startBackend("delay 50ms; pick newest fewest")
        var clients: [Client] = []
        var apps: [FlatpakApp] = []
        for number in 0..<5 {
            // An app has its places for all its connections.
            guard kind == .flatpak else {
                clients.append(try await picker.foreignClient())
                continue
            }
            let app = try await FlatpakApp.start(
                on: picker.session, appID: "org.example.App\(number)")
            apps.append(app)
            clients.append(try await Client(picker.session, at: app.address))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                for count in UInt32(1)...6 {
                    group.addTask {
                        let handle = try await client.pick(["min_count": count.variant])
                        let response = try await client.response(handle)
                        #expect(response.code == 0)
                        #expect(Delivery(response.results)?.items.count == Int(count))
                    }
                }
            }
            try await group.waitForAll()
        }
        for client in clients {
            try await client.settle()
            #expect(client.responses.count == 6)
        }
        withExtendedLifetime(apps) {}
    }

    @Test(arguments: CallerKind.allCases)
    func `a service that is stopped answers its requests and closes their windows`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang")
        let other = try await picker.foreignClient()
        // The second request of an app waits for the first one, and is answered as well.
        let handles = [try await picker.client.open(), try await picker.client.pick()]
        let foreign = try await other.open()
        try await eventually("the questions") { backend.events.count == 2 }
        #expect(try await picker.service.stop() == 0)
        for handle in handles {
            #expect(try await picker.client.response(handle).code == 2)
        }
        #expect(try await other.response(foreign).code == 2)
        try await eventually("the end of the windows") {
            backend.events.count { $0.contains("closed") } == 2
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `a service that is killed leaves no window, and the next one works`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("hang", "pick newest 2")
        _ = try await picker.client.open()
        try await eventually("the question") { backend.events.count == 1 }
        try await picker.service.stop(SIGKILL)
        try await eventually("the end of the window") { backend.events.last == "{\"closed\":true}" }
        let next = try await picker.session.startService()
        let handle = try await picker.client.pick(["min_count": UInt32(2).variant])
        #expect(try await picker.client.response(handle).code == 0)
        let (status, output, _) = try await picker.session.run(
            "sqlite3", [picker.home.database.string, "PRAGMA integrity_check"])
        #expect(status == 0)
        #expect(output == "ok\n")
        try await next.stop()
    }

    @Test(arguments: CallerKind.allCases)
    func `a caller may have eight requests at a time, and others are unaffected`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("hang")
        var handles: [ObjectPath] = []
        for _ in 0..<8 { handles.append(try await picker.client.open()) }
        let error = await #expect(throws: DBusError.self) { try await picker.client.open() }
        #expect(error?.name == .limitsExceeded)
        let app =
            kind == .flatpak
            ? try await FlatpakApp.start(on: picker.session, appID: "org.example.Other") : nil
        let others = try await picker.session.addressForOthers()
        let other = try await Client(picker.session, at: app?.address ?? others)
        _ = try await other.open()
        try await picker.client.close(handles[0])
        _ = try await picker.client.open()
    }

    @Test(arguments: CallerKind.allCases)
    func `the reply comes before the response, which only the caller receives`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("pick newest 1")
        // The bus of a sandbox hides other connections, so the monitor runs outside.
        let monitor = try await picker.session.startMonitor()
        let handle = try await picker.client.open(["handle_token": "order".variant])
        _ = try await picker.client.response(handle)
        let sender = try #require(await picker.client.connection.uniqueName)
        let lines = try await eventually("the response on the bus") {
            let lines = monitor.outputLines.map(String.init)
            return lines.contains { $0.contains("\"Response\"") } ? lines : nil
        }
        let reply = lines.firstIndex {
            $0.contains("\"method_return\"") && $0.contains(handle.rawValue)
        }
        let responses = lines.indices.filter { lines[$0].contains("\"member\":\"Response\"") }
        #expect(responses.count == 1)
        #expect(try #require(reply) < responses[0])
        #expect(lines[responses[0]].contains("\"destination\":\"\(sender)\""))
    }
}
