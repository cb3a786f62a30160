// SPDX-License-Identifier: MIT

internal import CGLib

/// Checksums used as names, not for security.
package enum Digest {
    /// The MD5 of some bytes, 16 bytes.
    ///
    /// - Source: g_checksum_update().
    package static func md5(_ parts: [UInt8]...) -> [UInt8] {
        guard let checksum = g_checksum_new(G_CHECKSUM_MD5) else { return [] }
        defer { g_checksum_free(checksum) }
        for part in parts { g_checksum_update(checksum, part, part.count) }
        return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            var length: gsize = 16
            g_checksum_get_digest(checksum, buffer.baseAddress, &length)
            count = Int(length)
        }
    }

    /// The MD5 of a text's UTF-8, as 32 hexadecimal digits.
    package static func md5Hex(_ text: String) -> String {
        guard let digest = g_compute_checksum_for_string(G_CHECKSUM_MD5, text, -1) else {
            return ""
        }
        defer { g_free(digest) }
        return String(cString: digest)
    }
}
