// SPDX-License-Identifier: MIT

internal import CSystemd

/// The state that a service reports to the service manager that started it.
///
/// Without a manager (no `NOTIFY_SOCKET`) the calls have no effect.
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
