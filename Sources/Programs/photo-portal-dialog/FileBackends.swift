// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage

/// The installed backends of xdg-desktop-portal that show file dialogs.
enum FileBackends {
    /// The bus names of the backends, best first: the configured one, then those of the desktop that
    /// is running, then the others by name.
    static func names(preferring configured: String) -> [BusName] {
        let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":")
        let found = folders.flatMap(backends(in:))
        let ofDesktop = found.filter { backend in
            backend.desktops.contains { desktops.contains($0.lowercased()[...]) }
        }
        var seen: Set<BusName> = [PickerBackendInterface.defaultBusName]
        // Reported already if it is no bus name.
        return ([BusName(configured)].compactMap(\.self) + (ofDesktop + found).map(\.name))
            .filter { seen.insert($0).inserted }
    }

    private struct Backend {
        let name: BusName
        /// The desktops that it is made for.
        let desktops: [String]
    }

    /// - Source: portals.conf(5); xdg-desktop-portal reads only this folder if the variable is set.
    private static var folders: [FilePath] {
        if let folder = environment("XDG_DESKTOP_PORTAL_DIR") { return [FilePath(folder)] }
        return UserFolders.allData.map { $0.appending("xdg-desktop-portal").appending("portals") }
    }

    private static func backends(in folder: FilePath) -> [Backend] {
        // A folder that cannot be read has nothing to offer, nor has a file.
        let names = (try? Directory.entries(of: folder).map(\.name)) ?? []
        return names.filter { $0.extension == "portal" }.sorted { $0.string < $1.string }
            .compactMap { name in
                guard
                    let text = try? Descriptor.openForReading(folder.appending(name))
                        .read(upTo: 1 << 16),
                    let file = try? KeyFile(text),
                    let interfaces = file["portal", "Interfaces"],
                    interfaces.split(separator: ";")
                        .contains(where: { $0 == FileChooserInterface.interface.name.rawValue }),
                    let busName = file["portal", "DBusName"].flatMap({ BusName($0) })
                else { return nil }
                let desktops = file["portal", "UseIn"] ?? ""
                return Backend(
                    name: busName, desktops: desktops.split(separator: ";").map(String.init))
            }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
