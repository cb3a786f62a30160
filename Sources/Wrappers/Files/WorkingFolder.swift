// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The folder that relative paths start from.
package enum WorkingFolder {
    /// Nil if it was deleted or its path is unknown.
    ///
    /// - Source: getcwd(3).
    package static var path: FilePath? {
        guard let name = getcwd(nil, 0) else { return nil }
        defer { free(name) }
        return FilePath(platformString: name)
    }
}
