// SPDX-License-Identifier: MIT

package import Files
import Synchronization
package import SystemPackage

/// Makes file calls that may never return, on threads that nothing else needs.
///
/// A network drive or FUSE file system that does not answer blocks only a few threads. The caller may
/// give up at any time; the thread then stays behind and its result is dropped. The number of calls
/// in one folder is limited, and that of slow calls on one disk, so that what hangs leaves threads for
/// others.
///
/// - Source: Linux cannot interrupt a request that a FUSE file system has already received.
package final class FileCalls: Sendable {
    /// Tells a call that its result is no longer wanted.
    package struct Cancellation: Sendable {
        fileprivate let call: Call

        package var isRequested: Bool { call.isCancelled.load(ordering: .relaxed) }
    }

    fileprivate final class Call: Sendable {
        let lane: FilePath
        let body: @Sendable (Call) -> Void
        let isCancelled = Atomic(false)

        init(_ lane: FilePath, _ body: @escaping @Sendable (Call) -> Void) {
            self.lane = lane
            self.body = body
        }
    }

    fileprivate struct Running {
        let call: Call
        let began = ContinuousClock.now
        /// The disk of a call that took so long that its thread is no longer counted.
        var slowDisk: FilePath?
    }

    fileprivate struct State {
        var waiting: [Call] = []
        var running: [ObjectIdentifier: Running] = [:]
        var lanes: [FilePath: Int] = [:]
        /// The calls in progress that are not slow.
        var busyCount = 0
        var isWatching = false
        /// The folders that may be links to another disk.
        var separateFolders: [FilePath] = []
        var mounts = MountTable("")
        /// The slow calls in progress on each disk that has some.
        var slowCounts: [FilePath: Int] = [:]
    }

    /// For all files of the process.
    package static let shared = FileCalls()

    /// The most calls in progress, not counting slow ones.
    fileprivate static let width = 8
    /// The most calls in progress in one folder.
    fileprivate static let laneWidth = 4
    /// The most calls that no longer count because they are slow.
    fileprivate static let maximumSlowCount = 64
    /// The slow calls on one disk with which it gets no more threads.
    ///
    /// As many as may be in progress then become slow as well.
    fileprivate static let slowCountPerDisk = 8
    fileprivate static let slowness = Duration.seconds(1)

    private let state = Mutex(State())
    private let threads = SpareThreads(named: "file", most: 2)

    package init() {}

    /// Names folders that count as a disk of their own, as each of them may be a link to one.
    package func separate(_ folders: [FilePath]) {
        state.withLock { $0.separateFolders = folders }
    }

    /// Makes calls for one file, or for a few in one folder.
    ///
    /// - Parameters:
    ///   - path: The file or folder. Calls in the same folder may wait for each other.
    ///   - limit: How long the caller waits; nil for as long as it takes.
    ///   - isolation: The caller's, which is left only for the call itself.
    ///   - body: Runs on another thread; may block.
    /// - Returns: The result; nil if the task was cancelled or the time has run out.
    package func run<Value: Sendable>(
        on path: FilePath, within limit: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Cancellation) -> Value
    ) async -> Value? {
        let promise = Promise<Value>()
        let call = Call(path.removingLastComponent()) { call in
            promise.keep(body(Cancellation(call: call)))
        }
        let deadline = limit.map { limit in
            Deadlines.shared.add(after: limit) { self.abandon(call, promise) }
        }
        defer { if let deadline { Deadlines.shared.remove(deadline) } }
        return await withTaskCancellationHandler {
            // A closure that does not mention the isolation would leave it.
            _ = isolation
            return await withCheckedContinuation { continuation in
                guard promise.wait(continuation) else { return }
                begin(call)
            }
        } onCancel: {
            abandon(call, promise)
        }
    }

    /// Makes calls that have to come to their end, even if the task is cancelled.
    ///
    /// - Parameters:
    ///   - path: See ``run(on:within:isolation:_:)``.
    ///   - rest: What the caller does not wait for; runs on the same thread after `body`.
    package func runToEnd<Value: Sendable>(
        on path: FilePath, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable () -> Value,
        rest: @escaping @Sendable (Value) -> Void = { _ in }
    ) async -> Value {
        await withCheckedContinuation { continuation in
            // A closure that does not mention the isolation would leave it.
            _ = isolation
            begin(
                Call(path.removingLastComponent()) { _ in
                    let value = body()
                    continuation.resume(returning: value)
                    rest(value)
                })
        }
    }

    /// Closes files of a folder without waiting for the call, which may block like any other.
    fileprivate func close(_ files: [FileDescriptor], in folder: FilePath) {
        // Linux closes the descriptor even if it reports an error, and nothing written can be lost.
        begin(Call(folder) { _ in for file in files { try? file.close() } })
    }

    /// The calls in progress, slow ones included.
    var runningCount: Int { state.withLock { $0.running.count } }

    // MARK: - Queue

    private func begin(_ call: Call) {
        let (next, mustWatch) = state.withLock { state in
            state.waiting.append(call)
            return (state.next(), state.mustWatch())
        }
        if let next { startThread(next) }
        if mustWatch { watch() }
    }

    private func abandon<Value>(_ call: Call, _ promise: Promise<Value>) {
        call.isCancelled.store(true, ordering: .relaxed)
        state.withLock { state in state.waiting.removeAll { $0 === call } }
        promise.keep(nil)
    }

    private func startThread(_ call: Call) {
        threads.run { [self] in
            var next: Call? = call
            while let call = next {
                call.body(call)
                next = state.withLock { state in
                    state.finish(call)
                    return state.next()
                }
            }
        }
    }

    /// Checks for slow calls until no call has to wait for a thread.
    private func watch() {
        Task {
            var isNeeded = true
            while isNeeded {
                // Nobody cancels this task.
                try? await Task.sleep(for: Self.slowness)
                let folders = state.withLock(\.separateFolders)
                let mounts = MountTable.current(and: folders)
                let (next, mustWatch) = state.withLock { state in
                    state.isWatching = false
                    state.mounts = mounts
                    state.markSlow()
                    var next: [Call] = []
                    while let call = state.next() { next.append(call) }
                    return (next, state.mustWatch())
                }
                for call in next { startThread(call) }
                isNeeded = mustWatch
            }
        }
    }
}

