// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Glibc
package import SystemPackage

/// The apps that Flatpak and snapd have installed for the person.
///
/// - Source: flatpak-installation(5); in each installation, the folder `app` has a folder for each app. An app
///   that Flatpak has run has a folder in `~/.var/app`, which stays when it is uninstalled without its data.
///   snapd mounts each snap in a folder below `/snap`, or below `/var/lib/snapd/snap`.
package struct SandboxedApps: Sendable {
    /// Where Flatpak installs apps for the person and for everybody.
    ///
    /// It makes these folders when they are needed.
    private let installations: [FilePath]
    /// Where else it does, perhaps on other disks.
    private let extraInstallations: [FilePath]
    private let snapFolders: [FilePath]
    /// The folder with the data of the apps that Flatpak has run.
    private let dataFolder: FilePath

    package init(
        installations: [FilePath], extraInstallations: [FilePath] = [],
        snapFolders: [FilePath] = [], dataFolder: FilePath
    ) {
        self.installations = installations
        self.extraInstallations = extraInstallations
        self.snapFolders = snapFolders
        self.dataFolder = dataFolder
    }

    /// The folders of this computer; variables of Flatpak's may name others.
    ///
    /// - Isolation: blocks as long as the file system with `/etc` does.
    package static func ofComputer() -> SandboxedApps {
        func folder(_ variable: String) -> FilePath? {
            getenv(variable).map { FilePath(platformString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        return SandboxedApps(
            installations: [
                folder("FLATPAK_USER_DIR") ?? UserFolders.data.appending("flatpak"),
                folder("FLATPAK_SYSTEM_DIR") ?? "/var/lib/flatpak",
            ],
            extraInstallations: extraInstallations(
                in: (folder("FLATPAK_CONFIG_DIR") ?? "/etc/flatpak").appending("installations.d")),
            snapFolders: ["/snap", "/var/lib/snapd/snap"],
            dataFolder: UserFolders.home.appending(".var/app"))
    }

    /// Whether there is anything of Flatpak or snapd.
    ///
    /// - Isolation: blocks as long as the file systems do.
    var areUsed: Bool { ([dataFolder] + changingFolders).contains { Self.isFolder($0) } }

    /// The folders that change when an app is installed or uninstalled; they need not exist.
    var changingFolders: [FilePath] {
        (installations + extraInstallations).map { $0.appending("app") } + snapFolders
    }

    /// The ids of the installed apps, those of snaps with the prefix `snap.`.
    ///
    /// Nil if that is unknown, for example because the disk of an installation is away.
    ///
    /// - Isolation: blocks as long as the file systems do.
    var installed: Set<String>? {
        var ids: Set<String> = []
        do throws(Errno) {
            for folder in extraInstallations { _ = try Descriptor.openFolder(folder) }
            for folder in installations + extraInstallations {
                ids.formUnion(try Self.names(in: folder.appending("app")))
            }
            for folder in snapFolders {
                ids.formUnion(try Self.names(in: folder).map { "snap.\($0)" })
            }
            return ids
        } catch {
            return nil
        }
    }

    /// Whether an app that is not installed was so once, as far as the disk shows that.
    ///
    /// An app that is gone with its data leaves nothing, and a program outside any sandbox has no such data.
    ///
    /// - Isolation: blocks as long as the file systems do.
    func wasInstalled(_ id: String) -> Bool {
        if id.hasPrefix("snap.") { return snapFolders.contains { Self.isFolder($0) } }
        return FilePath.Component(id).map { Self.isFolder(dataFolder.appending($0)) } ?? false
    }

    private static func isFolder(_ path: FilePath) -> Bool {
        (try? Descriptor.openFolder(path)) != nil
    }

    /// The names in a folder; none if it does not exist.
    private static func names(in folder: FilePath) throws(Errno) -> [String] {
        do throws(Errno) {
            return try Directory.names(in: Descriptor.openFolder(folder)).map(\.string)
        } catch {
            guard [.noSuchFileOrDirectory, .notDirectory].contains(error) else { throw error }
            return []
        }
    }

    /// The largest file that is read.
    private static let largestFile = 1 << 16

    private static func extraInstallations(in folder: FilePath) -> [FilePath] {
        let names = (try? names(in: folder)) ?? []
        return names.sorted().filter { $0.hasSuffix(".conf") }.flatMap { name in
            guard
                let text = try? Descriptor.openForReading(folder.appending(name))
                    .read(upTo: largestFile),
                let (file, _) = try? KeyFile.readingLeniently(text)
            else { return [FilePath]() }
            return file.entries.filter {
                $0.group.hasPrefix("Installation ") && $0.key == "Path" && $0.value.hasPrefix("/")
            }.map { FilePath($0.value) }
        }
    }
}
