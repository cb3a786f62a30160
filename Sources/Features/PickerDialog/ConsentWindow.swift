// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
package import Photos

/// Asks the person whether an app may use the photo library.
@UIActor
package final class ConsentWindow {
    private let dialog: MessageDialog
    private var continuation: CheckedContinuation<AuthorizationDecision, Never>?

    /// Shows the question and waits for the answer.
    ///
    /// Cancelling the task closes the window and decides nothing.
    package static func run(_ request: AuthorizationRequest) async -> AuthorizationDecision {
        let window = ConsentWindow(request)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0, request.parentWindow) }
        } onCancel: {
            Task { @UIActor in window.close() }
        }
    }

    private init(_ request: AuthorizationRequest) {
        let asker = Asker(request.appID)
        dialog = MessageDialog(
            heading: Self.heading(asker, request.level), body: Self.explanation(request.level))
        let content = Box(isVertical: true, spacing: 12)
        content.append(asker.icon(pixels: 64))
        if let reason = request.reason {
            // Quoted, because these are the app's words and not ours.
            let label = Label(localized("“%@”", reason))
            label.setWrapped()
            content.append(label)
        }
        dialog.setExtraChild(content)
        dialog.add("denied", localized("Don’t Allow"))
        if request.level == .readWrite { dialog.add("limited", localized("Only Chosen Photos")) }
        dialog.add("authorized", localized("Allow"), .suggested)
        dialog.setCloseAnswer("undecided")
        dialog.onAnswer { [weak self] answer in self?.finish(answer) }
    }

    private static func heading(_ asker: Asker, _ level: AccessLevel) -> String {
        guard let name = asker.name else {
            return level == .add
                ? localized("An app wants to add to your photos")
                : localized("An app wants to use your photos")
        }
        return level == .add
            ? localized("“%@” wants to add to your photos", name)
            : localized("“%@” wants to use your photos", name)
    }

    private static func explanation(_ level: AccessLevel) -> String {
        switch level {
        case .add: localized("It will not be able to see your photos.")
        case .readWrite:
            localized("It will be able to see and change all of your photos and albums.") + "\n"
                + localized(
                    "If you don’t allow this, you can still choose individual photos for it.")
        }
    }

    private func start(
        _ continuation: CheckedContinuation<AuthorizationDecision, Never>, _ parent: String
    ) {
        self.continuation = continuation
        if Task.isCancelled { return close() }
        dialog.present(title: localized("Photos"), parent: parent)
    }

    private func finish(_ answer: String) {
        let decision: AuthorizationDecision =
            switch answer {
            case "denied": .decided(.denied)
            case "limited": .decided(.limited)
            case "authorized": .decided(.authorized)
            default: .undecided
            }
        continuation?.resume(returning: decision)
        continuation = nil
    }

    private func close() {
        guard continuation != nil else { return }
        finish("undecided")
        dialog.close()
    }
}
