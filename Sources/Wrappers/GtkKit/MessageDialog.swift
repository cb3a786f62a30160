// SPDX-License-Identifier: MIT

internal import CGtk

/// A window with a question and a few answers.
@UIActor
package final class MessageDialog: Widget {
    /// How an answer looks.
    package enum Appearance: Sendable {
        case plain, suggested, destructive
    }

    private var window: Window?
    private var inputDelay: InputDelay?

    /// Makes a question.
    package init(heading: String, body: String) {
        super.init(sinking: pp_question_new(heading, body))
    }

    /// Shows the question in a modal window of its own.
    ///
    /// - Parameters:
    ///   - title: What the desktop calls the window.
    ///   - parent: The parent window, in the form that ``Window/setParent(_:)`` accepts.
    package func present(title: String, parent: String) {
        guard let root = pp_question_window(widget) else { return }
        let window = Window(borrowing: UnsafeMutableRawPointer(root))
        window.title = title
        window.separateInput()
        window.isModal = true
        window.setParent(parent)
        inputDelay = InputDelay(of: window)
        self.window = window
        window.present()
    }

    /// Shows the question in front of one of our windows, which accepts no input meanwhile.
    package func present(over parent: Window) {
        let window: Window
        if let own = pp_question_attach(widget, parent.widget) {
            window = Window(borrowing: UnsafeMutableRawPointer(own))
            window.shareInput(with: parent)
        } else {
            window = parent
        }
        inputDelay = InputDelay(of: window)
        self.window = window
        pp_question_show(widget, parent.widget)
    }

    /// Closes the window.
    package func close() { pp_question_close(widget) }

    /// Appends an answer.
    ///
    /// - Parameter id: The value passed to the handler of ``onAnswer(_:)``.
    package func add(_ id: String, _ label: String, _ appearance: Appearance = .plain) {
        let look =
            switch appearance {
            case .plain: ADW_RESPONSE_DEFAULT
            case .suggested: ADW_RESPONSE_SUGGESTED
            case .destructive: ADW_RESPONSE_DESTRUCTIVE
            }
        pp_question_add(widget, id, label, look)
    }

    /// The answer that Escape and the window's close button give.
    package func setCloseAnswer(_ id: String) {
        pp_question_set_close_answer(widget, id)
    }

    /// A widget between the text and the answers.
    package func setExtraChild(_ child: Widget) {
        pp_question_set_extra_child(widget, child.widget)
    }

    /// Calls `handler` with the answer, after the window has closed.
    package func onAnswer(_ handler: @escaping @UIActor (String) -> Void) {
        connectText("response", handler)
    }
}
