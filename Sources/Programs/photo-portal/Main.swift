// SPDX-License-Identifier: MIT

import ArgumentParser
import CameraPresence
import Desktop
import Glibc
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import PortalService
import Processes
import SDBus
import Settings
import SystemPackage
import Systemd
import ThumbnailService
import Thumbnails

/// The service: apps ask it for photos, and it lets the person choose in a backend's window.
@main
struct PhotoPortal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo-portal",
        abstract: "The photo picker service of the desktop session.",
        discussion: """
            The session bus starts it when an app asks for photos; there is no need to start it by \
            hand.
            """,
        version: ProgramVersion.current)

    @Flag(name: .shortAndLong, help: "Replace a running instance.")
    var replace = false

    @Flag(name: .shortAndLong, help: "Log more messages.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "The bus name of the backend that shows the window; overrides the configuration.",
            valueName: "name"))
    var backend: String?

    func validate() throws {
        if let backend, BusName(backend) == nil {
            throw ValidationError("'\(backend)' is not a bus name.")
        }
    }

    static func main() {
        Localization.start(folder: ProgramFolder.localeFolder)
        let command = parseOrExit()
        MainThread.run {
            do {
                try await command.run()
                return 0
            } catch {
                return exitCode(for: error).rawValue
            }
        }
    }

    func run() async throws {
        ServiceLog.start(identifier: "photo-portal")
        // Whoever starts the service: what it writes is for this person alone.
        umask(0o077)
        DescriptorLimit.raise()
        ProcessMemory.returnLargeBlocks()
        var logger = Logger(label: "photo-portal")
        logger.logLevel = verbose ? .debug : .info
        let (settings, problems) = Settings.load()
        for problem in problems { logger.warning("\(problem)") }
        do {
            try await serve(settings, logger)
        } catch let code as ExitCode {
            throw code
        } catch {
            logger.critical("\(error)")
            throw ExitCode.failure
        }
    }

    private func serve(_ settings: Settings, _ logger: Logger) async throws {
        let signals = await TerminationSignals.receive()
        let cores = Processors.availableCount
        FileCalls.shared.separate(settings.roots.all)
        let decoders = DecoderPool(
            program: ProgramFolder.sibling("photo-portal-decoder"),
            heif: ProgramFolder.sibling("photo-portal-heif"),
            rare: ProgramFolder.sibling("photo-portal-rare"),
            videos: ProgramFolder.sibling("photo-portal-video"), workers: cores,
            collection: settings.roots.pictures)
        let loader = ThumbnailLoader(decoders: decoders)
        // Starting a decoder process takes longest, so the rest is prepared in the meantime.
        async let types = loader.supportedTypes()
        let connection = try await Connection.open()
        let backend =
            BusName(backend ?? settings.pickerBackend) ?? PickerBackendInterface.defaultBusName
        let authorizations = await AuthorizationStore(on: connection) {
            settings.isRestricted($0.rawValue)
        }
        let access = try await access(
            on: connection, authorizations, asking: backend, settings, logger)
        let supportedTypes = await types.map(\.rawValue)
        let requests = await OpenRequests(access, logger: logger)
        let service = try await PickerService(
            on: connection, access, requests, backend: backend, supportedMediaTypes: supportedTypes)
        let libraryService = try await LibraryService(on: access, requests, logger: logger)
        let predecessor = replace ? try await Predecessor(on: connection) : nil
        // The store belongs to the instance that owns the name.
        guard
            try await connection.requestName(PhotoPickerInterface.busName, replacing: replace)
                == .owner
        else { throw AlreadyRunning() }
        // We take up its list of documents, which is complete once it has ended.
        await predecessor?.waitForEnd()
        let store = try LibraryStore.open(logger)
        let reader = LibraryReader(store)
        let documents = try await DocumentPortal(on: connection, logger: logger)
        let derived = DerivedFiles(logger: logger)
        let indexer = Indexer(
            store: store, decoders: decoders, roots: settings.roots, logger: logger)
        let ids = AssetAliases(secret: InstallationSecret.load(logger))
        let deliverer = Deliverer(
            library: reader, roots: settings.roots, decoders: decoders, documents: documents,
            derived: derived)
        await libraryService.start(
            LibraryService.Environment(
                library: reader, store: store, roots: settings.roots, thumbnails: loader,
                decoders: decoders, ids: ids, deliverer: deliverer))
        await service.start(
            PickerService.Environment(
                library: reader, store: store, deliverer: deliverer, documents: documents,
                ids: ids,
                refreshLibrary: { await indexer.refreshIfIncomplete() }))
        let lockdowns = PortalBackend.all(
            offering: LockdownInterface.name.rawValue
        ).compactMap { BusName($0.busName) }
        let cameras = await CameraPresence(
            on: connection, lockdowns: lockdowns, logger: logger
        ) { [weak service] in
            service?.tellCamera(isPresent: $0 == .present, isForbidden: $0 == .forbidden)
        }
        let lookingForCameras = Task { await cameras.follow() }
        let thumbnails =
            settings.servesThumbnails
            ? try await ThumbnailHost(
                on: Connection.open(), loader,
                supportedTypes: supportedTypes, makers: cores + 1, logger: logger) : nil
        let (ends, end) = AsyncStream<Ending>.makeStream()
        let watch = try await connection.watchOwner(of: PhotoPickerInterface.busName) {
            [weak connection] owner in
            if owner != connection?.uniqueName { end.yield(.replaced) }
        }
        await connection.onDisconnect { end.yield(.busLost) }
        let watchingDamage = Task {
            for await _ in store.damageFindings { end.yield(.libraryDamaged) }
        }
        let power = await PowerMonitor(logger: logger)
        let indexing = Task {
            await power.begin()
            await indexer.setSavesPower(power.savesPower)
            await indexer.run()
        }
        let saving = Task {
            for await saves in power.changes { await indexer.setSavesPower(saves) }
        }
        let cleaning = Task { await CopyCleaner(on: connection, logger: logger).run() }
        let forgetting = Task {
            await UninstalledApps(.ofComputer(), authorizations, store, logger: logger).run()
        }
        let sweeping = Task {
            let cache = loader.cache
            _ = await FileCalls.shared.run(on: cache.folder) { _ in cache.forgetOldFailures() }
            await LeftoverSweep(cache: cache, logger: logger).run()
            await derived.sweep(askingAlso: documents)
        }
        let signalled = Task {
            for await signal in signals { end.yield(.signal(signal)) }
        }
        ServiceState.ready.notify()
        var ending: Ending?
        for await reason in ends {
            logger.notice("Ending: \(reason)")
            ending = reason
            break
        }
        ServiceState.stopping.notify()
        watchingDamage.cancel()
        signalled.cancel()
        indexing.cancel()
        sweeping.cancel()
        forgetting.cancel()
        cleaning.cancel()
        await power.stop()
        saving.cancel()
        await requests.stop()
        await libraryService.stop()
        await service.stop()
        await documents.finish()
        lookingForCameras.cancel()
        await thumbnails?.stop()
        await connection.finishCalls()
        await watch.cancel()
        await connection.close()
        decoders.close()
        await store.finishUserData()
        store.checkpoint()
        if [.busLost, .libraryDamaged].contains(ending) { throw ExitCode.failure }
    }
}

