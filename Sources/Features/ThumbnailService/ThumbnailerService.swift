// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalInterface
import SDBus
import Thumbnails

/// Serves `org.freedesktop.thumbnails.Thumbnailer1`.
@BusActor
final class ThumbnailerService {
    /// The most URIs of unfinished requests, far more than the largest folders of a person contain,
    /// and the most memory for them.
    struct Limits {
        var perSender = 1 << 18
        var total = 1 << 19
        var bytesPerSender = 64 << 20
        var bytes = 128 << 20
    }

    /// What the unfinished requests of one sender, or of all, hold.
    @BusActor
    private struct Holding {
        var requests = 0
        var uris = 0
        var bytes = 0

        mutating func add(_ request: ThumbnailRequest, _ sign: Int = 1) {
            requests += sign
            uris += sign * request.uriCount
            bytes += sign * request.byteCount
        }
    }

    private let connection: Connection
    private let supportedTypes: [String]
    private let limits: Limits
    private let logger: Logger
    private var export: Export?
    private var requests: [UInt32: ThumbnailRequest] = [:]
    private var holdings: [BusName: Holding] = [:]
    private var held = Holding()
    private var schedule = ThumbnailSchedule()
    private var idleMakers: [ThumbnailMaker]
    private var watches: [BusName: Subscription] = [:]
    private var lastHandle: UInt32 = 0
    private var isStopping = false

    /// Exports the interface; ask for the bus name after this.
    ///
    /// - Parameter makers: How many thumbnails are made at a time, two or more. One maker is reserved
    ///   for urgent requests.
    init(
        on connection: Connection, _ loader: ThumbnailLoader, supportedTypes: [String],
        makers: Int, limits: Limits = Limits(), logger: Logger
    ) throws(WireError) {
        self.connection = connection
        self.supportedTypes = supportedTypes
        self.limits = limits
        self.logger = logger
        idleMakers = (0..<max(makers, 2)).map { _ in ThumbnailMaker(loader) }
        export = try connection.export(
            ThumbnailerInterface.interface, at: ThumbnailerInterface.path
        ) { [unowned self] export in
            export.readingLimits = .files
            export.method(ThumbnailerInterface.queue) { call throws(DBusError) in
                try await self.queue(call)
            }
            export.method(ThumbnailerInterface.dequeue) { call throws(DBusError) in
                self.dequeue(call.input.values, of: call.sender)
                return Arguments()
            }
            export.method(ThumbnailerInterface.getSupported) { _ throws(DBusError) in
                Arguments(supportedTypes.map { _ in "file" }, supportedTypes)
            }
            export.method(ThumbnailerInterface.getSchedulers) { _ throws(DBusError) in
                Arguments(["default", "foreground", "background"])
            }
            export.method(ThumbnailerInterface.getFlavors) { _ throws(DBusError) in
                Arguments(ThumbnailSize.allCases.map(\.folderName))
            }
        }
    }

    /// Ends every request and refuses new ones.
    func stop() {
        isStopping = true
        for request in requests.values {
            report(request.takeRest(), of: request, .shuttingDown)
            finish(request)
        }
    }

    // MARK: - Calls

    private func queue(
        _ call: IncomingCall<Arguments<[String], [String], String, String, UInt32>>
    ) async throws(DBusError) -> Arguments<UInt32> {
        let (uris, _, flavor, scheduler, previous) = call.input.values
        guard !isStopping else { throw .failed("The thumbnail service is shutting down") }
        dequeue(previous, of: call.sender)
        let byteCount = uris.reduce(0) { $0 + $1.utf8.count }
        let own = holdings[call.sender] ?? Holding()
        guard own.uris + uris.count <= limits.perSender, held.uris + uris.count <= limits.total,
            own.bytes + byteCount <= limits.bytesPerSender, held.bytes + byteCount <= limits.bytes
        else { throw .limitsExceeded("Too many thumbnails are queued") }
        let request = ThumbnailRequest(
            newHandle(), of: call.sender, uris, byteCount: byteCount,
            size: ThumbnailSize.allCases.first { $0.folderName == flavor },
            isGrouped: scheduler == "background")
        requests[request.handle] = request
        holdings[request.sender, default: Holding()].add(request)
        held.add(request)
        logger.debug(
            "Thumbnails were requested",
            metadata: ["handle": "\(request.handle)", "uris": "\(uris.count)"])
        call.afterReply {
            self.emit(ThumbnailerInterface.started, Arguments(request.handle), request)
            self.schedule.add(request)
            self.finishIfDone(request)
            self.work()
            Task { await self.watch(request.sender) }
        }
        return Arguments(request.handle)
    }

