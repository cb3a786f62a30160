// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Threads that wait for more work for a while before they end.
///
/// Starting a thread takes longer than most calls that it is started for.
final class SpareThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private final class Spare: Sendable {
        let wakeUp = DispatchSemaphore(value: 0)
        let work = Mutex<Work?>(nil)
    }

    private let name: String
    private let most: Int
    private let patience: DispatchTimeInterval
    private let spares = Mutex<[Spare]>([])

    /// - Parameters:
    ///   - name: The name of each thread in a debugger.
    ///   - most: How many threads wait for work at a time.
    ///   - patience: How long each of them waits.
    init(named name: String, most: Int, patience: DispatchTimeInterval = .seconds(2)) {
        self.name = name
        self.most = most
        self.patience = patience
    }

    /// Does something that may block on a thread that nobody else needs.
    func run(_ work: @escaping Work) {
        if let spare = spares.withLock({ $0.popLast() }) {
            spare.work.withLock { $0 = work }
            spare.wakeUp.signal()
            return
        }
        let first = Spare()
        first.work.withLock { $0 = work }
        DedicatedThread.start(named: name) { [self] in
            var next = first.work.withLock { $0.take() }
            while next != nil {
                Self.perform(&next)
                next = moreWork()
            }
        }
    }

    /// Does the work, and releases what it refers to, which must not wait for more work.
    private static func perform(_ work: inout Work?) {
        work.take()?()
    }

    /// Waits for work; nil if there is none, or if enough threads wait.
    private func moreWork() -> Work? {
        let spare = Spare()
        let waits = spares.withLock { spares in
            guard spares.count < most else { return false }
            spares.append(spare)
            return true
        }
        guard waits else { return nil }
        if spare.wakeUp.wait(timeout: .now() + patience) == .timedOut {
            let isUnused = spares.withLock { spares in
                let index = spares.firstIndex { $0 === spare }
                if let index { spares.remove(at: index) }
                return index != nil
            }
            guard !isUnused else { return nil }
            // Somebody has just taken it.
            spare.wakeUp.wait()
        }
        return spare.work.withLock { $0.take() }
    }
}
