// SPDX-License-Identifier: MIT

internal import CSystemd

/// What a service tells the service manager that started it.
///
/// Without a manager (no `NOTIFY_SOCKET`) every call does nothing.
///
/// - Source: sd_notify(3).
package enum ServiceState {
    case ready
    case stopping

    /// Sends the state.
    package func notify() {
        switch self {
        case .ready: sd_notify(0, "READY=1")
        case .stopping: sd_notify(0, "STOPPING=1")
        }
    }
}
