// SPDX-License-Identifier: MIT

import Desktop
import FoundationEssentials
import Photos
import PortalInterface
import SystemPackage

/// Writes results on standard output.
struct Output {
    let format: PortalPick.Format

    /// Writes one result per line, or ended by a zero byte, or all of them as JSON.
    ///
    /// - Throws: `Errno` when standard output is closed or full.
    func write(_ delivery: Delivery) throws {
        switch format {
        case .uri: try write(delivery.items.flatMap { $0.uri.utf8 + [newline] })
        case .path: try write(delivery.items.flatMap { path($0) + [newline] })
        case .null: try write(delivery.items.flatMap { path($0) + [0] })
        case .json: try write(json(delivery) + [newline])
        }
    }

    private let newline = UInt8(ascii: "\n")

    init(format: PortalPick.Format) {
        self.format = format
    }

    private func write(_ bytes: [UInt8]) throws {
        try FileDescriptor.standardOutput.writeAll(bytes)
    }

    /// The path's own bytes, which need not be UTF-8; the URI itself where it has no path.
    private func path(_ item: Delivery.Item) -> [UInt8] {
        guard let path = FileURI.path(item.uri) else { return Array(item.uri.utf8) }
        return path.withPlatformString { pointer in
            Array(
                UnsafeBufferPointer(start: pointer, count: path.length).map(UInt8.init(bitPattern:))
            )
        }
    }

    private func json(_ delivery: Delivery) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(delivery.items.map(JSONItem.init)))
    }
}

/// An item as JSON: the keys of the bus, and the path.
private struct JSONItem: Encodable {
    let id: String
    let uri: String
    let path: String?
    let media_type: String
    let name: String
    let width: Int?
    let height: Int?
    let size: UInt64
    let taken: Int64?
    let modified: Int64
    let source: String

    init(_ item: Delivery.Item) {
        id = item.id
        uri = item.uri
        path = FileURI.path(item.uri)?.string
        media_type = item.mediaType.rawValue
        name = item.name
        width = item.size?.width
        height = item.size?.height
        size = item.byteCount
        taken = item.taken
        modified = item.modified
        source = item.source.rawValue
    }
}
