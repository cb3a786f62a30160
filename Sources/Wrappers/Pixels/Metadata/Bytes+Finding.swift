// SPDX-License-Identifier: MIT

internal import CCodecs
import Glibc

extension ArraySlice<UInt8> {
    /// The index of the next occurrence of a byte, starting at an index.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard indices.contains(start) else { return nil }
        return withUnsafeBytes { bytes in
            let rest = bytes[(start - startIndex)...]
            guard let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let found = memchr(base, CInt(byte), rest.count)
            else { return nil }
            return start + base.distance(to: found)
        }
    }

    /// The index of the next occurrence of some bytes, starting at an index.
    func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard indices.contains(start) else { return nil }
        return self[start...].withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress,
                let found = pp_find(base, bytes.count, pattern, pattern.count)
            else { return nil }
            return start + base.distance(to: found)
        }
    }
}
