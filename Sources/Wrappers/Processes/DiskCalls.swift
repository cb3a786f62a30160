// SPDX-License-Identifier: MIT

import Dispatch
package import Synchronization
package import SystemPackage

/// Makes file calls that may never return, for a queue that waits for them as long as they go on.
///
/// A call that stands still is left to its thread. Until it ends, its place counts as silent, and
/// callers ask nothing more of that disk.
package final class DiskCalls: Sendable {
    /// What a call is waiting for.
    package struct Place: Sendable {
        package let path: FilePath
        /// The number of its disk; nil if it is unknown, because a path may lead to another disk.
        package let device: UInt64?

        package init(_ path: FilePath, device: UInt64?) {
            self.path = path
            self.device = device
        }
    }

    /// Where a call has got to.
    package final class Progress<Step: Sendable>: Sendable {
        @usableFromInline
        package let state = Mutex<(count: Int, step: Step?)>((0, nil))

        /// Notes what the call turns to now.
        // Called for each file; without its type known, this takes as long as a look at the file.
        @inlinable @inline(__always)
        package func note(_ step: Step) {
            state.withLock { $0 = ($0.count &+ 1, step) }
        }

        fileprivate var current: (count: Int, step: Step?) { state.withLock { $0 } }
    }

    package enum Outcome<Value: Sendable, Step: Sendable>: Sendable {
        case done(Value)
        /// The call stands still at a step; nil if it has not got to the first one.
        case stalled(Step?)
    }

    private let patience: DispatchTimeInterval
    private let onAnswer: @Sendable () -> Void
    private let threads = SpareThreads(named: "disk", most: 4)
    private let stalled = Mutex<[ObjectIdentifier: Place]>([:])

    /// - Parameters:
    ///   - patience: How long a call may stand still.
    ///   - onAnswer: Called, on any thread, when a call ends that stood still.
    package init(patience: Duration, onAnswer: @escaping @Sendable () -> Void) {
        self.patience = .milliseconds(Int(clamping: patience.milliseconds))
        self.onAnswer = onAnswer
    }

    /// Whether a call stands still at this path or a folder above it, or on this disk.
    package func isSilent(_ place: Place) -> Bool {
        stalled.withLock { stalled in
            !stalled.isEmpty
                && stalled.values.contains { other in
                    place.path.starts(with: other.path)
                        || place.device != nil && place.device == other.device
                }
        }
    }

    /// Makes a call, and waits for it as long as it goes on.
    ///
    /// - Parameters:
    ///   - place: What the call is waiting for at a step.
    ///   - body: Runs on another thread, also long after this method has returned.
    /// - Isolation: any thread that may block.
    package func run<Value: Sendable, Step: Sendable>(
        at place: (Step?) -> Place, _ body: @escaping @Sendable (Progress<Step>) -> Value
    ) -> Outcome<Value, Step> {
        let call = Call<Value>()
        let progress = Progress<Step>()
        threads.run { [self] in
            guard !call.finish(body(progress)) else { return }
            stalled.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(call)) }
            onAnswer()
        }
        var seen = 0
        while true {
            if let value = call.wait(patience) { return .done(value) }
            let (count, step) = progress.current
            if count != seen {
                seen = count
                continue
            }
            let place = place(step)
            let value = stalled.withLock { stalled in
                // Its thread takes the call from the list only after this.
                let value = call.abandon()
                if value == nil { stalled[ObjectIdentifier(call)] = place }
                return value
            }
            if let value { return .done(value) }
            return .stalled(step)
        }
    }

    /// Makes a call that has one step.
    ///
    /// - Returns: The result; nil if the call stands still, or if its place is silent.
    package func run<Value: Sendable>(
        at place: Place, _ body: @escaping @Sendable () -> Value
    ) -> Value? {
        guard !isSilent(place) else { return nil }
        let outcome: Outcome<Value, Never> = run(at: { _ in place }) { _ in body() }
        guard case .done(let value) = outcome else { return nil }
        return value
    }
}

/// A call whose caller may give up.
private final class Call<Value: Sendable>: Sendable {
    private let state = Mutex<(value: Value?, isAbandoned: Bool)>((nil, false))
    private let isOver = DispatchSemaphore(value: 0)

    /// Stores the value; false if nobody waits for it any more.
    func finish(_ value: Value) -> Bool {
        let isAwaited = state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.value = value
            return true
        }
        if isAwaited { isOver.signal() }
        return isAwaited
    }

    /// Waits for the value; nil if the time is over.
    func wait(_ patience: DispatchTimeInterval) -> Value? {
        guard isOver.wait(timeout: .now() + patience) == .success else { return nil }
        return state.withLock { $0.value }
    }

    /// Gives up, unless the value is there.
    func abandon() -> Value? {
        state.withLock { state in
            state.isAbandoned = state.value == nil
            return state.value
        }
    }
}
