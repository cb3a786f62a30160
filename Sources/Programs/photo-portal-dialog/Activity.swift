// SPDX-License-Identifier: MIT

import SDBus

/// Notices when no window has been open for a while.
actor Activity {
    private var idleTime: Duration
    private let onIdle: @Sendable () -> Void
    private var windows = 0
    private var countdown: Task<Void, Never>?

    init(idleTime: Duration, onIdle: @escaping @Sendable () -> Void) {
        self.idleTime = idleTime
        self.onIdle = onIdle
    }

    /// Counts a window as open while `body` runs.
    nonisolated func during<Outcome: Sendable>(
        _ body: @Sendable () async throws(DBusError) -> Outcome
    ) async throws(DBusError) -> Outcome {
        await begin()
        do throws(DBusError) {
            let outcome = try await body()
            await end()
            return outcome
        } catch {
            await end()
            throw error
        }
    }

    func begin() {
        windows += 1
        countdown?.cancel()
    }

    func end() {
        windows -= 1
        restart()
    }

    /// Begins to wait for the end of the last window.
    ///
    /// - Parameter limit: The most time to wait from now on.
    func restart(atMost limit: Duration = .seconds(1 << 30)) {
        idleTime = min(idleTime, limit)
        guard windows == 0 else { return }
        countdown?.cancel()
        countdown = Task {
            do { try await Task.sleep(for: idleTime) } catch { return }
            onIdle()
        }
    }
}
