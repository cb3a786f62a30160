// SPDX-License-Identifier: MIT

import Files
import Logging
import PhotoLibrary
import Photos
import PortalService
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What becomes of the permissions of apps that are uninstalled, with the desktop's real permission store.
@Suite(.serialized) struct UninstalledAppsTests {
    private let session: Session
    private let portals: PortalStack
    private let authorizations: AuthorizationStore
    private let library: LibraryStore
    private let root: FilePath

    init() async throws {
        session = try await Session.start()
        portals = try await PortalStack.start(on: session, [.permissionStore])
        authorizations = await AuthorizationStore(on: try await session.connect()) { _ in false }
        library = try LibraryStore(at: session.home.database, logger: Logger(label: "test"))
        root = session.home.scratch.appending("apps")
        try Directory.make(app("org.example.Other"))
    }

    /// The folder of an app that is installed.
    private func app(_ id: String) -> FilePath { root.appending("user/app").appending(id) }

    /// The folder with the data of an app.
    private func data(_ id: String) -> FilePath { root.appending("data").appending(id) }

    private func uninstalled(extra: [FilePath] = [], pause: Duration = .zero) -> UninstalledApps {
        let apps = SandboxedApps(
            installations: [root.appending("user"), root.appending("system")],
            extraInstallations: extra, snapFolders: [root.appending("snap")],
            dataFolder: root.appending("data"))
        return UninstalledApps(
            apps, authorizations, library, pause: pause, logger: Logger(label: "test"))
    }

    private func allow(_ app: String, _ sandbox: AppIdentity.Sandbox = .flatpak) async throws {
        let identity = AppIdentity(sandbox, appID: AppID(vouchedFor: app))
        try await authorizations.record(.limited, of: identity, for: .readWrite)
        try await authorizations.record(.authorized, of: identity, for: .add)
        let photo = try #require(AssetID("00112233445566778899aabbccddeeff"))
        try await library.noteGiven([photo], whole: [photo], to: app)
    }

    /// The levels at which something is decided about an app, and whether it was given photos.
    private func holdings(_ app: String) async throws -> (levels: Int, hasPhotos: Bool) {
        let identity = AppIdentity(
            app.hasPrefix("snap.") ? .snap : .flatpak, appID: AppID(vouchedFor: app))
        var levels = 0
        for level in AccessLevel.allCases
        where try await authorizations.authorization(of: identity, for: level) != .notDetermined {
            levels += 1
        }
        return (levels, try await library.appsWithPhotos().contains(app))
    }

    @Test
    func `an app that was uninstalled while no service ran loses everything, and no other does`()
        async throws
    {
        for app in ["org.example.Gone", "org.example.Other", "org.example.Program"] {
            try await allow(app)
        }
        try await allow("snap.gone", .snap)
        try await allow("snap.other", .snap)
        try Directory.make(root.appending("snap/other"))
        for app in ["org.example.Gone", "org.example.Other"] { try Directory.make(data(app)) }
        try await running(uninstalled()) {
            for app in ["org.example.Gone", "snap.gone"] {
                try await eventually("the end of \(app)") {
                    try await holdings(app) == (0, false)
                }
            }
        }
        // One is installed; the other may be a program that no sandbox knows.
        for app in ["org.example.Other", "org.example.Program", "snap.other"] {
            #expect(try await holdings(app) == (2, true), "\(app)")
        }
    }

    @Test func `an app that is uninstalled with its data loses everything`() async throws {
        try Directory.make(app("org.example.Gone"))
        try await allow("org.example.Gone")
        try await allow("org.example.Other")
        try await running(uninstalled()) {
            try await firstLook()
            removeTree(app("org.example.Gone"))
            try await eventually("its end") { try await holdings("org.example.Gone") == (0, false) }
        }
        #expect(try await holdings("org.example.Other") == (2, true))
    }

    @Test func `an app that is replaced by itself keeps everything`() async throws {
        try Directory.make(app("org.example.App"))
        try Directory.make(app("org.example.Gone"))
        try await allow("org.example.App")
        try await allow("org.example.Gone")
        try await running(uninstalled(pause: .milliseconds(200))) {
            try await firstLook()
            removeTree(app("org.example.App"))
            removeTree(app("org.example.Gone"))
            try Directory.make(app("org.example.App"))
            try await eventually("the end of the other") {
                try await holdings("org.example.Gone") == (0, false)
            }
        }
        #expect(try await holdings("org.example.App") == (2, true))
    }

    @Test func `while the disk of an installation is away, no app loses anything`() async throws {
        try await allow("org.example.Gone")
        try Directory.make(data("org.example.Gone"))
        try await allow("org.example.First")
        try Directory.make(data("org.example.First"))
        let away = root.appending("away")
        let apps = uninstalled(extra: [away])
        try await running(apps) {
            // The disk comes back, with all that it has.
            let disk = root.appending("disk")
            try Directory.make(disk.appending("app/org.example.Gone"))
            try AtomicFile.rename(disk, to: away)
            try await eventually("a look at it") {
                try Directory.make(app("org.example.New"))
                removeTree(app("org.example.New"))
                return try await holdings("org.example.First") == (0, false)
            }
        }
        #expect(try await holdings("org.example.Gone") == (2, true))
    }

    private func running(
        _ apps: UninstalledApps, _ body: () async throws -> Void
    ) async throws {
        let task = Task { await apps.run() }
        defer { task.cancel() }
        try await body()
    }

    /// Waits until the installed apps are known: another one, which is gone, has lost everything.
    private func firstLook() async throws {
        try Directory.make(data("org.example.First"))
        try await allow("org.example.First")
        try await eventually("the first look") {
            // It may have begun before.
            try Directory.make(app("org.example.New"))
            removeTree(app("org.example.New"))
            return try await holdings("org.example.First") == (0, false)
        }
    }
}
