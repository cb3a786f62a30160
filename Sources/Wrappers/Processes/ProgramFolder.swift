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

    /// A program that people do not start: beside this one, or in `libexec` beside its folder.
    package static func helper(_ name: String) -> FilePath {
        let sibling = sibling(name)
        guard (try? sibling.stat()) == nil else { return sibling }
        return current.removingLastComponent().appending("libexec").appending(name)
    }

    /// Where translations are installed: `share/locale` beside the folder of programs.
    ///
    /// Programs lie in `PREFIX/bin` or `PREFIX/libexec`.
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
