// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
package import Photos

/// Asks the person whether an app may use the photo library.
@UIActor
package final class ConsentWindow {
    private let request: AuthorizationRequest
    private let asker: Asker
    private let dialog: MessageDialog
    /// What the person is told once their answer would reach nobody.
    private var message: MessageDialog?
    private var continuation: CheckedContinuation<AuthorizationDecision, Never>?

    /// Shows the question and waits for the answer.
    ///
    /// Cancelling the task closes the window and decides nothing.
    ///
    /// - Parameters:
    ///   - app: What is known of the app with the request's id.
    ///   - departure: Has an element when the service has ended without closing the request; the
    ///     window then says so and stays until the person closes it.
    package static func run(
        _ request: AuthorizationRequest, of app: RequestingApp, _ environment: PickerEnvironment,
        _ departure: AsyncStream<Void>
    ) async -> AuthorizationDecision {
        let window = ConsentWindow(request, Asker(app, request.appID), environment)
        let leaving = Task { for await _ in departure { window.abandon() } }
        defer { leaving.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0) }
        } onCancel: {
            Task { @UIActor in window.close() }
        }
    }

    private init(
        _ request: AuthorizationRequest, _ asker: Asker, _ environment: PickerEnvironment
    ) {
        self.request = request
        self.asker = asker
        dialog = MessageDialog(
            heading: Self.heading(asker, request.level), body: Self.explanation(request.level))
        let content = Box(isVertical: true, spacing: 12)
        content.append(asker.icon(pixels: 64, environment.thumbnails))
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

    private func start(_ continuation: CheckedContinuation<AuthorizationDecision, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return close() }
        dialog.present(title: localized("Photos"), parent: request.parentWindow)
    }

    private func abandon() {
        guard continuation != nil, message == nil else { return }
        dialog.close()
        let message = MessageDialog.interruption(
            asker.name.map {
                localized("The access of %@ to your photos has not changed.", $0)
            } ?? localized("The app’s access to your photos has not changed."))
        message.onAnswer { [weak self] _ in self?.finish("undecided") }
        self.message = message
        message.present(title: localized("Photos"), parent: request.parentWindow)
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
        (message ?? dialog).close()
    }
}
