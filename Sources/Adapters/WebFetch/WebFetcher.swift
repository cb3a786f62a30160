// SPDX-License-Identifier: MIT

package import Files
import Glibc
import Processes
import Synchronization
package import SystemPackage

/// What came of fetching a picture.
package enum FetchOutcome: Hashable, Sendable {
    /// A sealed memory file with the bytes, which may be of any kind.
    case fetched(Descriptor, Freshness)
    /// What the request knows is still true.
    case unchanged(Freshness)
}

/// Fetches pictures of the web, each in a process of its own that can do nothing else.
///
/// The process cannot look up names, and reads no settings: this one does that for it.
package struct WebFetcher: Sendable {
    /// How many bytes have come, of as many as there will be; nil while that is unknown.
    package typealias Progress = @Sendable (Int64, Int64?) -> Void

    private let program: FilePath
    private let routes: @Sendable () -> any RouteFinder

    /// How much longer than the process itself the time limit is for a process that says nothing.
    private static let grace = Duration.seconds(5)

    /// - Parameters:
    ///   - program: The program that fetches.
    ///   - routes: Makes what finds the servers of one picture.
    package init(
        program: FilePath, routes: @escaping @Sendable () -> any RouteFinder = { DesktopRoutes() }
    ) {
        self.program = program
        self.routes = routes
    }

    /// Fetches a picture; cancelling the task ends the process.
    ///
    /// - Parameter progress: Called on any thread.
    /// - Throws: ``FetchError``.
    package func fetch(
        _ request: FetchRequest, progress: @escaping Progress = { _, _ in }
    ) async throws(FetchError) -> FetchOutcome {
        let fetch = Fetch(routes())
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It blocks for as long as a server takes.
                DedicatedThread.start(named: "fetch") { [program] in
                    continuation.resume(returning: fetch.run(program, request, progress))
                }
            }
        } onCancel: {
            fetch.cancel()
        }
        return try result.get()
    }

    /// One process, and who ends it early.
    private final class Fetch: Sendable {
        private struct State {
            var isCancelled = false
            /// The process while it has not been waited for.
            var processID: Int32?
        }

        private let state = Mutex(State())
        private let finder: any RouteFinder

        init(_ finder: any RouteFinder) {
            self.finder = finder
        }

        /// Ends the process; whoever waits for it then hears that it has ended.
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                if let process = state.processID { _ = kill(process, SIGKILL) }
            }
            finder.cancel()
        }

        func run(
            _ program: FilePath, _ request: FetchRequest, _ progress: Progress
        ) -> Result<FetchOutcome, FetchError> {
            do throws(FetchError) {
                return .success(try run(try Self.start(program), request, progress))
            } catch {
                return .failure(state.withLock { $0.isCancelled } ? .cancelled : error)
            }
        }

        private static func start(_ program: FilePath) throws(FetchError) -> WorkerProcess {
            do throws(Errno) {
                return try WorkerProcess(path: program)
            } catch {
                throw .unavailable
            }
        }

        private func run(
            _ process: consuming WorkerProcess, _ request: FetchRequest, _ progress: Progress
        ) throws(FetchError) -> FetchOutcome {
            let id = process.processID
            let isWanted = state.withLock { state in
                state.processID = id
                return !state.isCancelled
            }
            var result = Result<FetchOutcome, FetchError>.failure(.cancelled)
            if isWanted {
                do throws(FetchError) {
                    result = .success(try follow(process, request, progress))
                } catch {
                    result = .failure(error)
                }
            }
            let wasCancelled = state.withLock { state in
                state.processID = nil
                return state.isCancelled
            }
            process.end()
            guard !wasCancelled else { throw .cancelled }
            return try result.get()
        }

        /// Answers what the process asks, until it is done.
        private func follow(
            _ process: borrowing WorkerProcess, _ request: FetchRequest, _ progress: Progress
        ) throws(FetchError) -> FetchOutcome {
            let deadline = ContinuousClock.now + FetchLimits.patience + WebFetcher.grace
            var questions = 0
            var reports = 0
            do {
                try process.send(FetchProtocol.encode(request))
                while case .packet(let packet) = try process.receive(
                    capacity: FetchProtocol.packetSize, timeout: deadline - .now)
                {
                    switch try FetchProtocol.decodeMessage(packet.bytes, packet.descriptors) {
                    case .question(let host, let port):
                        questions += 1
                        guard questions <= FetchLimits.mostRedirects + 1 else {
                            throw FetchError.unavailable
                        }
                        try process.send(FetchProtocol.encode(finder.route(to: host, port: port)))
                    case .progress(let count, let whole):
                        reports += 1
                        guard reports <= FetchLimits.mostReports else {
                            throw FetchError.unavailable
                        }
                        progress(count, whole)
                    case .fetched(let file, let freshness): return .fetched(file, freshness)
                    case .unchanged(let freshness):
                        guard request.entityTag != nil || request.lastModified != nil else {
                            throw FetchError.unavailable
                        }
                        return .unchanged(freshness)
                    case .failed(let error): throw error
                    }
                }
            } catch {
                throw error as? FetchError ?? .unavailable
            }
            throw deadline <= .now ? .timedOut : .unavailable
        }
    }
}
