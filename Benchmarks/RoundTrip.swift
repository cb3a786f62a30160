// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import PortalBackend
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// The time from an app's call to the response if the person decides instantly, compared with
/// xdg-desktop-portal's FileChooser.
///
/// Both backends answer at once, in one process on one bus.
struct RoundTrip {
    private static let requests = 2000

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let session = try await Session.start(home: home)
        let connection = try await session.connect()
        let service = try await session.startService()
        try await eventually("the library") {
            service.errorText.contains("Looked through the library")
        }
        let photos = try await LibraryReader(at: home.database).photos(in: .all, .images)
        let backends = try await ImmediateBackends(
            on: connection, photo: photos.ids[0], file: home.pictures.appending("a.jpg"))
        let portals = try await PortalStack.start(
            on: session, [.desktop], backends: try backends.portalFolder(home), desktop: "bench")
        let app = try await App(session)
        var ours: [Double] = []
        var theirs: [Double] = []
        // Alternating, so that changes in the machine's load affect both; the first rounds warm up.
        for number in 0..<(Self.requests + 100) {
            let own = try await milliseconds { try await app.pickPhoto() }
            let other = try await milliseconds { try await app.openFile() }
            guard number >= 100 else { continue }
            ours.append(own)
            theirs.append(other)
        }
        let peer = "xdg-desktop-portal, OpenFile"
        defer { withExtendedLifetime((backends, portals)) {} }
        return [
            .lessIsBetter(
                "request round trip, one photo, median", unit: "ms", ours: median(ours),
                peer: peer, theirs: median(theirs)),
            .lessIsBetter(
                "request round trip, one photo, 99th percentile", unit: "ms",
                ours: percentile(99, ours), peer: peer, theirs: percentile(99, theirs)),
        ]
    }

    private func percentile(_ rank: Int, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[min(sorted.count * rank / 100, sorted.count - 1)]
    }
}

/// Two backends that answer at once with the same file.
private final class ImmediateBackends: Sendable {
    private static let name: BusName = "org.freedesktop.impl.portal.desktop.bench"
    private let exports: [any Sendable]

    init(on connection: Connection, photo: AssetID, file: FilePath) async throws {
        let picker = try await PickerBackend(
            on: connection,
            pick: { _, _, _ throws(DBusError) in
                .picked([PickedItem(.asset(photo), from: .library)])
            }, authorize: { _, _ throws(DBusError) in .undecided },
            delete: { _, _ throws(DBusError) in false },
            preview: { _, _ throws(DBusError) in .cancelled })
        let chooser = try await Self.exportChooser(on: connection, "file://\(file)")
        exports = [picker, chooser]
        _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
        _ = try await connection.requestName(Self.name)
    }

    @BusActor
    private static func exportChooser(
        on connection: Connection, _ uri: String
    ) throws(WireError) -> Export {
        let openFile = Method<
            Arguments<ObjectPath, String, String, String, Vardict>, Arguments<UInt32, Vardict>
        >(
            "OpenFile", takes: ["handle", "app_id", "parent_window", "title", "options"],
            returns: ["response", "results"])
        let interface = Interface("org.freedesktop.impl.portal.FileChooser", [openFile])
        return try connection.export(interface, at: PickerBackendInterface.path) { export in
            export.method(openFile) { _ throws(DBusError) in
                Arguments(0, ["uris": [uri].variant, "writable": false.variant])
            }
        }
    }

    /// The file that announces the backend to xdg-desktop-portal.
    func portalFolder(_ home: TestHome) throws -> FilePath {
        let folder = home.scratch.appending("portals")
        try home.write(
            Array(
                """
                [portal]
                DBusName=\(Self.name)
                Interfaces=org.freedesktop.impl.portal.FileChooser
                UseIn=bench
                """.utf8), to: folder.appending("bench.portal"))
        return folder
    }
}