/// Why the service ends.
private enum Ending: Hashable, CustomStringConvertible {
    case signal(CInt)
    /// Another instance owns the name now.
    case replaced
    /// An unexpected end: the exit status makes the service manager restart us.
    case busLost
    /// Likewise; the next instance builds a new library.
    case libraryDamaged

    var description: String {
        switch self {
        case .signal(let number): "signal \(number)"
        case .replaced: "another instance took over"
        case .busLost: "the session bus is gone"
        case .libraryDamaged: "the library's database is damaged"
        }
    }
}

extension PhotoPortal {
    /// Makes the access control, which all public services of the connection share.
    private func access(
        on connection: Connection, _ authorizations: AuthorizationStore,
        asking backend: BusName, _ settings: Settings, _ logger: Logger
    ) async throws -> AccessControl {
        let consent = await ConsentDialog(on: connection, backend: backend)
        let authorizer = await Authorizer(authorizations) { request throws(DBusError) in
            try await consent.ask(request)
        }
        var limits = RequestLimits()
        limits.perCaller = settings.requestsPerCaller
        limits.total = settings.requests
        return try await AccessControl(
            on: connection, userID: getuid(), limits: limits, authorizer: authorizer,
            consent: consent,
            isRestricted: { settings.isRestricted($0.rawValue) }, logger: logger)
    }
}

extension Settings {
    /// The standard folders and the configured ones.
    fileprivate var roots: LibraryRoots {
        var roots = LibraryLocation.roots
        roots.pictures += pictureFolders
        roots.others += otherFolders
        roots.excluded = excludedFolders
        return roots
    }
}

/// The bus name is already owned.
private struct AlreadyRunning: Error, CustomStringConvertible {
    let description = "Another instance is running; use --replace to replace it."
}
