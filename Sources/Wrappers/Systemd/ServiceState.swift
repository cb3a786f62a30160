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
    /// Work in progress needs this much longer than the manager would wait.
    case needing(seconds: UInt64)

    /// Sends the state.
    package func notify() {
        switch self {
        case .ready: sd_notify(0, "READY=1")
        case .stopping: sd_notify(0, "STOPPING=1")
        case .needing(let seconds):
            sd_notify(
                0,
                "EXTEND_TIMEOUT_USEC=\(seconds.multipliedReportingOverflow(by: 1_000_000).partialValue)"
            )
        }
    }
}
