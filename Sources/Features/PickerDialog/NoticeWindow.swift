// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
package import Photos

/// Tells the person why nothing happens.
@UIActor
package final class NoticeWindow {
    private let dialog: MessageDialog
    private var continuation: CheckedContinuation<Void, Never>?

    /// Says why there is no file dialog, and waits until the person has closed the window.
    ///
    /// Cancelling the task closes it.
    package static func run(_ failure: FileDialogFailure) async {
        let window = NoticeWindow(
            heading: failure.isSaving
                ? localized("The file cannot be saved") : localized("Files cannot be chosen"),
            body: body(failure.cause))
        await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0, failure.parentWindow) }
        } onCancel: {
            Task { @UIActor in window.close() }
        }
    }

    private static func body(_ cause: FileDialogFailure.Cause) -> String {
        switch cause {
        case .isMissing:
            localized(
                "There is no program that shows file dialogs. Install xdg-desktop-portal-gtk, or the program that is made for your desktop, and try again."
            )
        case .hasFailed:
            localized(
                "The program that shows file dialogs has failed. Try again, or log out and in again."
            )
        }
    }

    private init(heading: String, body: String) {
        dialog = MessageDialog(heading: heading, body: body)
        dialog.add("close", localized("Close"))
        dialog.setCloseAnswer("close")
        dialog.onAnswer { [weak self] _ in self?.finish() }
    }

    private func start(_ continuation: CheckedContinuation<Void, Never>, _ parent: String) {
        self.continuation = continuation
        if Task.isCancelled { return close() }
        dialog.present(title: localized("Photos"), parent: parent)
    }

    private func finish() {
        continuation?.resume()
        continuation = nil
    }

    private func close() {
        guard continuation != nil else { return }
        finish()
        dialog.close()
    }
}
