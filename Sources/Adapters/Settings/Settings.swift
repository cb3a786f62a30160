// SPDX-License-Identifier: MIT

package import SystemPackage

/// What can be configured; see photo-portal.conf(5).
package struct Settings: Hashable, Sendable {
    /// More folders for pictures, in addition to those of the desktop.
    package var pictureFolders: [FilePath] = []
    /// More folders that hold pictures among other files; each is an album of its own.
    package var otherFolders: [FilePath] = []
    package var excludedFolders: Set<FilePath> = []
    /// The bus name of the program that shows the picker's window.
    package var pickerBackend = "org.freedesktop.impl.portal.desktop.photoportal"
    /// The bus name of the program that shows ordinary file dialogs.
    package var fileChooser = "org.freedesktop.impl.portal.desktop.gtk"
    /// Whether to make thumbnails for other programs when no other service does.
    package var servesThumbnails = true
    /// The most open requests of one caller.
    package var requestsPerCaller = 8
    /// The most open requests of all callers.
    package var requests = 64
    /// Apps that may not use the library even if the person agrees; `*` means all apps.
    package var restrictedApps: Set<String> = []

    package init() {}

    /// Whether an app may not use the library.
    package func isRestricted(_ appID: String) -> Bool {
        restrictedApps.contains("*") || restrictedApps.contains(appID)
    }
}

/// An error in a settings file.
///
/// The line has no effect; the rest of the file applies. If it may be one of the policy, all apps are
/// restricted.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    package let file: FilePath
    /// From 1; 0 for the file as a whole.
    package let line: Int
    package let message: String

    package var description: String {
        line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)"
    }
}
