// SPDX-License-Identifier: MIT

import Desktop
import Glibc
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// With `continuous`, an app follows the choice while the window is open.
@Suite(.serialized) struct ContinuousTests {
    /// Records what an app hears of the choice.
    final class Follower: Sendable {
        struct Report: Sendable {
            let handle: String
            let items: [Vardict]
            let keys: Set<String>
            let at = ContinuousClock.now

            var ids: [String] { items.map { $0.value("id") ?? "" } }
        }

        let client: Client
        let reports = Recorder<Report>()
        private let subscription: Subscription

        init(_ client: Client) async throws {
            self.client = client
            subscription = try await client.connection.subscribe(
                to: PhotoSelectionInterface.selectionChanged,
                of: PhotoSelectionInterface.interface.name, from: PhotoPickerInterface.busName
            ) { [reports] message, content in
                reports.note(
                    Report(
                        handle: message.path?.rawValue ?? "",
                        items: content.values.value("items") ?? [],
                        keys: Set(content.values.keys)))
            }
        }

        func pick(_ options: Vardict = [:]) async throws -> ObjectPath {
            var options = options
            options["continuous"] = true.variant
            return try await client.pick(options)
        }

        /// Waits for a report of so many photos that is the last one.
        @discardableResult
        func heard(_ count: Int) async throws -> Report {
            try await eventually("a choice of \(count): \(reports.all)") {
                reports.all.last.flatMap { $0.items.count == count ? $0 : nil }
            }
        }

        func deselect(_ ids: [String], _ handle: ObjectPath) async throws(DBusError) {
            _ = try await client.connection.call(
                PhotoSelectionInterface.deselect, to: PhotoPickerInterface.busName, at: handle,
                on: PhotoSelectionInterface.interface.name, Arguments(ids))
        }

        func update(_ options: Vardict, _ handle: ObjectPath) async throws(DBusError) {
            _ = try await client.connection.call(
                PhotoSelectionInterface.update, to: PhotoPickerInterface.busName, at: handle,
                on: PhotoSelectionInterface.interface.name, Arguments(options))
        }
    }

    private static func number(_ number: Int) -> Variant { UInt32(number).variant }

    // MARK: - Following

