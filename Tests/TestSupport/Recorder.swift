// SPDX-License-Identifier: MIT

import Synchronization

/// Records events from any thread.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    /// The events so far, in order.
    package var all: [Element] { elements.withLock { $0 } }
    package var count: Int { elements.withLock { $0.count } }

    package func note(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
