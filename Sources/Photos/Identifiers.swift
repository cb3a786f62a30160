// SPDX-License-Identifier: MIT

/// The permanent id of a photo or video, which stays the same when its file is moved.
///
/// Written as 32 hexadecimal digits.
package struct AssetID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    package static let byteCount = 16

    /// Makes an id from 16 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        // A window reads a million of them: not one byte at a time.
        let halves =
            bytes.withContiguousStorageIfAvailable { Self.halves(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { Self.halves($0) }
        guard let halves else { return nil }
        (high, low) = halves
    }

    private static func halves(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
        guard bytes.count == byteCount else { return nil }
        return (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Makes an id from its halves.
    package init(_ high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first and the last 8 bytes.
    package var halves: (high: UInt64, low: UInt64) { (high, low) }

    /// Reads 32 lower-case hexadecimal digits; nil for anything else.
    package init?(_ text: String) {
        let digits = text.utf8
        let isHexadecimal = digits.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard digits.count == 32, isHexadecimal,
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package var description: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The id of an album: of a smart album, such as `all`, of a ``Moment``, derived from a folder, or of an album
/// that people and apps fill.
package struct AlbumID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Makes an id; nil if the text is empty, longer than 64 bytes, or contains others than
    /// `[a-z0-9-]`.
    package init?(_ rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    /// The album that opens if the app does not name one.
    package static let all = AlbumID(known: "all")

    /// No album has this id.
    package static let nowhere = AlbumID(known: "nowhere")

    /// How the ids of folders' albums begin; 16 hexadecimal digits follow.
    package static let folderPrefix = "folder-"

    /// How the ids of albums that people and apps fill begin; 32 hexadecimal digits follow.
    package static let userPrefix = "user-"
}
