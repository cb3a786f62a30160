// SPDX-License-Identifier: MIT

/// The version of Photo Portal.
package enum ProgramVersion {
    /// The version that every program prints.
    ///
    /// This line is the only place where it is written down; `scripts/version` reads it. The first
    /// entry of `debian/changelog` has to be about this version, or the package is not built.
    package static let current = "0.1.0"
}
