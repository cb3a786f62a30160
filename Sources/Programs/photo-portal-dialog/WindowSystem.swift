// SPDX-License-Identifier: MIT

import GtkKit
import PortalInterface
import SDBus

/// The toolkit, which starts while the bus is already served.
///
/// xdg-desktop-portal and the bus wait for our name, and a display may be slow or missing; so calls
/// arrive before there can be a window, and wait here.
actor WindowSystem {
    private enum State {
        case starting([CheckedContinuation<Void, Never>])
        case ready
        case failed(String)
    }

    private var state = State.starting([])

    /// Starts the toolkit.
    ///
    /// - Parameters:
    ///   - look: Ends when the desktop's look is known; windows wait a moment for it, so that none
    ///     changes its color right after it appeared.
    /// - Returns: Why there can be no window; nil if there can.
    func start(programName: String, look: Task<Void, Never>) async -> String? {
        let (settled, settle) = AsyncStream<String?>.makeStream()
        Task {
            let isReady = await Toolkit.initialize(programName: programName)
            settle.yield(
                isReady ? nil : "there is no display; set WAYLAND_DISPLAY or DISPLAY")
        }
        // The thread of a display that never answers is lost; the rest of us is not.
        let limit = Task {
            do { try await Task.sleep(for: Self.patience) } catch { return }
            settle.yield("the display does not answer")
        }
        defer { limit.cancel() }
        for await problem in settled {
            if let problem {
                end(.failed(problem))
                return problem
            }
            break
        }
        await Self.wait(for: look, atMost: .milliseconds(250))
        end(.ready)
        return nil
    }

    private static let patience = Duration.seconds(20)

    /// Waits until windows can be shown.
    ///
    /// - Throws: ``DBusError`` with a message for the app if there can be none.
    func ready() async throws(DBusError) {
        if case .starting(let waiting) = state {
            await withCheckedContinuation { state = .starting(waiting + [$0]) }
        }
        guard case .failed(let problem) = state else { return }
        throw PortalError.failed("No window can be shown: \(problem)")
    }

    private func end(_ outcome: State) {
        guard case .starting(let waiting) = state else { return }
        state = outcome
        for continuation in waiting { continuation.resume() }
    }

    private static func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let waits = [
            Task {
                await task.value
                end.yield()
            },
            Task {
                // Cancelled when the other one was faster.
                try? await Task.sleep(for: limit)
                end.yield()
            },
        ]
        for await _ in ended { break }
        for wait in waits { wait.cancel() }
    }
}
