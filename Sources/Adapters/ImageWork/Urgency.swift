// SPDX-License-Identifier: MIT

import Synchronization

/// The priority of a group of jobs, which may rise while they wait.
package final class Urgency: Sendable {
    private let current: Mutex<DecoderPool.Priority>

    package init(_ priority: DecoderPool.Priority) {
        current = Mutex(priority)
    }

    package var priority: DecoderPool.Priority { current.withLock { $0 } }

    /// Raises the priority to visible; false if it already was.
    func raise() -> Bool {
        current.withLock { current in
            defer { current = .visible }
            return current != .visible
        }
    }
}