    private func newHandle() -> UInt32 {
        repeat { lastHandle &+= 1 } while lastHandle == 0 || requests[lastHandle] != nil
        return lastHandle
    }

    private func dequeue(_ handle: UInt32, of sender: BusName) {
        guard let request = requests[handle], request.sender == sender else { return }
        _ = request.takeRest()
        finish(request)
    }

    // MARK: - Work

    /// Gives URIs to idle makers.
    private func work() {
        while !isStopping, let maker = idleMakers.popLast() {
            // The last idle maker is reserved for urgent requests.
            guard let (request, uri) = schedule.next(isUrgentOnly: idleMakers.isEmpty) else {
                idleMakers.append(maker)
                return
            }
            let (size, isUrgent) = (request.size, request.isUrgent)
            let client = request.sender.rawValue
            Task {
                var error: ThumbnailerError? = .unsupportedFlavor
                if let size {
                    error = await maker.provide(uri, size, isUrgent: isUrgent, client: client)
                        .map { ThumbnailerError($0) }
                }
                self.idleMakers.append(maker)
                request.putDown()
                self.report([uri], of: request, error)
                self.finishIfDone(request)
                self.work()
            }
        }
    }

    /// Reports results, now or at the end of the request.
    private func report(
        _ uris: [String], of request: ThumbnailRequest, _ error: ThumbnailerError?
    ) {
        guard !request.isFinished, !uris.isEmpty else { return }
        if request.isGrouped {
            guard let error else { return request.ready += uris }
            request.failed[error, default: []] += uris
        } else {
            send(uris, of: request, error)
        }
    }

    private func send(_ uris: [String], of request: ThumbnailRequest, _ error: ThumbnailerError?) {
        guard let error else {
            return emit(ThumbnailerInterface.ready, Arguments(request.handle, uris), request)
        }
        emit(
            ThumbnailerInterface.error,
            Arguments(request.handle, uris, error.rawValue, error.message), request)
    }

    private func finishIfDone(_ request: ThumbnailRequest) {
        if request.waitingCount == 0 { finish(request) }
    }

    private func finish(_ request: ThumbnailRequest) {
        guard !request.isFinished else { return }
        if !request.ready.isEmpty { send(request.inOrder(request.ready), of: request, nil) }
        for (error, uris) in request.failed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            send(request.inOrder(uris), of: request, error)
        }
        request.isFinished = true
        emit(ThumbnailerInterface.finished, Arguments(request.handle), request)
        requests[request.handle] = nil
        schedule.remove(request)
        held.add(request, -1)
        holdings[request.sender]?.add(request, -1)
        if holdings[request.sender]?.requests == 0 {
            holdings[request.sender] = nil
            watches.removeValue(forKey: request.sender)?.cancel()
        }
    }

    /// Emits a signal to the sender of a request.
    ///
    /// A failure means that the bus is gone, which ends the service, or that the sender is, which
    /// needs no signal.
    private func emit<Content: ArgumentList>(
        _ signal: Signal<Content>, _ content: Content, _ request: ThumbnailRequest
    ) {
        try? connection.emit(
            signal, of: ThumbnailerInterface.interface.name, from: ThumbnailerInterface.path,
            to: request.sender, content)
    }

    // MARK: - Senders

    /// Lowers the urgency of a sender's requests when it leaves the bus.
    ///
    /// Without the watch they only stay urgent.
    private func watch(_ sender: BusName) async {
        guard watches[sender] == nil, holdings[sender] != nil else { return }
        let watch = try? await connection.watchOwner(of: sender) { [weak self] owner in
            if owner == nil { self?.left(sender) }
        }
        guard let watch else { return }
        guard holdings[sender] != nil, watches[sender] == nil else { return watch.cancel() }
        watches[sender] = watch
        // It may have left before the watch began.
        let owner = try? await connection.owner(of: sender)
        if owner == .some(nil) { left(sender) }
    }

    private func left(_ sender: BusName) {
        for request in requests.values where request.sender == sender { request.isUrgent = false }
        schedule.demote(sender)
    }
}
