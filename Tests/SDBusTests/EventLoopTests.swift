// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import SDBus

/// The thread that runs the event loop of a program.
@Suite(.serialized) struct EventLoopTests {
    @Test func `an event loop that fails ends the program, and says so`() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) {
            let before = Set(EventLoopTests.descriptors())
            let loop = EventLoopThread(name: "broken")
            let own = EventLoopTests.descriptors().filter { !before.contains($0) }
            let null = open("/dev/null", O_RDWR)
            for file in own where file.kind == "anon_inode:[eventpoll]" {
                dup2(null, file.number)
            }
            // The loop waits for something that no longer exists; this wakes it.
            for file in own where file.kind == "anon_inode:[eventfd]" {
                var one: UInt64 = 1
                write(file.number, &one, 8)
            }
            sleep(60)
            withExtendedLifetime(loop) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("event loop"), "\(text)")
    }

    private struct OpenFile: Hashable {
        let number: CInt
        let kind: String
    }

    private static func descriptors() -> [OpenFile] {
        (0..<256).compactMap { number in
            let path = FilePath("/proc/self/fd/\(number)")
            return (try? SymbolicLink.target(of: path)).map {
                OpenFile(number: CInt(number), kind: $0.string)
            }
        }
    }
}
