// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
package import Photos
import Synchronization
package import SystemPackage

/// How the person wants to see photos, kept from one window to the next.
package final class GridMemory: Sendable {
    private let file: FilePath
    private let logger = Logger(label: "grid-memory")
    private let state: Mutex<GridStyle>

    /// The largest file that is read.
    private static let largestFile = 1 << 16
    private static let group = "Grid"

    /// Reads what was kept; without it, or if it makes no sense, photos have the usual size.
    ///
    /// Blocks while a small file is read.
    package init(
        file: FilePath = UserFolders.state.appending("photo-portal").appending("window.conf")
    ) {
        self.file = file
        let bytes = try? Descriptor.openForReading(file).read(upTo: Self.largestFile)
        state = Mutex(Self.style(in: bytes ?? []))
    }

    package var style: GridStyle { state.withLock { $0 } }

    /// Keeps a style; if the disk has no room, for this process only.
    ///
    /// Blocks while the file is written.
    func keep(_ style: GridStyle) {
        state.withLock { $0 = style }
        var text = "[\(Self.group)]\nZoom=\(style.step)\n"
        if let isSquare = style.isSquare { text += "Squares=\(isSquare)\n" }
        do {
            try Directory.make(file.removingLastComponent())
            try Array(text.utf8).withUnsafeBytes { try AtomicFile.write($0, to: file) }
        } catch {
            logger.warning("The size of the photos cannot be kept: \(error)")
        }
    }

    private static func style(in bytes: [UInt8]) -> GridStyle {
        guard let keys = try? KeyFile.readingLeniently(bytes).0 else { return GridStyle() }
        var values: [String: String] = [:]
        for line in keys.entries where line.group == group { values[line.key] = line.value }
        return GridStyle(
            step: values["Zoom"].flatMap { Int($0) } ?? GridStyle().step,
            isSquare: values["Squares"].flatMap { Bool($0) })
    }
}
