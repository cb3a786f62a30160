// SPDX-License-Identifier: MIT

import Files
import SDBus
package import SystemPackage

/// An app in an environment like Flatpak's, without Flatpak: its sandbox, its bus, its documents.
///
/// - Source: flatpak-metadata(5), and what `flatpak run` gives bwrap(1) and xdg-dbus-proxy(1).
package final class FlatpakApp: Sendable {
    package let appID: String
    /// The address of the session bus for a client that should be identified as this app: the bus
    /// sees a process in the app's sandbox.
    ///
    /// Through a relay, because the xdg-dbus-proxy of Debian 12 loses clients that send their
    /// whole greeting at once, as sd-bus does. It passes no descriptors and hides no names.
    package var address: String { "unix:path=\(relaySocket)" }
    private let instance: String
    private let session: Session
    private let information: FilePath
    private let relaySocket: FilePath
    private let proxySocket: FilePath
    private let relay: ChildProcess
    private let proxy: ChildProcess

    /// Starts the app's bus proxy, which Flatpak runs in the app's sandbox too, and the relay.
    package static func start(
        on session: Session, appID: String = "org.example.Fake", sharesNetwork: Bool = false
    ) async throws -> FlatpakApp {
        let app = try FlatpakApp(session, appID, sharesNetwork)
        // A socket's name appears before anything listens on it.
        let connection = try await eventually("the relay of the app: \(app.relay.errorText)") {
            try? await Connection.open(address: app.address)
        }
        await connection.close()
        try await eventually("the bus of the app: \(app.proxy.errorText)") {
            (try? app.proxySocket.stat()) != nil
        }
        return app
    }

    private init(_ session: Session, _ appID: String, _ sharesNetwork: Bool) throws {
        self.session = session
        self.appID = appID
        // Any number that differs between the apps of a session.
        instance = String(appID.utf8.reduce(1234) { $0 &* 31 &+ UInt32($1) })
        information = session.home.scratch.appending("\(appID).flatpak-info")
        try session.home.write(
            Array(
                ("[Application]\nname=\(appID)\n\n[Instance]\ninstance-id=\(instance)\n"
                    + "\n[Context]\nshared=\(sharesNetwork ? "network;" : "")ipc;\n").utf8),
            to: information)
        let folder = session.home.scratch.appending("\(appID).bus")
        try Directory.make(folder)
        relaySocket = folder.appending("relay")
        proxySocket = folder.appending("proxy")
        let runtime = session.home.runtime.string
        let sandbox =
            Self.system(information) + [
                "--ro-bind", runtime, runtime, "--bind", folder.string, folder.string, "--",
            ]
        func start(_ program: String, _ words: [String]) throws -> ChildProcess {
            try ChildProcess(
                program, words, environment: session.environment, scratch: session.home.scratch)
        }
        // Since version 1.20, xdg-desktop-portal refuses an app without this file of Flatpak's,
        // which names the first process of the sandbox.
        let folderOfInstance = session.home.runtime.appending(".flatpak/\(instance)")
        try Directory.make(folderOfInstance)
        let script = "file=$1; shift; exec bwrap --info-fd 3 \"$@\" 3> \"$file\""
        let relayWords = [
            "socat", "UNIX-LISTEN:\(relaySocket),fork",
            "UNIX-CONNECT:\(session.bus.address.socketPath)",
        ]
        relay = try start(
            "sh",
            ["-c", script, "sh", "\(folderOfInstance)/bwrapinfo.json"] + sandbox + relayWords)
        proxy = try start(
            "bwrap",
            sandbox + [
                "xdg-dbus-proxy", session.bus.address, proxySocket.string, "--filter",
                "--call=org.freedesktop.portal.*=*",
                "--broadcast=org.freedesktop.portal.*=@/org/freedesktop/portal/*",
            ])
    }

    /// Runs a program in the sandbox to its end, with access to the app's own documents only.
    ///
    /// - Parameter files: Further files that it may read, at their own paths.
    package func run(
        _ program: String, _ arguments: [String], files: [FilePath] = []
    ) async throws -> (status: Int32, output: String, errors: String) {
        let child = try start(program, arguments, files: files)
        let status = try await child.exitStatus()
        return (status, child.outputText, child.errorText)
    }

    /// Starts a program in the sandbox; see ``run(_:_:files:)``.
    package func start(
        _ program: String, _ arguments: [String], files: [FilePath] = []
    ) throws -> ChildProcess {
        let documents = session.home.runtime.appending("doc")
        let own = documents.appending("by-app").appending(FilePath(appID).components)
        return try ChildProcess(
            "bwrap",
            Self.system(information) + ["--dir", session.home.runtime.string]
                + ((try? own.stat()) == nil ? [] : ["--bind", own.string, documents.string])
                + ["--ro-bind", proxySocket.string, "\(session.home.runtime)/bus"]
                + files.flatMap { ["--ro-bind", $0.string, $0.string] }
                + [
                    "--setenv", "DBUS_SESSION_BUS_ADDRESS",
                    "unix:path=\(session.home.runtime)/bus", "--", program,
                ] + arguments,
            environment: session.environment, scratch: session.home.scratch)
    }

    /// Ends all that the bus sees of the app.
    package func end() async throws {
        try await proxy.stop()
        try await relay.stop()
    }

    /// The arguments that every sandbox needs.
    private static func system(_ information: FilePath) -> [String] {
        [
            "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64",
            "/lib64", "--symlink", "usr/bin", "/bin", "--ro-bind", "/etc", "/etc", "--proc",
            "/proc", "--dev", "/dev", "--ro-bind", information.string, "/.flatpak-info",
        ]
    }
}
