// SPDX-License-Identifier: MIT

internal import Foundation

/// The name of a file without its extension, in its folder: what the files of one photo share.
struct FileStem: Hashable, Sendable {
    private static let dot = UInt8(ascii: ".")

    /// The row of the folder.
    let folder: Int64
    let bytes: Data

    /// Nil for a name without an extension.
    init?(of name: Data, in folder: Int64) {
        guard let end = name.lastIndex(of: Self.dot), end > name.startIndex else { return nil }
        self.folder = folder
        bytes = Data(name[..<end])
    }

    /// All names with this stem are among those from `first` up to `end`.
    var names: (first: Data, end: Data) {
        // The next character is the slash, which is part of no name.
        (bytes + [Self.dot], bytes + [Self.dot + 1])
    }
}
