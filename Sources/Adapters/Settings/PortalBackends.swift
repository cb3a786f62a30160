// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Glibc
package import SystemPackage

/// An installed backend of xdg-desktop-portal.
package struct PortalBackend: Hashable, Sendable {
    /// The name that it has on the session bus, which may be no bus name.
    package let busName: String
    /// The desktops that it is made for, in lower case.
    package let desktops: [String]

    /// The backends that offer an interface, folder by folder and by the names of their files.
    ///
    /// A file that cannot be read, or is none of a backend, is left out.
    package static func all(
        offering interface: String, in folders: [FilePath] = Self.folders
    ) -> [PortalBackend] {
        folders.flatMap { backends(in: $0, offering: interface) }
    }

    /// Where xdg-desktop-portal looks for backends.
    ///
    /// - Source: portals.conf(5); it reads only one folder if the variable is set.
    package static var folders: [FilePath] {
        if let folder = getenv("XDG_DESKTOP_PORTAL_DIR").map({ String(cString: $0) }),
            !folder.isEmpty
        {
            return [FilePath(folder)]
        }
        return UserFolders.allData.map { $0.appending("xdg-desktop-portal").appending("portals") }
    }

    private static func backends(
        in folder: FilePath, offering interface: String
    ) -> [PortalBackend] {
        // A folder that cannot be read has nothing to offer, nor has a file.
        let names = (try? Directory.entries(of: folder).map(\.name)) ?? []
        return names.filter { $0.extension == "portal" }.sorted { $0.string < $1.string }
            .compactMap { name in
                guard
                    let text = try? Descriptor.openForReading(folder.appending(name))
                        .read(upTo: 1 << 16),
                    let file = try? KeyFile(text),
                    let interfaces = file["portal", "Interfaces"],
                    interfaces.split(separator: ";").contains(where: { $0 == interface }),
                    let busName = file["portal", "DBusName"]
                else { return nil }
                let desktops = file["portal", "UseIn"] ?? ""
                return PortalBackend(
                    busName: busName,
                    desktops: desktops.split(separator: ";").map { $0.lowercased() })
            }
    }
}
