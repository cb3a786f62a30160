// SPDX-License-Identifier: MIT

/// What an entry of the cache says of its bytes, in front of them.
///
/// Lines of text, and an empty one: a version, the URI, the time, the lifetime, the validators and the
/// digest.
struct CacheRecord: Hashable {
    /// The longest record in bytes.
    static let mostBytes = 8192
    private static let version = "photo-portal-web 1"

    let uri: String
    let freshness: Freshness
    /// When it was known to be true, in seconds since 1970.
    let stored: Int64
    /// The SHA-256 of the bytes, as hexadecimal digits.
    let digest: String

    var bytes: [UInt8] {
        let lines = [
            Self.version, uri, "\(stored)", "\(freshness.lifetime)", freshness.entityTag ?? "",
            freshness.lastModified ?? "", digest, "",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Reads an entry; nil unless it has such a record.
    static func split(_ entry: [UInt8]) -> (record: CacheRecord, body: ArraySlice<UInt8>)? {
        var rest = entry[...]
        var lines: [String] = []
        for _ in 0..<8 {
            guard let end = rest.prefix(mostBytes).firstIndex(of: UInt8(ascii: "\n")),
                let line = String(validating: rest[..<end], as: UTF8.self)
            else { return nil }
            lines.append(line)
            rest = rest[(end + 1)...]
        }
        guard lines[0] == version, lines[7].isEmpty, let stored = Int64(lines[2]), stored >= 0,
            let lifetime = UInt32(lines[3]), lifetime <= Freshness.longestLifetime, !rest.isEmpty
        else { return nil }
        var freshness = Freshness()
        freshness.lifetime = lifetime
        freshness.entityTag = Freshness.validator(lines[4])
        freshness.lastModified = Freshness.validator(lines[5])
        let record = CacheRecord(
            uri: lines[1], freshness: freshness, stored: stored, digest: lines[6])
        return (record, rest)
    }
}
