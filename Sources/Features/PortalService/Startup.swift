// SPDX-License-Identifier: MIT

import SDBus

/// What a service works with once it has started; calls that arrive earlier wait for it.
@BusActor
final class Startup<Environment: Sendable> {
    private var environment: Environment?
    private(set) var isStopping = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init() {}

    func finish(with environment: Environment) {
        self.environment = environment
        resume()
    }

    /// Lets nobody wait any longer.
    func stop() {
        isStopping = true
        resume()
    }

    /// Waits until the service has started.
    ///
    /// - Returns: Nil if it was stopped before.
    func finished() async -> Environment? {
        if environment == nil, !isStopping {
            await withCheckedContinuation { waiting.append($0) }
        }
        return environment
    }

    private func resume() {
        let waiting = waiting
        self.waiting = []
        for waiter in waiting { waiter.resume() }
    }
}
