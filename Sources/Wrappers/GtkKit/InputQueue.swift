// SPDX-License-Identifier: MIT

/// The clicks and keys that have reached the program and wait to be handled.
@UIActor
final class InputQueue {
    /// Whether GTK holds back input until it has drawn a frame.
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The most frames that are waited for: a window that is always being drawn must be usable.
    private static let mostFrames = 20

    init(of window: Window) {
        window.onFrame("flush-events") { [weak self] in self?.isHeld = true }
        window.onFrame("resume-events") { [weak self] in self?.resume() }
        // There will be no other frame.
        window.connect("unrealize") { [weak self] in self?.resume() }
    }

    /// Returns once the input that has come by now is handled.
    func drain() async {
        await UIActor.afterInput()
        for _ in 0..<Self.mostFrames {
            guard isHeld else { return }
            await withCheckedContinuation { waiting.append($0) }
            await UIActor.afterInput()
        }
    }

    private func resume() {
        isHeld = false
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}
