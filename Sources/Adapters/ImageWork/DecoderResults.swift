// SPDX-License-Identifier: MIT

import Synchronization

/// The results of jobs that have one caller.
final class DecoderResults<Reply: Sendable>: Sendable {
    typealias Outcome = Result<Reply, DecodeError>

    private struct State {
        var results: [Outcome]
        var missing: Int
    }

    private let state: Mutex<State>
    private let continuation: CheckedContinuation<[Outcome], Never>

    /// - Parameters:
    ///   - count: The number of jobs, at least one.
    ///   - continuation: Resumed when each of them has a result.
    init(_ count: Int, _ continuation: CheckedContinuation<[Outcome], Never>) {
        state = Mutex(
            State(results: Array(repeating: .failure(.cancelled), count: count), missing: count))
        self.continuation = continuation
    }

    /// Takes the result of a job, which must have none yet.
    func note(_ result: Outcome, at index: Int) {
        let all: [Outcome]? = state.withLock { state in
            state.results[index] = result
            state.missing -= 1
            return state.missing == 0 ? state.results : nil
        }
        if let all { continuation.resume(returning: all) }
    }
}
