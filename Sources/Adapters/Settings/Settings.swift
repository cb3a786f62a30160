// SPDX-License-Identifier: MIT

package import SystemPackage

/// What can be configured; see photo-portal.conf(5).
package struct Settings: Hashable, Sendable {
    /// More folders for pictures, beside those of the desktop.
    package var pictureFolders: [FilePath] = []
    /// More folders where pictures turn up among other things.
    package var otherFolders: [FilePath] = []
    package var excludedFolders: Set<FilePath> = []
    /// The bus name of the program that shows the picker's window.
    package var pickerBackend = "org.freedesktop.impl.portal.desktop.photoportal"
    /// The bus name of the program that shows ordinary file dialogs.
    package var fileChooser = "org.freedesktop.impl.portal.desktop.gtk"
    /// Whether to make thumbnails for other programs, when nobody else does.
    package var servesThumbnails = true
    /// Live requests of one caller.
    package var requestsPerCaller = 8
    /// Live requests of all callers.
    package var requests = 64
    /// Apps that may not use the library, whatever the person says; `*` for all.
    package var restrictedApps: Set<String> = []

    package init() {}

    /// Whether policy keeps an app from the library.
    package func isRestricted(_ appID: String) -> Bool {
        restrictedApps.contains("*") || restrictedApps.contains(appID)
    }
}

/// Something in a file that is not understood; the default is used in its place.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    package let file: FilePath
    /// From 1; 0 for the file as a whole.
    package let line: Int
    package let message: String

    package var description: String {
        line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)"
    }
}
