// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
package import Photos

/// Asks the person whether an app may use the photo library.
@UIActor
package enum ConsentWindow {
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
        let asker = Asker(app, request.appID)
        let answer = await QuestionWindow.run(
            question(request, asker, environment), parent: request.parentWindow, departure,
            interrupted: asker.name.map {
                localized("The access of %@ to your photos has not changed.", $0)
            } ?? localized("The app’s access to your photos has not changed."))
        return switch answer {
        case "denied": .decided(.denied)
        case "limited": .decided(.limited)
        case "authorized": .decided(.authorized)
        default: .undecided
        }
    }

    private static func question(
        _ request: AuthorizationRequest, _ asker: Asker, _ environment: PickerEnvironment
    ) -> MessageDialog {
        let dialog =
            request.isReminder
            ? MessageDialog(
                heading: reminder(asker, request.level), body: offer(request.level))
            : MessageDialog(
                heading: heading(asker, request.level), body: explanation(request.level))
        let content = Box(isVertical: true, spacing: 12)
        content.append(asker.icon(pixels: 64, environment.thumbnails))
        if let reason = request.reason { content.append(Label(quoting: reason)) }
        dialog.setExtraChild(content)
        dialog.add("denied", localized("Don’t Allow"))
        if request.level == .readWrite { dialog.add("limited", localized("Only Chosen Photos")) }
        dialog.add("authorized", localized("Allow"), .suggested)
        dialog.setCloseAnswer("undecided")
        return dialog
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

    private static func reminder(_ asker: Asker, _ level: AccessLevel) -> String {
        guard let name = asker.name else {
            return level == .add
                ? localized("An app cannot add to your photos")
                : localized("An app cannot use your photos")
        }
        return level == .add
            ? localized("“%@” cannot add to your photos", name)
            : localized("“%@” cannot use your photos", name)
    }

    private static func offer(_ level: AccessLevel) -> String {
        let access =
            switch level {
            case .add:
                localized("Even if you allow it now, the app will not be able to see your photos.")
            case .readWrite:
                localized("If you allow it now, the app can see and change all of your photos.")
            }
        return localized("You didn’t allow this earlier.") + "\n" + access
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
}

extension Label {
    /// The reason that an app gives; quoted, because these are its words and not ours.
    convenience init(quoting reason: String) {
        self.init(localized("“%@”", reason.printable))
        setWrapped()
    }
}
