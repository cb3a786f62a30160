// SPDX-License-Identifier: MIT

/// Which of the files of a photo is opened.
package struct ResourceChoice: Hashable, Sendable {
    package var role: ResourceRole
    /// For ``ResourceRole/burst``, the place of the picture among all of the burst in the order in which they
    /// were taken, from 0 on; has no meaning for the other roles.
    package var index: Int

    package init(_ role: ResourceRole, index: Int = 0) {
        self.role = role
        self.index = index
    }

    package static let primary = ResourceChoice(.primary)
}
