// SPDX-License-Identifier: MIT

/// How closely a thumbnail must match the picture in the file.
package enum Fidelity: UInt8, Hashable, Sendable {
    /// Good enough to look at: an embedded preview may be used.
    case fast
    /// Made from the full picture. For a camera's raw file, whose sensor data is not decoded, this
    /// is the embedded preview.
    case exact
}