    @Test(arguments: CallerKind.allCases)
    func `an app hears of the choice without any picture, and deselects a photo`(
        kind: CallerKind
    ) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("choose newest 3; hear; pick chosen")
        let app = try await Follower(picker.client)
        let stranger = try await Follower(picker.anotherClient())
        let handle = try await app.pick()
        let first = try await app.heard(3)
        #expect(first.handle == handle.rawValue)
        #expect(first.keys == ["items"])
        for item in first.items {
            // Nothing from which the app could tell what the photo shows, or where it is.
            #expect(Set(item.keys) == ["id", "source", "media_type", "width", "height"])
            #expect(item.value("media_type", as: String.self) == "image/jpeg")
            #expect((item.value("width", as: UInt32.self) ?? 0) > 0)
        }
        try await app.deselect([first.ids[1]], handle)
        let response = try await app.client.response(handle)
        let items = try #require(Delivery(response.results)).items
        #expect(items.map(\.id) == [first.ids[0], first.ids[2]])
        try await app.client.settle()
        // The change that the app itself made may have come before the response or not at all.
        #expect(app.reports.count <= 2)
        #expect(app.reports.all.last.map { $0.ids.count } ?? 0 >= 2)
        #expect(stranger.reports.all.isEmpty)
        // The backend knows the photo by the library's id.
        let event = try #require(backend.events.first { $0.contains("deselected") })
        #expect(event.contains(first.ids[1]) == (kind == .host), "\(event)")
    }

    @Test func `photos selected in advance are reported when the window opens`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend(
            "pick newest 2\nchoose preselected; hear; cancel")
        let given = try #require(
            Delivery(try await picker.client.response(try await picker.client.pick()).results))
        let app = try await Follower(picker.client)
        let handle = try await app.pick(["preselected": given.items.map(\.id).variant])
        #expect(try await app.heard(2).ids == given.items.map(\.id))
        try await app.client.close(handle)
        try await eventually("the end") { backend.events.last == "{\"closed\":true}" }
    }

    @Test func `files from elsewhere have no id and tell nothing else`() async throws {
        let picker = try await PickerSession()
        let file = try #require(picker.files.first.flatMap { FileURI.make($0) })
        _ = try await picker.session.startBackend("choose files \(file); hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick()
        let item = try await app.heard(1).items[0]
        #expect(item == ["id": "".variant, "source": "files".variant])
        // It cannot be deselected.
        try await app.deselect([""], handle)
        try await app.client.close(handle)
    }

    @Test func `an app that does not follow the choice hears nothing before the response`()
        async throws
    {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("choose newest 2; delay 300ms; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.client.pick()
        #expect(try await app.client.response(handle).code == 0)
        try await app.client.settle()
        #expect(app.reports.all.isEmpty)
    }

    @Test func `OpenImage ignores the option, like any that it does not have`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("choose newest 1; hang")
        let app = try await Follower(picker.client)
        let handle = try await app.client.open(["continuous": true.variant])
        let error = await #expect(throws: DBusError.self) {
            try await app.update(["max_count": Self.number(1)], handle)
        }
        #expect(Self.absences.contains(try #require(error).name))
    }

    /// What a call of an object or an interface that is not there fails with.
    private static let absences: Set<ErrorName> = [
        .unknownObject, .unknownInterface, .unknownMethod,
    ]

    @Test func `bursts become few signals, the last of which is the last choice`() async throws {
        let picker = try await PickerSession()
        let steps = (0..<40).map { "choose newest \($0 % 5)" }.joined(separator: "; ")
        _ = try await picker.session.startBackend("\(steps); choose newest 5; hear; pick chosen")
        let app = try await Follower(picker.client)
        let start = ContinuousClock.now
        let handle = try await app.pick()
        let last = try await app.heard(5)
        let most = Int((last.at - start) / .milliseconds(100)) + 1
        #expect(app.reports.count <= most, "\(app.reports.count)")
        try await app.deselect([last.ids[0]], handle)
        #expect(try await app.client.response(handle).code == 0)
        let count = app.reports.count
        try await app.client.settle()
        #expect(app.reports.count == count, "nothing follows the response")
    }

    // MARK: - Changing the request

    @Test func `an app lowers the number of photos`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend(
            "choose newest most; hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick(["max_count": Self.number(4)])
        let all = try await app.heard(4).ids
        try await app.update(["max_count": Self.number(2), "unknown": true.variant], handle)
        let response = try await app.client.response(handle)
        #expect(Delivery(response.results)?.items.map(\.id) == Array(all.prefix(2)))
        #expect(backend.events.contains("{\"max_count\":2,\"min_count\":1}"))
    }

    @Test func `an app raises the number of photos, and the answer may have as many`() async throws
    {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("choose newest most; hear; pick newest most")
        let app = try await Follower(picker.client)
        let handle = try await app.pick(["max_count": Self.number(2)])
        try await app.heard(2)
        try await app.update(["max_count": Self.number(4)], handle)
        let response = try await app.client.response(handle)
        #expect(Delivery(response.results)?.items.count == 4)
    }

    private static let refusals: [(Vardict, String)] = [
        (["max_count": "2".variant], "max_count"), (["max_count": .int32(2)], "max_count"),
        (["min_count": number(9)], "min_count"), (["min_count": number(10_001)], "min_count"),
        (["max_count": number(0), "min_count": number(10_001)], "min_count"),
        (["reason": "Trust me".variant], "reason"),
        (["title": "x".variant, "modal": false.variant], "modal"),
        (["accept_label": "Send".variant, "max_count": number(3)], "accept_label"),
        (["persistent": true.variant], "persistent"),
        (["continuous": false.variant], "continuous"),
    ]

    @Test(arguments: refusals)
    func `what cannot change, and wrong values, are refused by name`(
        options: Vardict, name: String
    ) async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("choose newest 1; hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick(["max_count": Self.number(4)])
        try await app.heard(1)
        let error = await #expect(throws: DBusError.self) {
            try await app.update(options, handle)
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains("'\(name)'") == true, "\(error?.message ?? "")")
        // Nothing of it has reached the window.
        try await app.client.close(handle)
        try await eventually("the end") { backend.events.last == "{\"closed\":true}" }
        #expect(backend.events.count == 2)
    }

    @Test func `ids that are not chosen are ignored, and too many are refused`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("choose newest 1; hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick()
        try await app.heard(1)
        try await app.deselect(["", "x", String(repeating: "0", count: 32)], handle)
        for ids in [
            Array(repeating: "x", count: 1025), [String(repeating: "x", count: 4097)],
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await app.deselect(ids, handle)
            }
            #expect(error?.name == .portalInvalidArgument)
        }
        try await app.client.close(handle)
        try await eventually("the end") { backend.events.last == "{\"closed\":true}" }
        #expect(backend.events.count == 2)
    }

    // MARK: - Hostile callers

    @Test(arguments: CallerKind.allCases)
    func `nobody else can change a request, and nobody can when it has ended`(
        kind: CallerKind
    ) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("choose newest 2; hear; pick chosen")
        let app = try await Follower(picker.client)
        let other = try await Follower(picker.anotherClient())
        let handle = try await app.pick()
        let ids = try await app.heard(2).ids
        func expectAbsence(_ body: () async throws -> Void) async throws {
            do {
                try await body()
                Issue.record("The call succeeded.")
            } catch let error as DBusError {
                #expect(Self.absences.contains(error.name), "\(error)")
            }
        }
        try await expectAbsence { try await other.deselect(ids, handle) }
        try await expectAbsence { try await other.update(["max_count": Self.number(1)], handle) }
        #expect(backend.events.count == 1)
        try await app.deselect([ids[0]], handle)
        let response = try await app.client.response(handle)
        #expect(Delivery(response.results)?.items.map(\.id) == [ids[1]])
        try await expectAbsence { try await app.deselect(ids, handle) }
        try await expectAbsence { try await app.update([:], handle) }
    }

    @Test func `a request that is not continuous cannot be changed`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("hang")
        let app = try await Follower(picker.client)
        let handle = try await app.client.pick()
        let error = await #expect(throws: DBusError.self) {
            try await app.update(["max_count": Self.number(1)], handle)
        }
        #expect(Self.absences.contains(try #require(error).name))
        try await app.client.close(handle)
    }

    @Test func `a flood of changes reaches the window as few, and the last one counts`()
        async throws
    {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("choose newest 5; delay 60s; cancel")
        let app = try await Follower(picker.client)
        let handle = try await app.pick()
        let ids = try await app.heard(5).ids
        let start = ContinuousClock.now
        for number in 0..<500 {
            try await app.update(["max_count": Self.number(number % 7 + 100)], handle)
            try await app.deselect([ids[number % 2]], handle)
        }
        try await app.update(["max_count": Self.number(99)], handle)
        try await eventually("the last change") {
            backend.events.last { $0.contains("max_count") } == "{\"max_count\":99,\"min_count\":1}"
        }
        let most = Int((ContinuousClock.now - start) / .milliseconds(100)) + 2
        #expect(backend.events.filter { $0.contains("max_count") }.count <= most)
        #expect(backend.events.filter { $0.contains("deselected") }.count <= most)
        #expect(try await app.heard(3).ids == Array(ids.dropFirst(2)))
        try await app.client.close(handle)
    }

    @Test func `only the service may change what a backend shows`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("choose newest 2; hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick()
        let ids = try await app.heard(2).ids
        let error = await #expect(throws: DBusError.self) {
            try await app.client.connection.call(
                PickerBackendInterface.deselect, to: PickerBackendInterface.defaultBusName,
                at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                Arguments(handle, ids))
        }
        #expect(error?.name == .accessDenied)
        try await app.client.close(handle)
    }

    // MARK: - Hostile backends

    @Test func `of a backend, only a choice of the request is believed`() async throws {
        let picker = try await PickerSession()
        let scripted = try await picker.session.startBackend("pick newest most")
        let ids = try await picker.libraryIDs()
        try await scripted.stop(SIGKILL)
        try await eventually("the end of the first backend") {
            try await picker.client.connection.owner(of: PickerBackendInterface.defaultBusName)
                == nil
        }
        let rogue = try await RogueBackend(picker.session) { _ in
            // Until the end of the test.
            try? await Task.sleep(for: .seconds(1000))
            return Arguments(2, [:])
        }
        let app = try await Follower(picker.client)
        // An app outside a sandbox, like the first, and one window each.
        let other = try await Follower(picker.foreignClient())
        let foreign = try await other.client.pick()
        let handle = try await app.pick(["max_count": Self.number(3)])
        try await eventually("the calls") { rogue.calls.count == 2 }
        func photo(_ id: String, _ source: String = "library") -> Vardict {
            ["id": id.variant, "source": source.variant]
        }
        func choice(_ items: [Vardict]) -> Vardict { ["selection": items.variant] }
        let one = choice([photo(ids[0])])
        try await rogue.report(foreign, one)
        try await rogue.report("/org/freedesktop/portal/desktop/request/none/none", one)
        for garbage in [
            [:], ["selection": UInt32(1).variant], choice([[:]]), choice([photo("x")]),
            choice([photo(ids[0], "nowhere")]), choice(ids.prefix(4).map { photo($0) }),
            choice([photo(ids[0]).merging(["uri": "file:///etc/passwd".variant]) { $1 }]),
        ] as [Vardict] {
            try await rogue.report(handle, garbage)
        }
        // A photo that there is not is left out.
        try await rogue.report(
            handle, choice([photo(String(repeating: "7", count: 32)), photo(ids[1])]))
        #expect(try await app.heard(1).ids == [ids[1]])
        #expect(app.reports.count == 1)
        #expect(other.reports.all.isEmpty)
        let complaints = picker.service.errorText.split(separator: "\n")
            .filter { $0.contains("reports no choice") }
        #expect(complaints.count == 1)
        try await app.client.close(handle)
        try await rogue.report(handle, one)
        try await app.client.settle()
        #expect(app.reports.count == 1)
    }

    @Test func `a report of anybody but the backend is not believed`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("choose newest 2; hear; pick chosen")
        let app = try await Follower(picker.client)
        let handle = try await app.pick()
        let ids = try await app.heard(2).ids
        let service = try await app.client.connection.owner(of: PhotoPickerInterface.busName)
        try await app.client.connection.emit(
            PickerBackendInterface.selectionChanged, of: PickerBackendInterface.interface.name,
            from: PickerBackendInterface.path, to: service,
            Arguments(handle, ["selection": [Vardict]().variant]))
        try await app.client.settle()
        try await app.deselect([ids[1]], handle)
        #expect(try await app.client.response(handle).code == 0)
        #expect(!app.reports.all.contains { $0.items.isEmpty })
    }

    // MARK: - portal-pick

    @Test func `portal-pick prints each change before the result`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend(
            "choose newest 1; delay 400ms; choose newest 2; delay 400ms; pick chosen")
        let (status, output, _) = try await picker.session.run(
            "portal-pick", ["--continuous", "--format", "uri"])
        #expect(status == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("{\"items\":[{") && $0.hasSuffix("]}") })
        #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("file://") })
    }
}
