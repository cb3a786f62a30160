// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The folder that relative paths begin in.
package enum WorkingFolder {
    /// Nil when it is gone or cannot be named.
    ///
    /// - Source: getcwd(3).
    package static var path: FilePath? {
        guard let name = getcwd(nil, 0) else { return nil }
        defer { free(name) }
        return FilePath(platformString: name)
    }
}
