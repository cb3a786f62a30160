// SPDX-License-Identifier: MIT

import Glibc

/// Counts the bytes that are read from a socket, whoever reads them.
///
/// libsystemd does not say how large a message is, and finds out whether a string is valid before it
/// tells how long it is. It reads one message after the other, so what was read between two messages
/// is the size of the second one.
///
/// - Source: socket(7), `SO_PEEK_OFF`: the offset “will be decremented by the number of bytes removed
///   from the queue”. Nobody peeks at our sockets.
struct ReceivedBytes {
    private static let start = CInt.max

    private let socket: CInt
    /// The offset at the last count; nil if the socket has none.
    private var offset: CInt?

    /// Begins to count.
    ///
    /// - Parameter socket: A socket of the domain `AF_UNIX`; borrowed.
    init(of socket: CInt) {
        self.socket = socket
        begin()
    }

    /// The bytes that were read since the last call; 0 if that cannot be found out.
    mutating func take() -> Int {
        guard let before = offset else { return 0 }
        var now: CInt = -1
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_PEEK_OFF, &now, &length) == 0, now >= 0 else {
            offset = nil
            return 0
        }
        offset = now
        // Long before there is nothing left to count down from.
        if now < Self.start / 2 { begin() }
        return max(Int(before) - Int(now), 0)
    }

    private mutating func begin() {
        var start = Self.start
        let length = socklen_t(MemoryLayout<CInt>.size)
        let isSet = setsockopt(socket, SOL_SOCKET, SO_PEEK_OFF, &start, length) == 0
        offset = isSet ? start : nil
    }
}
