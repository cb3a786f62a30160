// SPDX-License-Identifier: MIT

internal import CGLib
import Glibc

extension String {
    /// A key for sorting file names in the person's language; numbers sort by value.
    ///
    /// - Source: g_utf8_collate_key_for_filename(); the language is that of setlocale(3).
    package var collationKey: [UInt8] {
        guard let key = g_utf8_collate_key_for_filename(self, -1) else { return Array(utf8) }
        defer { g_free(key) }
        return Array(UnsafeRawBufferPointer(start: key, count: strlen(key)))
    }
}
