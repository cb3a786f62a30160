// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Many sequential and concurrent requests leak nothing.
@Suite(.serialized) struct EnduranceTests {
    @Test func `10,000 sequential and 48 concurrent requests leak nothing`() async throws {
        let picker = try await PickerSession()
        // The first line is for the first request, the last one for all others.
        _ = try await picker.session.startBackend("cancel")
        let connection = try await picker.session.connect()
        let (responses, responded) = AsyncStream<String?>.makeStream()
        let subscription = try await connection.subscribe(
            to: RequestInterface.response, of: RequestInterface.interface.name,
            from: PhotoPickerInterface.busName
        ) { message, _ in responded.yield(message.path?.rawValue) }
        func makeRequests(_ count: Int) async throws {
            var ends = responses.makeAsyncIterator()
            for _ in 0..<count {
                // A fast machine makes more requests in a second than one app may.
                let handle = try await eventually("an admitted request") {
                    do throws(DBusError) {
                        return try await connection.call(
                            PhotoPickerInterface.openImage, to: PhotoPickerInterface.busName,
                            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
                            Arguments("", "", [:])
                        ).values
                    } catch {
                        guard error.name == .limitsExceeded else { throw error }
                        return nil
                    }
                }
                #expect(await ends.next() == handle.rawValue)
            }
        }
        try await makeRequests(2000)
        let before = try Holdings(of: picker.service)
        try await makeRequests(10_000)
        for _ in 0..<10 { try await makeAtOnce(picker) }
        try await eventually("the end of the callers") {
            try Holdings(of: picker.service).descriptors <= before.descriptors
        }
        let after = try Holdings(of: picker.service)
        print("service before: \(before); after: \(after)")
        #expect(after.descriptors <= before.descriptors)
        // A leak of only a hundred bytes per request would add up to a megabyte.
        #expect(after.memory < before.memory + 1024)
        await subscription.cancel()
    }

    /// 48 requests of 6 callers, all open at the same time; more places are kept for others.
    private func makeAtOnce(_ picker: PickerSession) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                let client = try await picker.foreignClient()
                group.addTask {
                    var handles: [ObjectPath] = []
                    for _ in 0..<8 { handles.append(try await client.open()) }
                    for handle in handles {
                        #expect(try await client.response(handle).code == 1)
                    }
                    await client.connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `a caller that floods the service is refused while another one is served`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("hang")
        try await picker.client.close(try await picker.client.open())
        let before = try Holdings(of: picker.service)
        let flooder = try await picker.anotherClient()
        let refused = Recorder<ErrorName>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10_000 {
                group.addTask {
                    do throws(DBusError) {
                        _ = try await flooder.connection.call(
                            PhotoPickerInterface.openImage, to: PhotoPickerInterface.busName,
                            at: PhotoPickerInterface.path,
                            on: PhotoPickerInterface.interface.name, Arguments("", "", [:]),
                            timeout: .seconds(10))
                    } catch {
                        refused.note(error.name)
                    }
                }
            }
            try await eventually("the flood") { refused.count > 100 }
            // Another program, because the limits count this one as a whole.
            let other = try picker.session.start(
                "/usr/bin/busctl",
                [
                    "--user", "call", PhotoPickerInterface.busName.rawValue,
                    PhotoPickerInterface.path.rawValue,
                    PhotoPickerInterface.interface.name.rawValue, "OpenImage", "ssa{sv}", "", "",
                    "0",
                ])
            #expect(try await other.exitStatus() == 0, "\(other.errorText)")
            try await group.waitForAll()
        }
        #expect(refused.count == 10_000 - 8)
        // While the bus is busy with the flood, calls are refused without a reply.
        let expected: Set<ErrorName> = [
            .limitsExceeded, .noReply, "org.freedesktop.DBus.Error.Timeout",
        ]
        #expect(Set(refused.all).isSubset(of: expected))
        #expect(refused.all.contains(.limitsExceeded))
        await flooder.connection.close()
        try await eventually("the end of the flooder's requests") {
            (try? await picker.client.open()) != nil
        }
        try await eventually("the end of the flooder's descriptors") {
            try Holdings(of: picker.service).descriptors <= before.descriptors
        }
        let after = try Holdings(of: picker.service)
        print("service before: \(before); after: \(after)")
        #expect(after.memory < before.memory + 16 << 10)
    }

    /// The descriptors were kept with the messages, until the bus disconnected the service.
    @Test func `descriptors in unknown options do not accumulate`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("hang")
        // The identity of a caller is looked up once, and every call waits for it.
        let flooder = try await picker.anotherClient()
        let before = try Holdings(of: picker.service)
        let file = try Descriptor.openForReading("/dev/null")
        let heap: Vardict = [
            "unknown": .array(element: "h", Array(repeating: .descriptor(file), count: 16))
        ]
        let outcomes = Recorder<ErrorName?>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    do throws(DBusError) {
                        _ = try await flooder.open(heap)
                        outcomes.note(nil)
                    } catch {
                        outcomes.note(error.name)
                    }
                }
            }
            try await group.waitForAll()
        }
        // Unknown options are ignored, whatever they contain.
        #expect(outcomes.all.count { $0 == nil } == 8)
        #expect(Set(outcomes.all.compactMap(\.self)) == [.limitsExceeded])
        let during = try Holdings(of: picker.service)
        print("service before: \(before); during: \(during)")
        // No call leaked a descriptor, although 8 requests are open.
        #expect(during.descriptors < before.descriptors + 16)
        await flooder.connection.close()
        let handle = try await picker.client.open()
        try await picker.client.close(handle)
    }

    @Test func `a message that is too large is rejected before it is built`() async throws {
        let picker = try await PickerSession()
        let heaps: [Variant] = [
            Array(repeating: "x", count: 200_000).variant,
            String(repeating: "x", count: 20 << 20).variant,
            .array(element: "a{sv}", Array(repeating: Vardict().variant, count: 200_000)),
        ]
        let before = try Holdings(of: picker.service)
        for heap in heaps {
            let error = await #expect(throws: DBusError.self) {
                try await picker.client.open(["unknown": heap])
            }
            #expect(error?.name == .limitsExceeded)
        }
        let after = try Holdings(of: picker.service)
        print("service before: \(before); after: \(after)")
        #expect(after.memory < before.memory + 64 << 10)
    }
}
