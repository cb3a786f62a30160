// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// Reading symbolic links.
package enum SymbolicLink {
    /// What a link refers to, as it is written there.
    ///
    /// - Throws: `Errno` of readlink(2).
    package static func target(of path: FilePath) throws(Errno) -> FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
        guard count >= 0 else { throw Errno(rawValue: errno) }
        return FilePath(platformString: buffer)
    }
}
