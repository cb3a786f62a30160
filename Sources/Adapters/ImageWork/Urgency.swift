// SPDX-License-Identifier: MIT

import Synchronization

/// How urgent the jobs of one thing are; it may become more urgent while they wait.
package final class Urgency: Sendable {
    private let current: Mutex<DecoderPool.Priority>

    package init(_ priority: DecoderPool.Priority) {
        current = Mutex(priority)
    }

    package var priority: DecoderPool.Priority { current.withLock { $0 } }

    /// Makes it a visible one; false when it is that already.
    func raise() -> Bool {
        current.withLock { current in
            defer { current = .visible }
            return current != .visible
        }
    }
}
