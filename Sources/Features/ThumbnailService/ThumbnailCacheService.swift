// SPDX-License-Identifier: MIT

import PortalInterface
import Processes
import SDBus
import Thumbnails

/// Serves `org.freedesktop.thumbnails.Cache1`.
@BusActor
final class ThumbnailCacheService {
    private var export: Export?
    private let work: CacheWork
    /// The calls in progress.
    private var tasks: Set<Task<Void, Never>> = []

    /// Exports the interface; ask for the bus name after this.
    init(on connection: Connection, _ keeper: ThumbnailKeeper) throws(WireError) {
        work = CacheWork(keeper)
        var limits = SenderAccounts.Limits(callsPerSender: 64)
        // Nobody is identified here, and a call may name all files of a large folder.
        limits.bytesPerUnknownSender = 64 << 20
        limits.bytes = 64 << 20
        export = try connection.export(
            ThumbnailCacheInterface.interface, at: ThumbnailCacheInterface.path
        ) { export in
            export.readingLimits = .files
            export.accounts = SenderAccounts(limits: limits)
            export.method(ThumbnailCacheInterface.move) { [weak self] call throws(DBusError) in
                let (old, new) = call.input.values
                try await self?.perform { await $0.adopt(from: old, as: new, removing: true) }
                return Arguments()
            }
            export.method(ThumbnailCacheInterface.copy) { [weak self] call throws(DBusError) in
                let (old, new) = call.input.values
                try await self?.perform { await $0.adopt(from: old, as: new, removing: false) }
                return Arguments()
            }
            export.method(ThumbnailCacheInterface.delete) { [weak self] call throws(DBusError) in
                let uris = call.input.values
                try await self?.perform { await $0.remove(uris) }
                return Arguments()
            }
            export.method(ThumbnailCacheInterface.cleanup) { [weak self] call throws(DBusError) in
                let (bases, since) = call.input.values
                try await self?.perform { await $0.cleanUp(below: bases, since: since) }
                return Arguments()
            }
        }
    }

    /// Ends every call in progress after the file that it is at.
    func stop() {
        for task in tasks { task.cancel() }
    }

    private func perform(
        _ body: @escaping @Sendable (CacheWork) async -> Void
    ) async throws(DBusError) {
        let task = Task { [work] in await body(work) }
        tasks.insert(task)
        await task.value
        tasks.remove(task)
        guard !task.isCancelled else { throw .cancelled }
    }
}

/// Changes the cache, on its own serial queue.
private actor CacheWork {
    private nonisolated let queue = SerialQueue(label: "thumbnail cache")
    private let keeper: ThumbnailKeeper

    init(_ keeper: ThumbnailKeeper) {
        self.keeper = keeper
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    func adopt(from old: [String], as new: [String], removing: Bool) async {
        for (old, new) in zip(old, new) where old != new && !Task.isCancelled {
            await keeper.adopt(from: old, as: new)
            if removing { keeper.remove(old) }
        }
    }

    func remove(_ uris: [String]) {
        for uri in uris where !Task.isCancelled { keeper.remove(uri) }
    }

    func cleanUp(below bases: [String], since: UInt32) async {
        await keeper.cleanUp(below: bases, since: Int64(since))
    }
}
