// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import PortalBackend
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// How long an app waits for a photo while another one floods the service, compared with what the bus
/// takes for the same messages; and the memory and descriptors that remain in use afterwards.
///
/// `Tests/Clients/hostile/hostile.py` floods from 24 connections, from the host and from a sandbox.
/// The person decides instantly. `PHOTO_PORTAL_ATTACKS` names the floods, all of them without it.
struct Floods {
    /// What `hostile.py` sends.
    private static let attacks = [
        "calls", "churn", "eager", "holding", "silent", "unread", "descriptors", "large", "nested",
        "mixed",
    ]
    private static let quietPicks = 200

    /// The time between two picks: shorter than a person needs for one.
    private static let pause = Duration.milliseconds(200)

    /// How long each flood lasts, in seconds.
    private let seconds = environmentVariable("PHOTO_PORTAL_FLOOD") ?? "3"
    private let attacks =
        environmentVariable("PHOTO_PORTAL_ATTACKS").map {
            $0.split(separator: " ").map(String.init)
        } ?? Self.attacks

    func measure() async throws -> [Row] {
        try await measure(isSandboxed: false) + measure(isSandboxed: true)
    }

    private func measure(isSandboxed: Bool) async throws -> [Row] {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let session = try await Session.start(home: home)
        let portals =
            isSandboxed
            ? try await PortalStack.start(on: session, [.permissionStore, .documents]) : nil
        let flooder = isSandboxed ? try await FlatpakApp.start(on: session) : nil
        let service = try await session.startService()
        try await eventually("the library") {
            service.errorText.contains("Looked through the library")
        }
        let photos = try await LibraryReader(at: home.database).photos(in: .all, .images)
        let connection = try await session.connect()
        let backend = try await Self.backend(on: connection, photos.ids[0])
        let app = try await App(session)
        var quiet: [Double] = []
        for _ in 0..<Self.quietPicks {
            quiet.append(try await milliseconds { try await app.pickPhoto() })
        }
        let before = try await settled(service)
        let origin = isSandboxed ? "a Flatpak" : "the host"
        let floor = try await FloodFloor.start()
        let floorFlooder = isSandboxed ? try await floor.startFlooder() : nil
        var rows = [
            Row.lessIsBetter(
                "pick without a flood, slowest of \(quiet.count)", unit: "ms",
                ours: quiet.max() ?? .nan)
        ]
        for attack in attacks {
            var times: [Double] = []
            try await session.flood(attack, by: flooder, seconds: seconds) {
                times.append(try await milliseconds { try await app.pickPhoto() })
                // An app that calls all the time is refused like the flood while the bus is behind.
                try await Task.sleep(for: Self.pause)
            }
            let least = try await floor.slowest(
                during: attack, by: floorFlooder, seconds: seconds)
            rows.append(
                .lessIsBetter(
                    "pick during the flood \(attack) from \(origin), slowest of \(times.count)",
                    unit: "ms", ours: times.max() ?? .nan, peer: "a service that does nothing else",
                    theirs: least.pick))
            rows.append(
                .lessIsBetter(
                    "ping of another program during the flood \(attack) from \(origin)",
                    unit: "ms", ours: least.ping))
        }
        let after = try await settled(service)
        rows.append(
            .lessIsBetter(
                "memory of the service after floods from \(origin)", unit: "MiB",
                ours: Double(after.memory) / 1024, peer: "before",
                theirs: Double(before.memory) / 1024))
        rows.append(
            .lessIsBetter(
                "descriptors of the service after floods from \(origin)", unit: "",
                ours: Double(after.descriptors), peer: "before",
                theirs: Double(before.descriptors)))
        withExtendedLifetime((backend, portals)) {}
        return rows
    }

    /// The service's memory and descriptors once they no longer decrease.
    ///
    /// It returns the last of its memory to the system ten seconds after its last work.
    private func settled(_ service: ChildProcess) async throws -> Holdings {
        var least = try Holdings(of: service)
        var change = ContinuousClock.now
        return try await eventually("rest of the service", within: .seconds(300)) {
            let now = try Holdings(of: service)
            if now.memory < least.memory || now.descriptors < least.descriptors {
                change = .now
                least = now
            }
            return change.duration(to: .now) > .seconds(15) ? now : nil
        }
    }

    /// A backend that picks a photo, and never answers requests with the title “Hold”.
    private static func backend(
        on connection: Connection, _ photo: AssetID
    ) async throws -> PickerBackend {
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
}
