// SPDX-License-Identifier: MIT

internal import CGLib
package import SystemPackage

/// The folders of the person who runs this process.
///
/// - Source: XDG Base Directory Specification, xdg-user-dirs.
package enum UserFolders {
    package static var home: FilePath { path(g_get_home_dir()) ?? "/" }
    package static var data: FilePath { path(g_get_user_data_dir()) ?? home }
    /// The data folders of this user and of all users, most important first.
    package static var allData: [FilePath] { [data] + paths(g_get_system_data_dirs()) }
    /// The folder for files that may be deleted at the end of the session.
    package static var runtime: FilePath { path(g_get_user_runtime_dir()) ?? "/tmp" }
    package static var cache: FilePath { path(g_get_user_cache_dir()) ?? home }
    /// The folder for what programs remember from one run to the next.
    package static var state: FilePath { path(g_get_user_state_dir()) ?? home }
    package static var configuration: FilePath { path(g_get_user_config_dir()) ?? home }

    /// The folders with the settings for all users, most important first.
    package static var systemConfiguration: [FilePath] { paths(g_get_system_config_dirs()) }

    /// The folder for pictures: the configured one, or `~/Pictures`.
    ///
    /// It need not exist.
    package static var pictures: FilePath? { special(G_USER_DIRECTORY_PICTURES, "Pictures") }
    package static var videos: FilePath? { special(G_USER_DIRECTORY_VIDEOS, "Videos") }
    package static var downloads: FilePath? { special(G_USER_DIRECTORY_DOWNLOAD, "Downloads") }
    package static var desktop: FilePath? { special(G_USER_DIRECTORY_DESKTOP, "Desktop") }

    /// Nil if the person has disabled the folder by setting it to the home folder.
    private static func special(_ kind: GUserDirectory, _ fallback: String) -> FilePath? {
        let folder = path(g_get_user_special_dir(kind)) ?? home.appending(fallback)
        return folder == home ? nil : folder
    }

    private static func path(_ text: UnsafePointer<CChar>?) -> FilePath? {
        text.map { FilePath(platformString: $0) }
    }

    private static func paths(
        _ list: UnsafePointer<UnsafePointer<CChar>?>?
    ) -> [FilePath] {
        var paths: [FilePath] = []
        var next = list
        while let text = next?.pointee {
            paths.append(FilePath(platformString: text))
            next = next?.advanced(by: 1)
        }
        return paths
    }
}
