// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import SDBus

@Suite struct ReceivedBytesTests {
    @Test func `what is read from a socket is counted, and nothing else`() {
        var sockets: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { for socket in sockets { close(socket) } }
        var count = ReceivedBytes(of: sockets[0])
        var bytes = [UInt8](repeating: 7, count: 4096)
        #expect(write(sockets[1], bytes, 4096) == 4096)
        #expect(count.take() == 0)
        for part in [16, 1000, 3080] {
            #expect(read(sockets[0], &bytes, part) == part)
            #expect(count.take() == part)
        }
        #expect(count.take() == 0)
        #expect(write(sockets[0], bytes, 100) == 100)
        #expect(count.take() == 0)
    }

    @Test func `of anything but a socket nothing is counted`() {
        var pipes: [CInt] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        defer { for pipe in pipes { close(pipe) } }
        var count = ReceivedBytes(of: pipes[0])
        #expect(count.take() == 0)
    }
}
