// SPDX-License-Identifier: MIT

internal import CGtk

/// A window with a question and a few answers.
@UIActor
package final class MessageDialog: Widget {
    /// How an answer looks.
    package enum Appearance: Sendable {
        case plain, suggested, destructive
    }

    /// Makes a question.
    package init(heading: String, body: String) {
        guard let dialog = adw_message_dialog_new(nil, heading, body) else {
            preconditionFailure("no message dialog")
        }
        super.init(sinking: UnsafeMutableRawPointer(dialog))
    }

    /// The dialog as a window.
    package var window: Window { Window(borrowing: raw) }

    /// Adds an answer; the first one stands first.
    ///
    /// - Parameter id: What ``onAnswer(_:)`` gets.
    package func add(_ id: String, _ label: String, _ appearance: Appearance = .plain) {
        adw_message_dialog_add_response(pointer(), id, label)
        let look =
            switch appearance {
            case .plain: ADW_RESPONSE_DEFAULT
            case .suggested: ADW_RESPONSE_SUGGESTED
            case .destructive: ADW_RESPONSE_DESTRUCTIVE
            }
        adw_message_dialog_set_response_appearance(pointer(), id, look)
    }

    /// What Escape and the window's own button answer.
    package func setCloseAnswer(_ id: String) {
        adw_message_dialog_set_close_response(pointer(), id)
    }

    /// A widget between the text and the answers.
    package func setExtraChild(_ child: Widget) {
        adw_message_dialog_set_extra_child(pointer(), child.widget)
    }

    /// Calls `handler` with the answer; the window is gone then.
    package func onAnswer(_ handler: @escaping @UIActor (String) -> Void) {
        connectText("response", handler)
    }
}
