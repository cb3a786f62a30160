// SPDX-License-Identifier: MIT

import Files
import Foundation
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
        let path = home.scratch.appending(name)
        try bytes.withUnsafeBytes { (bytes) throws in try AtomicFile.write(bytes, to: path) }
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
        let path = home.scratch.appending("result")
        try bytes.withUnsafeBytes { (bytes) throws in try AtomicFile.write(bytes, to: path) }
        let output = try ExifTool.run(
            ["-j", "-n"] + (kinds.isEmpty ? ["-EXIF:all"] : kinds) + [path.string])
        let list =
            try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return (list?.first ?? [:]).mapValues { "\($0)" }.filter { $0.key != "SourceFile" }
    }
}
