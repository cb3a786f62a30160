// SPDX-License-Identifier: MIT

/// How an app made the current version of a photo from its original.
///
/// Only an app that knows the format can read it, to show the same settings when the person goes on
/// editing.
package struct AdjustmentData: Hashable, Sendable {
    /// The most bytes of ``data``.
    package static let mostBytes = 32_768

    /// The format of ``data``, usually the reversed name of the app's domain: `org.example.Editor`.
    package let format: String
    /// The version of that format.
    package let version: String
    package let data: [UInt8]

    package init(format: String, version: String, data: [UInt8]) {
        self.format = format
        self.version = version
        self.data = data
    }
}

/// Which file of a photo is meant.
package enum AssetVersion: String, CaseIterable, Hashable, Sendable {
    /// The adjusted version if there is one, otherwise the original.
    case current
    case original
}
