// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The folder that this program was started from.
package enum ProgramFolder {
    /// A program that is installed beside this one.
    ///
    /// - Source: proc(5), `/proc/self/exe`.
    package static func sibling(_ name: String) -> FilePath {
        current.appending(name)
    }

    /// A program that people do not start themselves, beside this one or in `PREFIX/libexec`.
    package static func helper(_ name: String) -> FilePath {
        let sibling = sibling(name)
        // If the program is not here, for whatever reason, it must be there.
        guard (try? sibling.stat()) == nil else { return sibling }
        return current.removingLastComponent().appending("libexec").appending(name)
    }

    /// The folder of translations: `share/locale` beside the folder of programs.
    ///
    /// Programs are in `PREFIX/bin` or `PREFIX/libexec`.
    package static var localeFolder: FilePath {
        current.removingLastComponent().appending("share").appending("locale")
    }

    private static var current: FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "/" }
        return FilePath(platformString: buffer).removingLastComponent()
    }
}
