// SPDX-License-Identifier: MIT

import Files
import Foundation
import Pixels
import SystemPackage
import TestSupport

/// Photos whose metadata ExifTool writes and reads.
struct TaggedPhotos {
    private let home: TestHome

    init() throws { home = try TestHome() }

    /// A copy of a fixture that ExifTool changed.
    func copy(_ name: String, _ words: [String]) throws -> Descriptor {
        try file(try Fixtures.bytes(name), "\(FilePath(name).lastComponent ?? "photo")", words)
    }

    /// A file that ExifTool changed.
    func file(_ bytes: [UInt8], _ name: String, _ words: [String]) throws -> Descriptor {
        let path = try write(bytes, name)
        // Without this mark, IPTC texts are in Latin-1.
        let isIPTC = words.contains { $0.hasPrefix("-IPTC") }
        try ExifTool.run(
            ["-q", "-q", "-m", "-overwrite_original", "-n"] + words
                + (isIPTC ? ["-IPTC:CodedCharacterSet=UTF8"] : []) + [path.string])
        return try Descriptor.openForReading(path)
    }

    func tags(
        of bytes: [UInt8], _ kinds: String...
    ) throws -> [String: String] {
        let path = try write(bytes, "result")
        let output = try ExifTool.run(
            ["-j", "-n"] + (kinds.isEmpty ? ["-EXIF:all"] : kinds) + [path.string])
        let list =
            try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return (list?.first ?? [:]).mapValues { "\($0)" }.filter { $0.key != "SourceFile" }
    }

    /// The bytes of a tag.
    func binary(of file: Descriptor, _ tag: String) throws -> [UInt8] {
        let path = try write(try file.read(upTo: 1 << 20), "binary")
        return try ExifTool.run(["-b", tag, path.string])
    }

    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        let path = home.scratch.appending(name)
        try bytes.withUnsafeBytes { (bytes) throws in try AtomicFile.write(bytes, to: path) }
        return path
    }

    /// The file of which a decoder has changed parts.
    func applied(_ derived: DerivedPicture, to original: Descriptor) throws -> [UInt8] {
        guard let parts = derived.parts else { return derived.bytes }
        var result = try original.read(upTo: 1 << 20)
        var new = derived.bytes[...]
        for part in parts {
            result.replaceSubrange(part, with: new.prefix(part.count))
            new = new.dropFirst(part.count)
        }
        return result
    }
}
