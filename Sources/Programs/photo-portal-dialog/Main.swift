// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Glibc
import GtkKit
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PickerDialog
import PortalBackend
import PortalInterface
import Processes
import SDBus
import Settings
import SystemPackage
import Systemd
import Thumbnails

/// The backend that shows the window.
@main
struct PhotoPortalDialog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo-portal-dialog",
        abstract: "The window in which a person chooses photos.",
        discussion: """
            Started by the session bus for the photo portal; there is no need to start it by hand.
            """,
        version: ProgramVersion.current)

    @Flag(name: .shortAndLong, help: "Replace a running instance.")
    var replace = false

    @Option(help: ArgumentHelp("Exit after this time without a window.", valueName: "seconds"))
    var idle: Int = 60

    static func main() {
        Localization.start(folder: ProgramFolder.localeFolder)
        ServiceLog.start(identifier: "photo-portal-dialog")
        let command = parseOrExit()
        MainThread.run {
            do {
                try await command.serve()
                return 0
            } catch {
                StandardError.print("photo-portal-dialog: \(error)")
                return 1
            }
        }
    }

    private func serve() async throws {
        let logger = Logger(label: "photo-portal-dialog")
        let (settings, problems) = Settings.load()
        for problem in problems { logger.warning("\(problem)") }
        let signals = await TerminationSignals.receive()
        guard await Toolkit.initialize(programName: "org.freedesktop.portal.PhotoPicker") else {
            throw Problem("there is no display; set WAYLAND_DISPLAY or DISPLAY")
        }
        let decoders = DecoderPool(
            program: ProgramFolder.sibling("photo-portal-decoder"),
            workers: Processors.availableCount)
        let environment = PickerEnvironment(thumbnails: ThumbnailLoader(decoders: decoders))
        let (ends, end) = AsyncStream<Void>.makeStream()
        let connection = try await Connection.open()
        let activity = Activity(idleTime: .seconds(idle)) { end.yield() }
        let backend = try await PickerBackend(
            on: connection,
            pick: { (_, request) async throws(DBusError) in
                await activity.during { await PickerWindow.run(request, environment) }
            },
            authorize: { (request) async throws(DBusError) in
                await activity.during { await ConsentWindow.run(request) }
            })
        let fileChooser = try await FileChooser.serve(on: connection, environment, settings, logger)
        {
            isBeginning in
            if isBeginning { await activity.begin() } else { await activity.end() }
        }
        let name = PickerBackendInterface.defaultBusName
        guard try await connection.requestName(name, replacing: replace) == .owner else {
            throw Problem("another instance is running; --replace takes over from it")
        }
        let watch = try await connection.watchOwner(of: name) { [weak connection] owner in
            if owner != connection?.uniqueName { end.yield() }
        }
        await connection.onDisconnect { end.yield() }
        let signalled = Task { for await _ in signals { end.yield() } }
        await activity.end()
        ServiceState.ready.notify()
        for await _ in ends { break }
        ServiceState.stopping.notify()
        signalled.cancel()
        await watch.cancel()
        await fileChooser.closeAll()
        await connection.close()
        decoders.close()
        withExtendedLifetime(backend) {}
    }
}

/// Why the program cannot run.
private struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Notices when no window has been open for a while.
private actor Activity {
    private let idleTime: Duration
    private let onIdle: @Sendable () -> Void
    private var windows = 1
    private var countdown: Task<Void, Never>?

    init(idleTime: Duration, onIdle: @escaping @Sendable () -> Void) {
        self.idleTime = idleTime
        self.onIdle = onIdle
    }

    /// Counts a window as open while `body` runs.
    nonisolated func during<Outcome: Sendable>(
        _ body: @Sendable () async -> Outcome
    ) async -> Outcome {
        await begin()
        let outcome = await body()
        await end()
        return outcome
    }

    func begin() {
        windows += 1
        countdown?.cancel()
    }

    func end() {
        windows -= 1
        guard windows == 0 else { return }
        countdown = Task {
            do { try await Task.sleep(for: idleTime) } catch { return }
            onIdle()
        }
    }
}
