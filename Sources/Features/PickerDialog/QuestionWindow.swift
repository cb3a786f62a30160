// SPDX-License-Identifier: MIT

import Desktop
import GtkKit

/// Asks the person a question about an app, in a window of its own.
@UIActor
final class QuestionWindow {
    private let dialog: MessageDialog
    private let parent: String
    private let consequence: String
    /// What the person is told once their answer would reach nobody.
    private var message: MessageDialog?
    private var continuation: CheckedContinuation<String?, Never>?

    /// Shows the question and waits for the answer.
    ///
    /// Cancelling the task closes the window.
    ///
    /// - Parameters:
    ///   - dialog: The question, with its answers.
    ///   - parent: The parent window, in the notation of the portals; empty for none.
    ///   - departure: Has an element when the service has ended without closing the request; the
    ///     window then says so and stays until the person closes it.
    ///   - consequence: What the person is told of the app then, as a sentence.
    /// - Returns: The id of the answer; nil if the request has ended without one.
    static func run(
        _ dialog: MessageDialog, parent: String, _ departure: AsyncStream<Void>,
        interrupted consequence: String
    ) async -> String? {
        let window = QuestionWindow(dialog, parent: parent, consequence)
        let leaving = Task { for await _ in departure { window.abandon() } }
        defer { leaving.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0) }
        } onCancel: {
            Task { @UIActor in window.close() }
        }
    }

    private init(_ dialog: MessageDialog, parent: String, _ consequence: String) {
        self.dialog = dialog
        self.parent = parent
        self.consequence = consequence
        dialog.onAnswer { [weak self] answer in self?.finish(answer) }
    }

    private func start(_ continuation: CheckedContinuation<String?, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return close() }
        dialog.present(title: localized("Photos"), parent: parent)
    }

    private func abandon() {
        guard continuation != nil, message == nil else { return }
        dialog.close()
        let message = MessageDialog.interruption(consequence)
        message.onAnswer { [weak self] _ in self?.finish(nil) }
        self.message = message
        message.present(title: localized("Photos"), parent: parent)
    }

    private func finish(_ answer: String?) {
        continuation?.resume(returning: answer)
        continuation = nil
    }

    private func close() {
        guard continuation != nil else { return }
        finish(nil)
        (message ?? dialog).close()
    }
}
