// SPDX-License-Identifier: MIT

import Logging
import PortalInterface
import SDBus

/// Why a backend did not ask the person.
enum BackendFailure {
    /// What the app is told of an error of the backend, or of the bus on the way to it.
    static func message(_ error: DBusError) -> String {
        switch error.name {
        case .portalFailed where !error.message.isEmpty: oneLine(error.message)
        case .serviceUnknown, .nameHasNoOwner:
            "The program that shows the window is not installed"
        case .noReply, .disconnected: "The program that shows the window ended"
        case let name where name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
            "The program that shows the window cannot be started"
        default: "The program that shows the window failed"
        }
    }

    /// The backend's own words, as far as they fit on a line of a terminal.
    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(256).map {
                    $0.properties.generalCategory == .control ? " " : $0
                }))
    }
}

extension OpenRequest {
    /// Logs why a backend gave no valid answer, and has the app told.
    ///
    /// A call that was cancelled because the request was closed is no failure.
    func noteFailure(ofBackend error: any Error) {
        if let garbage = error as? BackendAnswer.Garbage {
            logger.error("The reply of the backend is not valid.", metadata: ["what": "\(garbage)"])
            problem = "The program that shows the window sent a wrong reply"
        } else if !Task.isCancelled {
            logger.error("The backend failed.", metadata: ["error": "\(error)"])
            problem = (error as? DBusError).map(BackendFailure.message)
        }
    }
}
