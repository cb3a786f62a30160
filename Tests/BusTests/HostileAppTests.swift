// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Photos
import PortalBackend
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A hostile app that floods the service while another app picks photos.
@Suite(.serialized) struct HostileAppTests {
    /// What `hostile.py` sends.
    private static let attacks = [
        "calls", "churn", "eager", "holding", "silent", "unread", "descriptors", "large", "nested",
        "mixed",
    ]

    /// What `hostile.py` got.
    private struct Result: Decodable {
        let sent: Int
        /// The connections that the bus ended, which protects the service from a message that is not valid.
        let disconnected: Int
    }

    private static let connections = 24

    @Test(arguments: CallerKind.allCases, ["calls", "mixed"])
    func `an app that introspects first is answered during a flood`(
        kind: CallerKind, attack: String
    ) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await Self.backend(on: picker.session)
        let ending = picker.session.home.scratch.appending("ending")
        try picker.session.home.write([], to: ending)
        let hostile = try start(attack, picker, until: ending)
        try await eventually("the flood: \(hostile.errorText)") {
            hostile.outputText.contains("flooding")
        }
        var picks = 0
        while hostile.outputLines.count < 2 {
            // As dbus-python does for each connection.
            let victim = try await Client(picker.session)
            _ = try await victim.connection.call(
                Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]),
                to: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
                on: "org.freedesktop.DBus.Introspectable", Arguments())
            try await pick(victim)
            await victim.connection.close()
            picks += 1
            #expect(truncate(ending.string, 1) == 0)
        }
        #expect(try await hostile.exitStatus() == 0, "\(hostile.errorText)")
        #expect(picks > 0)
        print("\(kind) \(attack): \(picks) picks of apps that introspect")
        withExtendedLifetime(backend) {}
    }

    /// Picks are answered while the flood lasts.
    ///
    /// How long they take is measured by the benchmark `floods`, because here other tests run at the
    /// same time.
    @Test(arguments: CallerKind.allCases, attacks)
    func `a flood from 24 connections starves nobody and leaves nothing behind`(
        kind: CallerKind, attack: String
    ) async throws {
        let picker = try await PickerSession(kind)
        let backend = try await Self.backend(on: picker.session)
        let victim = try await Client(picker.session)
        // So that what the service makes once and keeps is there.
        for _ in 0..<20 { try await pick(victim) }
        let before = try Holdings(of: picker.service)
        // However slow this process is, the flood lasts until there was a pick.
        let ending = picker.session.home.scratch.appending("ending")
        try picker.session.home.write([], to: ending)
        let hostile = try start(attack, picker, until: ending)
        try await eventually("the flood: \(hostile.errorText)") {
            hostile.outputText.contains("flooding")
        }
        var slowest = Duration.zero
        var picks = 0
        while hostile.outputLines.count < 2 {
            let begin = ContinuousClock.now
            try await pick(victim)
            slowest = max(slowest, ContinuousClock.now - begin)
            picks += 1
            // In place: the sandbox has this file, not its name.
            #expect(truncate(ending.string, 1) == 0)
        }
        #expect(try await hostile.exitStatus() == 0, "\(hostile.errorText)")
        let result = try JSONDecoder().decode(
            Result.self, from: Data((hostile.outputLines.last ?? "").utf8))
        #expect(result.sent > 0)
        // Where the bus ends all connections at once, there is no flood.
        #expect(picks > 0 || result.disconnected == Self.connections)
        print("\(kind) \(attack): \(picks) picks, the slowest took \(slowest)")
        print(hostile.outputText)
        // The service still serves everyone, and has given everything back.
        try await pick(victim)
        let later = try await picker.anotherClient()
        try await eventually("a free place for the hostile app") {
            (try? await later.close(later.open())) != nil
        }
        await later.connection.close()
        try await eventually("the end of the descriptors") {
            try Holdings(of: picker.service).descriptors <= before.descriptors
        }
        try await eventually("the end of the memory: \(try Holdings(of: picker.service))") {
            try Holdings(of: picker.service).memory < before.memory + 4 << 10
        }
        print("service before: \(before); after: \(try Holdings(of: picker.service))")
        withExtendedLifetime(backend) {}
    }

    private func pick(_ client: Client) async throws {
        #expect(try await client.response(client.open()).code == 0)
    }

    /// A backend that picks a photo, and never answers requests with the title “Hold”.
    private static func backend(on session: Session) async throws -> PickerBackend {
        let keys = try await session.run(
            "sqlite3", [session.home.database.string, "SELECT lower(hex(key)) FROM asset"]
        ).output.split(separator: "\n")
        let photo = try #require(keys.first.flatMap { AssetID(String($0)) })
        let connection = try await session.connect()
        let backend = try await PickerBackend(
            on: connection,
            pick: { _, request, _ throws(DBusError) in
                if request.title == "Hold" {
                    // Ends when the request is closed.
                    try? await Task.sleep(for: .seconds(3600))
                    return .cancelled
                }
                return .picked([PickedItem(.asset(photo), from: .library)])
            }, authorize: { _, _ throws(DBusError) in .undecided },
            delete: { _, _ throws(DBusError) in false },
            preview: { _, _ throws(DBusError) in .cancelled })
        _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
        return backend
    }

    private func start(
        _ attack: String, _ picker: PickerSession, until ending: FilePath
    ) throws -> ChildProcess {
        let script = Programs.source.appending("Tests/Clients/hostile/hostile.py")
        let words = [
            script.string, attack, "\(Self.connections)",
            environmentVariable("PHOTO_PORTAL_FLOOD") ?? "1", ending.string,
        ]
        guard let app = picker.app else {
            return try picker.session.start("/usr/bin/python3", words)
        }
        return try app.start("/usr/bin/python3", words, files: [script, ending])
    }
}
