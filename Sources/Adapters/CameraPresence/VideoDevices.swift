// SPDX-License-Identifier: MIT

import Files
package import SystemPackage

/// The kernel's video devices, as far as they can be cameras.
///
/// - Source: Linux, “Video for Linux API”, 1.1.1; udev(7), of which `v4l_id` says what a device can do.
package struct VideoDevices: Sendable {
    /// The folder in which the kernel lists them.
    private let devices: FilePath
    /// The folder in which udev keeps what it knows of each device.
    private let database: FilePath

    /// The most bytes of what udev knows of a device.
    private static let mostBytes = 64 << 10

    package init(
        devices: FilePath = "/sys/class/video4linux", database: FilePath = "/run/udev/data"
    ) {
        self.devices = devices
        self.database = database
    }

    /// Whether one of them captures pictures.
    ///
    /// Encoders and devices that only play are no cameras. Where udev does not run, as in a container, all
    /// devices count.
    ///
    /// - Isolation: any thread; reads files of the kernel, and opens no device.
    package var captures: Bool {
        guard let folder = try? Descriptor.openFolder(devices),
            let names = try? Directory.names(in: folder)
        else { return false }
        return names.contains { $0.string.hasPrefix("video") && captures($0) }
    }

    private func captures(_ name: FilePath.Component) -> Bool {
        let number = devices.appending(name).appending("dev")
        // A device may be unplugged meanwhile.
        guard let number = text(of: number)?.split(separator: "\n").first, !number.isEmpty,
            number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ":") })
        else { return false }
        let property = "E:ID_V4L_CAPABILITIES="
        guard let known = text(of: database.appending("c\(number)")),
            let line = known.split(separator: "\n").first(where: { $0.hasPrefix(property) })
        else { return true }
        return line.dropFirst(property.count).split(separator: ":").contains("capture")
    }

    private func text(of path: FilePath) -> String? {
        guard let file = try? Descriptor.openForReading(path),
            let bytes = try? file.read(upTo: Self.mostBytes)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
