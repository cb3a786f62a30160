// SPDX-License-Identifier: MIT

import Desktop
import GtkKit

extension MessageDialog {
    /// Tells the person that the program that asked for us has ended, and with it the request.
    ///
    /// - Parameter consequence: What that means for the app, as a sentence.
    static func interruption(_ consequence: String) -> MessageDialog {
        let dialog = MessageDialog(
            heading: localized("The request was interrupted"),
            body: localized("A background service has stopped unexpectedly.") + " " + consequence
                + "\n" + localized("To try again, close this window and start over in the app."))
        dialog.add("close", localized("Close"))
        dialog.setCloseAnswer("close")
        return dialog
    }
}