extension FileCalls.State {
    /// Removes the oldest call that may get a thread.
    fileprivate mutating func next() -> FileCalls.Call? {
        guard busyCount < FileCalls.width, let index = waiting.firstIndex(where: { mayBegin($0) })
        else { return nil }
        let call = waiting.remove(at: index)
        running[ObjectIdentifier(call)] = FileCalls.Running(call: call)
        lanes[call.lane, default: 0] += 1
        busyCount += 1
        return call
    }

    private func mayBegin(_ call: FileCalls.Call) -> Bool {
        guard lanes[call.lane, default: 0] < FileCalls.laneWidth else { return false }
        // Nearly always nothing is slow.
        return slowCounts.isEmpty
            || slowCounts[mounts.point(above: call.lane), default: 0] < FileCalls.slowCountPerDisk
    }

    fileprivate mutating func finish(_ call: FileCalls.Call) {
        guard let done = running.removeValue(forKey: ObjectIdentifier(call)) else { return }
        if let disk = done.slowDisk {
            let rest = slowCounts[disk, default: 1] - 1
            slowCounts[disk] = rest > 0 ? rest : nil
        } else {
            busyCount -= 1
        }
        let rest = lanes[call.lane, default: 1] - 1
        lanes[call.lane] = rest > 0 ? rest : nil
    }

    fileprivate mutating func markSlow() {
        let limit = ContinuousClock.now - FileCalls.slowness
        var slowCount = running.count - busyCount
        for (id, call) in running where call.slowDisk == nil && call.began <= limit {
            guard slowCount < FileCalls.maximumSlowCount else { return }
            let disk = mounts.point(above: call.call.lane)
            running[id]?.slowDisk = disk
            slowCounts[disk, default: 0] += 1
            slowCount += 1
            busyCount -= 1
        }
    }

    /// Whether checking for slow calls is necessary and has not begun yet.
    fileprivate mutating func mustWatch() -> Bool {
        guard !isWatching, busyCount >= FileCalls.width, !waiting.isEmpty else { return false }
        isWatching = true
        return true
    }
}

/// A value that one caller waits for.
///
/// Only the first value counts.
private final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case pending
        case waiting(CheckedContinuation<Value?, Never>)
        case kept(Value?)
    }

    private let state = Mutex(State.pending)

    /// Waits for the value.
    ///
    /// - Returns: Whether it is still missing.
    func wait(_ continuation: CheckedContinuation<Value?, Never>) -> Bool {
        let kept: Value?? = state.withLock { state in
            if case .kept(let value) = state { return .some(value) }
            state = .waiting(continuation)
            return nil
        }
        guard let kept else { return true }
        continuation.resume(returning: kept)
        return false
    }

    func keep(_ value: Value?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .kept: return nil
            case .pending:
                state = .kept(value)
                return nil
            case .waiting(let continuation):
                state = .kept(value)
                return continuation
            }
        }
        waiting?.resume(returning: value)
    }
}

// MARK: - Files

extension FileCalls {
    /// An open file and what fstat(2) says about it.
    package struct OpenFile: Sendable {
        package let file: Descriptor
        package let information: Stat
    }

    /// Opens a file for reading; see ``Files/Descriptor/openForReading(_:)``.
    ///
    /// The file is closed on these threads too, because a file system may block that as well.
    ///
    /// - Returns: The error of open(2) or fstat(2); nil if the task was cancelled or the time is
    ///   over.
    package func open(
        _ path: FilePath, within limit: Duration? = nil
    ) async -> Result<OpenFile, Errno>? {
        await run(on: path, within: limit) { _ in
            Result { () throws(Errno) in try self.openNow(path) }
        }
    }

    /// Opens a file on the calling thread, and closes it on another one.
    package func openNow(_ path: FilePath) throws(Errno) -> OpenFile {
        let file = try Descriptor.openForReading(path)
        closeHere(file, of: path)
        return OpenFile(file: file, information: try file.information())
    }

    /// Closes a file on one of these threads.
    package func closeHere(_ file: Descriptor, of path: FilePath) {
        file.setCloser { [self] in close([$0], in: path.removingLastComponent()) }
    }

    /// Closes files on one of these threads, all in one call when the last of them is released.
    package func closeHere(_ files: [Descriptor], in folder: FilePath) {
        let closing = Closing(self, folder)
        for file in files { file.setCloser { closing.add($0) } }
    }
}

/// Files of a folder that are closed together.
private final class Closing: Sendable {
    private let calls: FileCalls
    private let folder: FilePath
    private let files = Mutex<[FileDescriptor]>([])

    init(_ calls: FileCalls, _ folder: FilePath) {
        self.calls = calls
        self.folder = folder
    }

    func add(_ file: FileDescriptor) {
        files.withLock { $0.append(file) }
    }

    deinit { calls.close(files.withLock { $0 }, in: folder) }
}
