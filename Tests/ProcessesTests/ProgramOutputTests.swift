// SPDX-License-Identifier: MIT

import Processes
import SystemPackage
import Testing

/// Small programs, well-behaved and not.
struct ProgramOutputTests {
    @Test func `the output of a program is returned`() throws {
        let printed = try run("printf 'a b'")
        #expect(String(decoding: printed, as: UTF8.self) == "a b")
    }

    @Test func `a program that fails gives an error`() {
        #expect(throws: Errno.ioError) { try run("echo before; exit 3") }
        #expect(throws: Errno.ioError) { try run("kill -SEGV $$") }
    }

    @Test func `a program that does not exist gives an error`() {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try ProgramOutput.capture("no-such-program", [], timeout: .seconds(5))
        }
    }

    @Test func `a program that prints endlessly is stopped`() {
        #expect(throws: Errno.messageTooLong) { try run("exec yes") }
    }

    @Test(arguments: ["exec sleep 1000", "echo some; exec >&-; exec sleep 1000"])
    func `a program that does not end is killed, whether its output is open or not`(
        script: String
    ) {
        let start = ContinuousClock.now
        #expect(throws: Errno.timedOut) { try run(script, timeout: .milliseconds(200)) }
        #expect(ContinuousClock.now - start < .seconds(100))
    }

    private func run(_ script: String, timeout: Duration = .seconds(20)) throws -> [UInt8] {
        try ProgramOutput.capture("sh", ["-c", script], timeout: timeout)
    }
}
