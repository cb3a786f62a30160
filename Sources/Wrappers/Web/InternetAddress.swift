// SPDX-License-Identifier: MIT

import Glibc

/// The address of a machine, in version 4 or 6 of the protocol.
package struct InternetAddress: Hashable, Sendable {
    /// 4 or 16 bytes, the most significant one first.
    package let bytes: [UInt8]

    package init?(bytes: some Collection<UInt8>) {
        guard [4, 16].contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads an address such as `192.0.2.1` or `2001:db8::1`; nil for a name.
    ///
    /// - Source: inet_pton(3), which takes no abbreviated forms.
    package init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Whether the address is that of a machine that anybody can reach, and not of this one, of its
    /// network, or of many.
    ///
    /// An address of version 6 that stands for one of version 4 is what that one is.
    ///
    /// - Source: the special-purpose address registries of IANA; RFC 6890, RFC 6052, RFC 4291.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.special4.contains { $0.contains(bytes) } }
        if let embedded = embedded4 { return embedded.isPublic }
        // The rest is for links, private networks, groups, and purposes that are not known yet.
        let global = Block([0x20], bits: 3)
        return global.contains(bytes) && !Self.special6.contains { $0.contains(bytes) }
    }

    /// The address of version 4 to which a gateway or the kernel passes packets on.
    private var embedded4: InternetAddress? {
        let zeros = [UInt8](repeating: 0, count: 8)
        if Block(zeros + [0, 0, 0xff, 0xff], bits: 96).contains(bytes)
            || Block([0, 0x64, 0xff, 0x9b] + zeros, bits: 96).contains(bytes)
        {
            return InternetAddress(bytes: bytes[12...])
        }
        return Block([0x20, 0x02], bits: 16).contains(bytes)
            ? InternetAddress(bytes: bytes[2..<6]) : nil
    }

    /// The addresses that begin with the same bits.
    private struct Block {
        private let prefix: [UInt8]
        private let bits: Int

        init(_ prefix: [UInt8], bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let whole = bits / 8
            guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
            guard bits % 8 > 0, whole < bytes.count, whole < prefix.count else { return true }
            let mask = ~(UInt8.max >> (bits % 8))
            return bytes[whole] & mask == prefix[whole] & mask
        }
    }

    private static let special4 = [
        Block([0], bits: 8),  // this network
        Block([10], bits: 8), Block([172, 16], bits: 12), Block([192, 168], bits: 16),  // private
        Block([100, 64], bits: 10),  // of a provider
        Block([127], bits: 8),  // loopback
        Block([169, 254], bits: 16),  // link-local
        Block([192, 0, 0], bits: 24),  // of protocols
        Block([192, 0, 2], bits: 24), Block([198, 51, 100], bits: 24),
        Block([203, 0, 113], bits: 24),  // documentation
        Block([192, 88, 99], bits: 24),  // of relays that are gone
        Block([198, 18], bits: 15),  // benchmarks
        Block([224], bits: 4),  // multicast
        Block([240], bits: 4),  // reserved, and broadcast
    ]

    private static let special6 = [
        Block([0x20, 0x01, 0, 0], bits: 23),  // of protocols: Teredo, benchmarks, ORCHID
        // Documentation
        Block([0x20, 0x01, 0x0d, 0xb8], bits: 32), Block([0x3f, 0xff, 0], bits: 20),
    ]
}

extension InternetAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
