// SPDX-License-Identifier: MIT

import Files
import Glibc
package import SystemPackage

/// The desktop's installed portals, on a session's private bus.
///
/// They use the session's home: documents are mounted at `doc` in its runtime folder, and
/// permissions are stored in its data folder. The daemons end, and the mount goes, with this object.
package final class PortalStack: Sendable {
    /// One of the daemons.
    package enum Part: CaseIterable, Sendable {
        case permissionStore
        /// Needs the permission store and FUSE.
        case documents
        /// xdg-desktop-portal itself.
        case desktop

        var program: String {
            switch self {
            case .permissionStore: "/usr/libexec/xdg-permission-store"
            case .documents: "/usr/libexec/xdg-document-portal"
            case .desktop: "/usr/libexec/xdg-desktop-portal"
            }
        }

        var busName: String {
            switch self {
            case .permissionStore: "org.freedesktop.impl.portal.PermissionStore"
            case .documents: "org.freedesktop.portal.Documents"
            case .desktop: "org.freedesktop.portal.Desktop"
            }
        }
    }

    private let session: Session
    private let daemons: [(part: Part, child: ChildProcess)]

    /// Starts the daemons and waits until each owns its name.
    ///
    /// - Parameters:
    ///   - parts: The daemons to start; each starts after those it depends on.
    ///   - backends: A folder with the `.portal` files that xdg-desktop-portal reads; without
    ///     one it has no backend. Backends must already be on the bus or activatable.
    ///   - desktop: The desktop's name in `UseIn` of those files.
    package static func start(
        on session: Session, _ parts: Set<Part> = Set(Part.allCases), backends: FilePath? = nil,
        desktop: String = "phototest", environment: [String: String] = [:]
    ) async throws -> PortalStack {
        let folder = backends ?? session.home.scratch.appending("no-backends")
        try Directory.make(folder)
        let environment = session.environment.merging(environment) { $1 }.merging([
            "XDG_DESKTOP_PORTAL_DIR": folder.string, "XDG_CURRENT_DESKTOP": desktop,
        ]) { $1 }
        var daemons: [(Part, ChildProcess)] = []
        for part in Part.allCases where parts.contains(part) {
            // TERM lets the document portal unmount its documents even if the test process is killed.
            let child = try ChildProcess(
                part.program, ["--verbose"], environment: environment,
                scratch: session.home.scratch, deathSignal: "TERM")
            try await session.waitForOwner(of: part.busName, child)
            daemons.append((part, child))
        }
        return PortalStack(session: session, daemons: daemons)
    }

    private init(session: Session, daemons: [(Part, ChildProcess)]) {
        self.session = session
        self.daemons = daemons
    }

    deinit {
        for daemon in daemons.reversed() {
            daemon.child.signal(SIGTERM)
            daemon.child.waitForEnd()
        }
        let unmounting = try? ChildProcess(
            "fusermount3", ["-u", "-z", "-q", mountPoint.string],
            environment: session.environment, scratch: session.home.scratch)
        // Silent if the document portal has already unmounted them.
        unmounting?.waitForEnd()
    }

    /// Where the document portal shows its documents.
    package var mountPoint: FilePath { session.home.runtime.appending("doc") }

    /// A daemon's output so far; empty if it was not started.
    package func log(of part: Part) -> String {
        daemons.first { $0.part == part }?.child.errorText ?? ""
    }

    /// A daemon, for tests that stop or suspend it.
    package func process(of part: Part) -> ChildProcess? {
        daemons.first { $0.part == part }?.child
    }
}

extension Session {
    /// Stores a decision about an app, as the desktop's settings would.
    package func setLibraryPermission(
        _ word: String, of app: String, for level: String = "library"
    ) async throws {
        let result = try await run(
            "busctl",
            [
                "--address=\(bus.address)", "call",
                "org.freedesktop.impl.portal.PermissionStore",
                "/org/freedesktop/impl/portal/PermissionStore",
                "org.freedesktop.impl.portal.PermissionStore", "SetPermission", "sbssas",
                "photos", "true", level, app, "1", word,
            ])
        guard result.status == 0 else {
            throw NeverHappened(description: "a stored permission: \(result.errors)")
        }
    }
}
