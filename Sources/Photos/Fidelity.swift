// SPDX-License-Identifier: MIT

/// How near a picture must be to what its file holds.
package enum Fidelity: UInt8, Hashable, Sendable {
    /// As good as it looks: a preview inside the file may stand for it.
    case fast
    /// Made from all of the file's pixels.
    case exact
}
