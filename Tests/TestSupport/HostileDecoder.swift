// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The decoder that lies: see `Tests/hostile-decoder`.
package enum HostileDecoder {
    /// The path of a program that tells one lie.
    ///
    /// The program finds out by its name which one, because decoders get no arguments.
    package static func program(_ lie: String, in home: TestHome) throws -> FilePath {
        let path = home.scratch.appending(lie)
        let program = Programs.path("hostile-decoder")
        guard path.withPlatformString({ symlink(program, $0) }) == 0 || errno == EEXIST else {
            throw Errno(rawValue: errno)
        }
        return path
    }
}
