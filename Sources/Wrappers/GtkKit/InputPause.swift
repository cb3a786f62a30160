// SPDX-License-Identifier: MIT

/// A time in which input may be meant for what was on the screen before.
///
/// It ends when the input that came meanwhile has been handled, however long the window was busy.
@UIActor
package final class InputPause {
    private let length: Duration
    private let queue: InputQueue
    private let onEnd: @UIActor () -> Void
    /// When the screen changed last; nil before the first time.
    private var lastChange: ContinuousClock.Instant?
    package private(set) var isActive = false

    /// - Parameter onEnd: Called whenever a pause ends.
    package init(
        of window: Window, _ length: Duration = .milliseconds(500),
        onEnd: @escaping @UIActor () -> Void = {}
    ) {
        self.length = length
        self.onEnd = onEnd
        queue = InputQueue(of: window)
    }

    /// Begins a pause, or lets the one in progress last as long as a new one.
    package func begin() {
        lastChange = .now
        guard !isActive else { return }
        isActive = true
        Task { [weak self] in
            // The pause may have passed before this task begins.
            repeat {
                // Nobody cancels this task.
                if let rest = self?.rest { try? await Task.sleep(for: rest) }
                await self?.queue.drain()
            } while self?.rest != nil
            self?.end()
        }
    }

    /// How much of the pause is left; nil if it has passed.
    private var rest: Duration? {
        guard let lastChange else { return nil }
        let rest = lastChange + length - .now
        return rest > .zero ? rest : nil
    }

    private func end() {
        isActive = false
        onEnd()
    }
}
