// SPDX-License-Identifier: MIT

internal import CGLib
package import SystemPackage

/// The desktop's trash, from which a person can restore files.
package enum Trash {
    /// Why a file could not be moved to the trash.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
        /// Whether there is no such file any more.
        package let isMissing: Bool
    }

    /// Moves a file to the trash of its file system; a link itself, not what it leads to.
    ///
    /// A file system without a trash is an error; nothing is ever deleted for good.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    /// - Source: g_file_trash(); Trash specification of freedesktop.org.
    package static func move(_ path: FilePath) throws(Failure) {
        let file = path.withPlatformString { g_file_new_for_path($0) }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        var error: UnsafeMutablePointer<GError>?
        guard g_file_trash(file, nil, &error) == 0 else { return }
        defer { g_clear_error(&error) }
        let isMissing = g_error_matches(
            error, g_io_error_quark(), CInt(G_IO_ERROR_NOT_FOUND.rawValue))
        throw Failure(
            description: error.map { String(cString: $0.pointee.message) } ?? "unknown error",
            isMissing: isMissing != 0)
    }
}
