// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Glibc
import GtkKit
import ImageWork
import Logging
import PhotoCopies
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
import WebFetch

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
        // Before there are threads: windows and pictures are large blocks that come and go.
        ProcessMemory.returnLargeBlocks()
        Toolkit.avoidPortals()
        Localization.start(folder: ProgramFolder.localeFolder)
        ServiceLog.start(identifier: "photo-portal-dialog")
        let command = parseOrExit()
        MainThread.run {
            do {
                try await command.serve()
                return 0
            } catch let code as ExitCode {
                return code.rawValue
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
        FileCalls.shared.separate(
            LibraryLocation.roots.all + settings.pictureFolders + settings.otherFolders)
        let decoders = DecoderPool(
            program: ProgramFolder.sibling("photo-portal-decoder"),
            heif: ProgramFolder.sibling("photo-portal-heif"),
            rare: ProgramFolder.sibling("photo-portal-rare"),
            videos: ProgramFolder.sibling("photo-portal-video"),
            workers: Processors.availableCount,
            collection: LibraryLocation.roots.pictures + settings.pictureFolders)
        let cameras = CameraDevices(
            program: ProgramFolder.sibling("photo-portal-camera"),
            pictures: (LibraryLocation.roots.pictures + settings.pictureFolders).first)
        let environment = PickerEnvironment(
            thumbnails: ThumbnailLoader(decoders: decoders),
            copies: PhotoCopies(decoders: decoders), memory: GridMemory(),
            web: CachedFetcher(
                WebFetcher(program: ProgramFolder.sibling("photo-portal-fetcher"))),
            cameras: cameras)
        let (ends, end) = AsyncStream<Ending>.makeStream()
        let connection = try await Connection.open()
        let windows = WindowSystem()
        let apps = await RequestingApps(on: connection)
        let activity = Activity(idleTime: .seconds(idle)) { end.yield(.idle) }
        let backend = try await PickerBackend(
            on: connection,
            pick: { (_, request, conversation) async throws(DBusError) in
                try await activity.during { () async throws(DBusError) in
                    try await windows.ready()
                    let app = Task { await apps.app(request.appID, of: request.handle) }
                    return await PickerWindow.run(request, of: app, environment, conversation)
                }
            },
            authorize: { (request, departure) async throws(DBusError) in
                try await activity.during { () async throws(DBusError) in
                    try await windows.ready()
                    let app = await apps.app(request.appID)
                    return await ConsentWindow.run(request, of: app, environment, departure)
                }
            },
            delete: { (request, departure) async throws(DBusError) in
                try await activity.during { () async throws(DBusError) in
                    try await windows.ready()
                    let app = await apps.app(request.appID)
                    return await DeletionWindow.run(request, of: app, environment, departure)
                }
            },
            preview: { (call, departure) async throws(DBusError) in
                try await activity.during { () async throws(DBusError) in
                    try await windows.ready()
                    let request = call.request
                    let app = await apps.app(request.appID, of: request.handle)
                    return await ViewerWindow.run(
                        request, call.files, of: app, environment, departure)
                }
            })
        let fileChooser = try await FileChooser(
            on: connection, windows, apps, environment, settings, logger
        ) { isBeginning in
            if isBeginning { await activity.begin() } else { await activity.end() }
        }
        // Before the toolkit starts: whoever started us waits for the name, and the toolkit may wait
        // for whoever started us.
        let name = PickerBackendInterface.defaultBusName
        guard try await connection.requestName(name, replacing: replace) == .owner else {
            throw Problem("another instance is running; --replace takes over from it")
        }
        let watch = try await connection.watchOwner(of: name) { [weak connection] owner in
            if owner != connection?.uniqueName { end.yield(.lost) }
        }
        await connection.onDisconnect { end.yield(.lost) }
        let signalled = Task { for await _ in signals { end.yield(.signal) } }
        ServiceState.ready.notify()
        let appearance = await DesktopAppearance(on: connection, logger: logger) { look in
            Task { @UIActor in Toolkit.show(look) }
        }
        let look = Task { await appearance.follow() }
        let surroundings = await CameraSurroundings(on: connection, logger: logger, cameras)
        let following = Task { await surroundings.follow() }
        let problem = await windows.start(
            programName: "org.freedesktop.portal.PhotoPicker", look: look)
        if let problem { logger.critical("No window can be shown: \(problem)") }
        // A display may appear; only the next instance can find it.
        await activity.restart(atMost: problem == nil ? .seconds(idle) : .seconds(5))
        var ending = Ending.idle
        for await reason in ends {
            ending = reason
            break
        }
        ServiceState.stopping.notify()
        await watch.cancel()
        if ending == .idle { await finish(on: connection, name, ends, end) }
        signalled.cancel()
        following.cancel()
        await fileChooser.closeAll()
        await connection.close()
        decoders.close()
        withExtendedLifetime((backend, appearance, surroundings)) {}
        if problem != nil { throw ExitCode.failure }
    }

    /// Gives the name up and serves the calls that arrived before that.
    ///
    /// Later calls start another instance.
    private func finish(
        on connection: Connection, _ name: BusName, _ ends: AsyncStream<Ending>,
        _ end: AsyncStream<Ending>.Continuation
    ) async {
        // Fails only if the connection has ended, and the calls with it.
        try? await connection.releaseName(name)
        let finishing = Task {
            // A caller that remembers our unique name hears a moment later that the name is free.
            try? await Task.sleep(for: .milliseconds(200))
            await connection.finishCalls()
            end.yield(.finished)
        }
        let extending = Task {
            // Until the person has decided; the manager would kill us after a while.
            while !Task.isCancelled {
                ServiceState.needing(seconds: 120).notify()
                try? await Task.sleep(for: .seconds(60))
            }
        }
        for await reason in ends where reason != .idle { break }
        finishing.cancel()
        extending.cancel()
    }
}

/// Why the program ends.
private enum Ending {
    /// Nobody has needed it for a while.
    case idle
    /// The calls that arrived at the last moment are answered.
    case finished
    /// Another instance has the name, or there is no bus.
    case lost
    case signal
}

/// Why the program cannot run.
private struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
