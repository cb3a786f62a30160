// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Glibc
import ImageWork
import Photos
import Processes
import Synchronization
import SystemPackage

/// The thread of a ``CameraSession``, which starts the program and waits for its replies.
final class CameraWorker: Sendable {
    /// A request that waits, or whose reply does.
    private final class Call: Sendable {
        let request: CameraRequest
        /// Nil once there is a result.
        private let continuation: Mutex<CheckedContinuation<CameraResult, Never>?>

        init(_ request: CameraRequest, _ continuation: CheckedContinuation<CameraResult, Never>) {
            self.request = request
            self.continuation = Mutex(continuation)
        }

        var isWanted: Bool { continuation.withLock { $0 != nil } }

        /// The first result counts.
        func finish(_ result: CameraResult) {
            continuation.withLock { continuation in
                continuation?.resume(returning: result)
                continuation = nil
            }
        }
    }

    private typealias CameraResult = Result<CameraReply, CameraError>

    private struct State {
        var calls: [Call] = []
        /// The call that the program works on.
        var current: Call?
        /// Whether the thread has started, which runs until ``CameraWorker/end()``; the program ends with it.
        var hasThread = false
        var hasEnded = false
        /// Whether the program has said something that must not be believed.
        var isRefused = false
        /// The process while it has not been waited for.
        var processID: Int32?
        /// The last list.
        var cameras: [Camera] = []
        /// The request that opened the camera that runs.
        var opening: CameraRequest?
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let program: FilePath
    private let environment: [String]

    init(_ program: FilePath, _ environment: [String]) {
        self.program = program
        self.environment = environment
    }

    var processID: Int32? { state.withLock { $0.processID } }

    /// A camera of the last list; nil if it is not there.
    func camera(_ id: String) -> Camera? {
        state.withLock { state in state.cameras.first { $0.id == id } }
    }

    /// Sends a request to open a camera, and once more the last one if that fails (S5.15).
    ///
    /// - Throws: ``CameraError``, `.restored` if the camera before is back.
    func reply(toOpening request: CameraRequest) async throws(CameraError) -> CameraReply {
        let last = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        do throws(CameraError) {
            let reply = try await reply(to: request)
            state.withLock { $0.opening = request }
            return reply
        } catch {
            guard let last, error != .cancelled else { throw error }
            do throws(CameraError) {
                _ = try await reply(to: last)
            } catch _ {
                throw error
            }
            state.withLock { $0.opening = last }
            throw .restored(because: error)
        }
    }

    /// Sends a request when it is its turn, and waits for the reply.
    ///
    /// - Throws: ``CameraError``, `.cancelled` at once if the task is cancelled; the reply is then ignored.
    func reply(to request: CameraRequest) async throws(CameraError) -> CameraReply {
        let pending = Mutex<(call: Call?, isCancelled: Bool)>((nil, false))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let call = Call(request, continuation)
                let isCancelled = pending.withLock { pending in
                    pending.call = call
                    return pending.isCancelled
                }
                if isCancelled {
                    call.finish(.failure(.cancelled))
                } else {
                    add(call)
                }
            }
        } onCancel: {
            let call = pending.withLock { pending in
                pending.isCancelled = true
                return pending.call
            }
            call?.finish(.failure(.cancelled))
        }
        return try result.get()
    }

    private func add(_ call: Call) {
        let (isLate, isFirst) = state.withLock { state in
            if state.hasEnded { return (true, false) }
            defer { state.hasThread = true }
            state.calls.append(call)
            return (false, !state.hasThread)
        }
        if isLate { call.finish(.failure(.cancelled)) }
        if isFirst { DedicatedThread.start(named: "camera") { self.run() } }
        available.signal()
    }

    /// Has the program killed because of what it said.
    func refuse() -> CameraError {
        state.withLock { $0.isRefused = true }
        available.signal()
        return .garbage
    }

    func end() {
        let calls = state.withLock { state in
            state.hasEnded = true
            defer { state.calls = [] }
            return state.calls + [state.current].compactMap { $0 }
        }
        for call in calls { call.finish(.failure(.cancelled)) }
        available.signal()
        // The thread may wait for a reply that does not come.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(600)) { [self] in
            state.withLock { state in
                if let process = state.processID { _ = kill(process, SIGKILL) }
            }
        }
    }

    // MARK: - On the thread

    private func run() {
        var process: WorkerProcess?
        while true {
            available.wait()
            let (call, isRefused, hasEnded) = state.withLock { state in
                defer { state.isRefused = false }
                state.current = state.calls.isEmpty ? nil : state.calls.removeFirst()
                return (state.current, state.isRefused, state.hasEnded)
            }
            if isRefused || hasEnded, let last = process.take() {
                end(last, within: isRefused ? .zero : .milliseconds(400))
            }
            if hasEnded {
                call?.finish(.failure(.cancelled))
                return
            }
            guard let call, call.isWanted else { continue }
            perform(call, &process)
            state.withLock { $0.current = nil }
        }
    }

    private func perform(_ call: Call, _ process: inout WorkerProcess?) {
        do throws(CameraError) {
            var running = if let running = process.take() { running } else { try launch() }
            let result = exchange(call.request, &running)
            // A program that answers as it should is used again.
            if result.endsProgram(after: call.request) {
                end(running)
            } else {
                process = consume running
            }
            let reply = try result.get()
            if case .failed(let error) = reply { throw error }
            if case .cameras(let cameras) = reply { state.withLock { $0.cameras = cameras } }
            call.finish(.success(reply))
        } catch {
            call.finish(.failure(error))
        }
    }

    /// Starts the program.
    private func launch() throws(CameraError) -> WorkerProcess {
        do throws(Errno) {
            let process = try WorkerProcess(path: program, environment: environment)
            let id = process.processID
            state.withLock { state in
                state.processID = id
                if state.hasEnded { _ = kill(id, SIGKILL) }
            }
            return process
        } catch {
            throw .unavailable
        }
    }

    private func exchange(
        _ request: CameraRequest, _ process: inout WorkerProcess
    ) -> CameraResult {
        do {
            let (bytes, descriptors) = CameraProtocol.encode(request)
            try process.send(bytes, descriptors: descriptors)
            switch try process.receive(
                capacity: CameraLimits.packetSize, timeout: CameraLimits.patience(for: request))
            {
            case .packet(let packet):
                return .success(
                    try CameraProtocol.decodeReply(packet.bytes, packet.descriptors))
            case .ended, .timedOut: return .failure(.vanished)
            }
        } catch is PacketError {
            return .failure(.garbage)
        } catch {
            return .failure(error as? Errno == .messageTooLong ? .garbage : .vanished)
        }
    }

    /// - Parameter patience: How long the program may take to stop the camera: PipeWire may leave one that is
    ///   torn away without another frame.
    private func end(_ process: consuming WorkerProcess, within patience: Duration = .zero) {
        state.withLock { $0.processID = nil }
        process.end(within: patience)
    }
}

extension Result<CameraReply, CameraError> {
    /// Whether the program that gave it is of no more use.
    ///
    /// A new one connects with PipeWire again, and has no stream that waits for ever for a camera.
    fileprivate func endsProgram(after request: CameraRequest) -> Bool {
        switch self {
        case .failure, .success(.failed(.unavailable)), .success(.failed(.vanished)): return true
        case .success(.failed):
            guard case .open = request else { return false }
            return true
        case .success: return false
        }
    }
}
