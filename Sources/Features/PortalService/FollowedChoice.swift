// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

/// The choice of a request whose app follows it while the window is open (`continuous`).
///
/// Neither side is believed: the app names photos that it may not know, and the backend reports what it
/// likes. Bursts from either side are passed on as the last state of each pause.
@BusActor
final class FollowedChoice {
    /// What the library says of a chosen photo.
    private struct Known {
        let alias: AssetID
        let mediaType: MediaType
        let size: PixelSize?
    }

    private let handle: ObjectPath
    private let caller: Caller
    private let options: PickOptions
    private let backend: BusName
    private let connection: Connection
    private let logger: Logger
    private var export: Export?
    private var isClosed = false

    /// The limits that the window follows.
    private var limits: CountLimits
    /// Those that the window is being told.
    private var sentLimits: CountLimits?
    /// Those that it will be told.
    private var wantedLimits: CountLimits?
    /// The photos that it will be told to leave out, by the app's ids.
    private var unwanted: Set<AssetID> = []
    private var known: [AssetID: Known] = [:]
    /// What the window last reported, by the app's ids.
    private var chosen: [AssetID: AssetID] = [:]
    private var isGarbageLogged = false

    private let changes: AsyncStream<[PickedItem]>
    private let report: AsyncStream<[PickedItem]>.Continuation
    private let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation
    private var work: [Task<Void, Never>] = []

    /// Exports `org.freedesktop.portal.PhotoSelection` beside the request.
    init(
        of request: OpenRequest, _ options: PickOptions, on access: AccessControl, backend: BusName
    ) throws(WireError) {
        handle = request.handle
        caller = request.caller
        logger = request.logger
        connection = access.connection
        self.options = options
        self.backend = backend
        limits = options.count
        (changes, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        export = try access.exportSelection(at: handle, of: caller) { [weak self] export in
            export.method(PhotoSelectionInterface.deselect) { call throws(DBusError) in
                try self?.deselect(call.input.values)
                return Arguments()
            }
            export.method(PhotoSelectionInterface.update) { call throws(DBusError) in
                try self?.update(call.input.values)
                return Arguments()
            }
        }
    }

    /// Ends the interface; nothing is sent after this.
    func close() {
        isClosed = true
        export?.withdraw()
        export = nil
        report.finish()
        wish.finish()
        for task in work { task.cancel() }
    }

    // MARK: - The window

    /// Begins to pass on what either side says, before the window opens.
    ///
    /// - Returns: The limits that the window opens with.
    func begin(_ library: LibraryReader, _ names: AppAliases) -> CountLimits {
        limits = wantedLimits ?? limits
        wantedLimits = nil
        work = [
            Task { await self.tellApp(library, names) },
            Task { await self.tellWindow() },
        ]
        return limits
    }

    /// The limits that a reply of the backend may follow.
    var allowedLimits: [CountLimits] { [limits, sentLimits].compactMap(\.self) }

    /// Takes a report of the backend.
    func note(_ results: Vardict) {
        guard !isClosed else { return }
        do throws(BackendAnswer.Garbage) {
            report.yield(
                try BackendAnswer.decode(choice: results, to: options, within: allowedLimits))
        } catch {
            // Once: whoever sends garbage may send much of it.
            guard !isGarbageLogged else { return }
            isGarbageLogged = true
            logger.error("The backend reports no choice.", metadata: ["what": "\(error)"])
        }
    }

    // MARK: - To the app

    private func tellApp(_ library: LibraryReader, _ names: AppAliases) async {
        for await items in changes {
            do {
                try await learn(items.compactMap(\.assetID), library, names)
                guard !isClosed else { return }
                try tell(items)
            } catch {
                guard !isClosed else { return }
                logger.error("The app cannot follow the choice.", metadata: ["error": "\(error)"])
            }
            // Ends early when the request does.
            try? await Task.sleep(for: SelectionUpdate.pause)
        }
    }

    private func learn(
        _ ids: [AssetID], _ library: LibraryReader, _ names: AppAliases
    ) async throws(LibraryError) {
        let new = ids.filter { known[$0] == nil }
        guard !new.isEmpty else { return }
        for asset in try await library.assets(new) {
            known[asset.id] = Known(
                alias: names.alias(of: asset.id), mediaType: asset.mediaType, size: asset.size)
        }
    }

    /// Tells the app what is chosen; photos that the library does not know are left out.
    private func tell(_ items: [PickedItem]) throws(WireError) {
        chosen = [:]
        var described: [Vardict] = []
        for item in items {
            var vardict: Vardict = ["id": "".variant, "source": item.source.rawValue.variant]
            if let id = item.assetID {
                guard let known = known[id] else { continue }
                chosen[known.alias] = id
                vardict["id"] = known.alias.description.variant
                vardict["media_type"] = known.mediaType.rawValue.variant
                vardict["width"] = UInt32(clamping: known.size?.width ?? 0).variant
                vardict["height"] = UInt32(clamping: known.size?.height ?? 0).variant
            }
            described.append(vardict)
        }
        try connection.emit(
            PhotoSelectionInterface.selectionChanged, of: PhotoSelectionInterface.interface.name,
            from: handle, to: caller.name, Arguments(["items": described.variant]))
    }

    // MARK: - From the app

    private func deselect(_ ids: [String]) throws(DBusError) {
        // The person may have removed them meanwhile.
        unwanted.formUnion(try SelectionUpdate.photos(ids).filter { chosen[$0] != nil })
        wish.yield()
    }

    private func update(_ update: Vardict) throws(DBusError) {
        wantedLimits = try SelectionUpdate.decode(
            update, changing: wantedLimits ?? sentLimits ?? limits)
        wish.yield()
    }

    private func tellWindow() async {
        for await _ in wishes {
            await tellLimits()
            await tellUnwanted()
            guard !isClosed else { return }
            // Ends early when the request does.
            try? await Task.sleep(for: SelectionUpdate.pause)
        }
    }

    private func tellLimits() async {
        guard let wanted = wantedLimits else { return }
        wantedLimits = nil
        sentLimits = wanted
        do throws(DBusError) {
            try await call(
                PickerBackendInterface.update, Arguments(handle, SelectionUpdate.encode(wanted)))
            limits = wanted
        } catch {
            note(error)
        }
        sentLimits = nil
    }

    private func tellUnwanted() async {
        let ids = unwanted.compactMap { chosen[$0]?.description }
        unwanted = []
        do throws(DBusError) {
            for start in stride(from: 0, to: ids.count, by: Self.batch) {
                let batch = Array(ids[start..<min(start + Self.batch, ids.count)])
                try await call(PickerBackendInterface.deselect, Arguments(handle, batch))
            }
        } catch {
            note(error)
        }
    }

    private func note(_ error: DBusError) {
        // The person has decided, and the reply is on its way.
        guard !isClosed, error.name != .unknownObject else { return }
        logger.error("The window cannot follow the app.", metadata: ["error": "\(error)"])
    }

    /// The most ids in one call.
    private static let batch = 1024

    /// Calls the backend, without a limit of time: a window that stands still for long, and then follows,
    /// must not be taken for one that did not.
    private func call<Input: ArgumentList>(
        _ method: Method<Input, Arguments<>>, _ input: Input
    ) async throws(DBusError) {
        _ = try await connection.call(
            method, to: backend, at: PickerBackendInterface.path,
            on: PickerBackendInterface.interface.name, input, timeout: nil)
    }
}
