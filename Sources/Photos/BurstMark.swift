// SPDX-License-Identifier: MIT

/// What a camera writes into each picture of a burst.
package struct BurstMark: Hashable, Sendable {
    /// The same in all pictures of the burst.
    package let identifier: ContentIdentifier
    /// Whether the camera took this picture for the best one.
    package let isPrimary: Bool

    package init(_ identifier: ContentIdentifier, isPrimary: Bool = false) {
        self.identifier = identifier
        self.isPrimary = isPrimary
    }
}
