// SPDX-License-Identifier: MIT

/// The version of Photo Portal.
package enum ProgramVersion {
    /// The version that every program prints.
    ///
    /// The version is stored only on this line, which `scripts/version` reads. If the first entry
    /// of `debian/changelog` is about another version, the package is not built.
    package static let current = "0.1.0"
}
