// SPDX-License-Identifier: MIT

/// How near a picture must be to what its file holds.
package enum Fidelity: UInt8, Hashable, Sendable {
    /// As good as it looks: a preview inside the file may stand for it.
    case fast
    /// Made from all of the file's pixels, as far as they are decoded at all: of a camera's raw
    /// file it is still its preview.
    case exact
}
