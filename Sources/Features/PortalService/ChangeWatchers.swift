// SPDX-License-Identifier: MIT

import PhotoLibrary
import SDBus

/// The callers that follow the library.
///
/// As long as there are any, it wakes them after each write to the database, by whatever process.
@BusActor
final class ChangeWatchers {
    private var watchers: [BusName: ChangeWatcher] = [:]
    let confirmations: ReadConfirmations
    private var waking: Task<Void, Never>?
    private var lastLook: Task<Void, Never>?
    /// Listens to the permission store.
    private var decisions: Task<Subscription?, Never>?

    /// How long writes are collected: what one program does together is told together.
    private static let settlingTime = Duration.milliseconds(100)
    /// When the database is looked at once more after a write: its file changes before readers can see
    /// what was written.
    private static let lastLookTime = Duration.seconds(1)

    /// What watchers need to know that something may have changed.
    struct Sources: Sendable {
        let writes: LibraryChanges
        let authorizer: Authorizer
    }

    nonisolated init(on connection: Connection) {
        confirmations = ReadConfirmations(on: connection)
    }

    /// Begins to listen, and looks for what has changed until then.
    private func listen(to sources: Sources) {
        guard waking == nil else { return }
        decisions = Task { [weak self] in
            // Without it, an app learns that it may not read any more with the next change.
            let subscription = try? await sources.authorizer.watch { self?.wake(checking: true) }
            self?.wake(checking: true)
            return subscription
        }
        waking = Task { [weak self] in
            let writes = await Self.stream(of: sources.writes)
            self?.wake()
            for await _ in writes {
                // A cancelled sleep ends the loop as well.
                try? await Task.sleep(for: Self.settlingTime)
                guard !Task.isCancelled, let self else { return }
                wake()
                lookLater()
            }
        }
    }

    @concurrent
    private static func stream(of writes: LibraryChanges) async -> AsyncStream<Void> {
        writes.stream()
    }

    private func lookLater() {
        lastLook?.cancel()
        lastLook = Task { [weak self] in
            do { try await Task.sleep(for: Self.lastLookTime) } catch { return }
            self?.wake()
        }
    }

    private func wake(checking: Bool = false) {
        for watcher in watchers.values { watcher.wake(checking: checking) }
    }

    // MARK: - Watchers

    /// The watcher of a connection.
    func watcher(of name: BusName) -> ChangeWatcher? { watchers[name] }

    /// Adds a watcher in the place of any that its connection has.
    ///
    /// A connection that has not read what it was sent counts as well, although it does not watch any more.
    ///
    /// - Throws: ``DBusError`` `LimitsExceeded`.
    func add(
        _ watcher: ChangeWatcher, within limits: RequestLimits, listeningTo sources: Sources
    ) throws(DBusError) {
        let caller = watcher.visitor.caller
        let others = watchers.values.map(\.visitor.caller).filter { $0.name != caller.name }
        let own = Set(others.filter { $0.party == caller.party }.map(\.name))
            .union(confirmations.unconfirmed(of: caller.party)).subtracting([caller.name])
        guard own.count < limits.watchersPerCaller else {
            throw .limitsExceeded(
                "At most \(limits.watchersPerCaller) connections of an app may watch the library")
        }
        guard others.count < limits.watchers else {
            throw .limitsExceeded("Too many connections watch the library")
        }
        watchers.updateValue(watcher, forKey: caller.name)?.end()
        listen(to: sources)
    }

    /// Ends what a connection watches.
    func remove(_ name: BusName) {
        watchers.removeValue(forKey: name)?.end()
        stopIfIdle()
    }

    /// Ends a watcher, unless another one has taken its place.
    func remove(_ watcher: ChangeWatcher) {
        watcher.end()
        let name = watcher.visitor.caller.name
        guard watchers[name] === watcher else { return }
        watchers[name] = nil
        stopIfIdle()
    }

    /// Ends all watchers.
    func stop() {
        for name in watchers.keys { remove(name) }
    }

    private func stopIfIdle() {
        guard watchers.isEmpty else { return }
        for task in [waking, lastLook] { task?.cancel() }
        (waking, lastLook, decisions) = (nil, nil, nil)
    }
}

/// A connection that follows the library.
@BusActor
final class ChangeWatcher {
    let visitor: Visitor
    /// The generation up to which the connection has been told.
    var position: UInt64
    /// Has an element when something may have changed.
    let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private var isUnchecked = true
    private(set) var hasEnded = false
    private var work: Task<Void, Never>?

    init(_ visitor: Visitor, from position: UInt64) {
        self.visitor = visitor
        self.position = position
        (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the task that tells the connection what changes.
    func begin(_ body: @escaping @BusActor (ChangeWatcher) async -> Void) {
        guard work == nil, !hasEnded else { return }
        work = Task { await body(self) }
        wake()
    }

    /// Lets the task look for changes.
    ///
    /// - Parameter checking: Whether the decision of the person may have changed.
    func wake(checking: Bool = false) {
        isUnchecked = isUnchecked || checking
        continuation.yield()
    }

    /// Whether it must be found out what the connection may see now.
    func takesCheck() -> Bool {
        defer { isUnchecked = false }
        return isUnchecked
    }

    func end() {
        hasEnded = true
        work?.cancel()
        continuation.finish()
    }
}
