// SPDX-License-Identifier: MIT

import Desktop
import FoundationEssentials
import PortalInterface
import SDBus
import SystemPackage

/// Writes results on standard output.
struct Output {
    let format: PortalPick.Format

    /// Writes one result per line, with a zero byte after each, or all of them as JSON.
    ///
    /// - Throws: ``StandardOutput/Failure``.
    func write(_ delivery: Delivery, _ results: Vardict) throws {
        switch format {
        case .uri: try write(delivery.items.flatMap { $0.uri.utf8 + [newline] })
        case .path: try write(delivery.items.flatMap { path($0) + [newline] })
        case .null: try write(delivery.items.flatMap { path($0) + [0] })
        case .json: try write(results)
        }
    }

    /// Writes all results as JSON.
    ///
    /// - Throws: ``StandardOutput/Failure``.
    func write(_ results: Vardict) throws { try write(json(results) + [newline]) }

    /// Writes a choice that is not final as JSON in one line.
    ///
    /// - Throws: ``StandardOutput/Failure``.
    static func writeChoice(_ selection: Vardict) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try StandardOutput.write([UInt8](encoder.encode(selection)) + [UInt8(ascii: "\n")])
    }

    private let newline = UInt8(ascii: "\n")

    init(format: PortalPick.Format) {
        self.format = format
    }

    private func write(_ bytes: [UInt8]) throws {
        try StandardOutput.write(bytes)
    }

    /// The bytes of the path, which need not be UTF-8; the URI itself if it has no path.
    private func path(_ item: Delivery.Item) -> [UInt8] {
        FileURI.path(item.uri)?.bytes ?? Array(item.uri.utf8)
    }

    /// Encodes all results of the service, and adds the path to each item.
    private func json(_ results: Vardict) throws -> [UInt8] {
        var results = results
        let items = results.value("items", as: [Vardict].self) ?? []
        results["items"] = items.map(withPath).variant
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(results))
    }

    private func withPath(_ item: Vardict) -> Vardict {
        var item = item
        let uri = item.value("uri", as: String.self)
        item["path"] = uri.flatMap { FileURI.path($0) }?.string.variant
        return item
    }
}

/// The standard output stream.
enum StandardOutput {
    /// The stream is closed or full.
    struct Failure: Error {
        let reason: Errno

        var text: String { "the result cannot be written: \(reason)" }
    }

    static func write(_ bytes: [UInt8]) throws(Failure) {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch {
            throw Failure(reason: error as? Errno ?? .ioError)
        }
    }

    /// Writes a path in a line of its own.
    static func write(_ path: FilePath) throws(Failure) {
        try write(path.bytes + [UInt8(ascii: "\n")])
    }
}
