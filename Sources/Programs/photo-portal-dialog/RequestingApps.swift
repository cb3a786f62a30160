// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage
import Systemd

/// Finds out which app asks, so that the person can be told.
///
/// xdg-desktop-portal 1.16 does not know most apps outside a sandbox. Their connection is part of the
/// request's path, and its process leads to a desktop file. That is good enough for a name in a window;
/// nothing is granted because of it.
@BusActor
struct RequestingApps {
    /// How long the file system of a process may take to answer.
    private static let patience = Duration.seconds(1)

    private let connection: Connection
    /// Looks at processes: few threads wait for those that never answer.
    private let calls = FileCalls()

    init(on connection: Connection) {
        self.connection = connection
    }

    /// The app behind a request.
    ///
    /// - Parameter appID: What the caller of the backend vouches for.
    func app(_ appID: AppID, of handle: String) async -> RequestingApp {
        var processID: Int32?
        if let sender = ObjectPath(handle).flatMap({ RequestHandle.sender(of: $0) }) {
            // A connection that has left says nothing, and its request is about to be closed.
            let credentials = try? await connection.credentials(of: sender)
            processID = credentials?.processID.flatMap { Int32(exactly: $0) }
        }
        let process = processID
        let folder = FilePath("/proc").appending(process.map(String.init) ?? "self")
        let app = await calls.run(on: folder.appending("root"), within: Self.patience) { _ in
            Self.describe(appID, process)
        }
        return app ?? Self.unknown(appID)
    }

    /// The app with an id, for a question whose answer grants it something.
    ///
    /// Its process is not looked at, because it may call itself whatever it likes.
    func app(_ appID: AppID) async -> RequestingApp {
        let folder = UserFolders.data.appending("applications").appending("any")
        let app = await calls.run(on: folder, within: Self.patience) { _ in
            Self.describe(appID, nil)
        }
        return app ?? Self.unknown(appID)
    }

    /// An app that cannot be looked at counts as one that passes on what it gets.
    private nonisolated static func unknown(_ appID: AppID) -> RequestingApp {
        RequestingApp(
            id: appID.rawValue, name: appID.isKnown ? Self.name(of: appID) : nil,
            isPrivacyExpected: true)
    }

    /// - Isolation: any thread; reads desktop files and proc(5).
    private nonisolated static func describe(_ appID: AppID, _ processID: Int32?) -> RequestingApp {
        let process = processID.map { FilePath("/proc").appending(String($0)) }
        let isInSandbox = process.map(Self.isInSandbox) ?? false
        var app = DesktopApp.find(appID: appID.rawValue)
        // The process of an app in a sandbox is that of its bus proxy.
        if app == nil, !isInSandbox, !appID.isKnown {
            app =
                processID.flatMap { UserUnit.appID(ofProcess: $0) }
                .flatMap { DesktopApp.find(appID: $0) }
                ?? process.flatMap { DesktopApp.find(programs: programs($0)) }
        }
        let isSandboxed = isInSandbox || app?.isSandboxed ?? false
        return RequestingApp(
            id: appID.isKnown ? appID.rawValue : app?.id ?? "",
            name: app?.name ?? (appID.isKnown ? Self.name(of: appID) : nil), icon: app?.icon,
            isPrivacyExpected: isSandboxed
                || !(app?.categories ?? []).isDisjoint(with: Self.privateCategories))
    }

    /// An app without a desktop file goes by its id.
    private nonisolated static func name(of appID: AppID) -> String {
        appID.rawValue.hasPrefix("snap.") ? String(appID.rawValue.dropFirst(5)) : appID.rawValue
    }

    /// The kinds of apps that pass on what they get.
    ///
    /// - Source: Desktop Menu Specification, “Registered Categories”.
    private nonisolated static let privateCategories: Set = [
        "WebBrowser", "Email", "InstantMessaging", "Chat", "IRCClient", "VideoConference",
        "Telephony",
    ]

    private nonisolated static func isInSandbox(_ process: FilePath) -> Bool {
        let information = process.appending("root").appending(".flatpak-info")
        if (try? information.stat())?.type == .regular { return true }
        // A process that cannot be looked at counts as one outside.
        let groups = try? Descriptor.openForReading(process.appending("cgroup")).read(upTo: 1 << 16)
        return String(decoding: groups ?? [], as: UTF8.self).contains("/snap.")
    }

    /// The names by which a process may have been started.
    private nonisolated static func programs(_ process: FilePath) -> [String] {
        let executable = (try? SymbolicLink.target(of: process.appending("exe")))?.lastComponent?
            .string
        let line = try? Descriptor.openForReading(process.appending("cmdline")).read(upTo: 1 << 14)
        // A script follows the name of its interpreter.
        let words = (line ?? []).split(separator: 0).prefix(2).compactMap { word in
            FilePath(String(decoding: word, as: UTF8.self)).lastComponent?.string
        }
        return [executable ?? ""] + words
    }
}
