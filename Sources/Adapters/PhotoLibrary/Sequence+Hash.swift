// SPDX-License-Identifier: MIT

extension Sequence<UInt8> {
    /// A number that almost certainly changes with the bytes, and is the same in every process.
    ///
    /// - Source: FNV-1a, 64 bits.
    var hash: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
