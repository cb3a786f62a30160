// SPDX-License-Identifier: MIT

import Glibc
import PortalInterface
import SDBus
import Settings

/// The installed backends of xdg-desktop-portal that show file dialogs.
enum FileBackends {
    /// The bus names of the backends, best first: the configured one, then those of the desktop that
    /// is running, then the others by name.
    static func names(preferring configured: String) -> [BusName] {
        let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").lowercased()
            .split(separator: ":").map(String.init)
        let found = PortalBackend.all(offering: FileChooserInterface.interface.name.rawValue)
        let ofDesktop = found.filter { $0.desktops.contains(where: desktops.contains) }
        var seen: Set<BusName> = [PickerBackendInterface.defaultBusName]
        // Reported already if it is no bus name.
        return ([configured] + (ofDesktop + found).map(\.busName)).compactMap { BusName($0) }
            .filter { seen.insert($0).inserted }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
