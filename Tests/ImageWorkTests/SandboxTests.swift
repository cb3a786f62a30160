// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

/// The sandbox, tested from the inside.
@Suite struct SandboxTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `nothing but open descriptors can be used`() async throws {
        let forbidden = [
            "open", "create", "stat", "list", "unlink", "socket", "unix-socket", "connect",
            "kill-parent",
            "executable-memory", "much-memory",
        ]
        let (status, output) = try await probe(forbidden + ["read", "thread"])
        #expect(status == 0)
        let lines = output.split(separator: "\n").map(String.init)
        for name in forbidden {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
            #expect(line != "\(name) 0", "\(name) worked")
        }
        #expect(lines.contains("read 0"))
        // Some codecs need it.
        #expect(lines.contains("thread 0"))
    }

    @Test func `who fetches pictures can connect, and can use nothing else`() async throws {
        let forbidden = [
            "open", "create", "stat", "list", "unlink", "unix-socket", "connect", "datagram",
            "netlink", "listen", "kill-parent", "executable-memory", "much-memory",
        ]
        let (status, output) = try await probe(
            ["--network"] + forbidden
                + ["sctp", "multipath", "socket", "socket6", "tcp", "read"])
        #expect(status == 0)
        let lines = output.split(separator: "\n").map(String.init)
        for name in forbidden {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
            #expect(line != "\(name) 0", "\(name) worked")
        }
        for name in ["socket", "socket6", "tcp", "read"] { #expect(lines.contains("\(name) 0")) }
        // Not for want of the protocol, which would be another error.
        for name in ["sctp", "multipath"] { #expect(lines.contains("\(name) \(EPERM)")) }
    }

    @Test func `who has the cameras can wait for them, and can use nothing else`() async throws {
        let forbidden = [
            "open", "create", "stat", "list", "unlink", "unix-socket", "connect", "datagram",
            "netlink", "socket", "tcp", "kill-parent", "executable-memory",
            "much-memory",
        ]
        let (status, output) = try await probe(["--cameras"] + forbidden + ["read", "thread"])
        #expect(status == 0)
        let lines = output.split(separator: "\n").map(String.init)
        for name in forbidden {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
            #expect(line != "\(name) 0", "\(name) worked")
        }
        #expect(lines.contains("read 0"))
        #expect(lines.contains("thread 0"))
    }

    @Test func `who must load libraries first reads those of the system, and writes nothing`()
        async throws
    {
        let (status, output) = try await probe(["--files", "open", "create", "list", "thread"])
        #expect(status == 0)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.first == "open 0")
        #expect(lines.dropFirst().prefix(2) == ["create \(EACCES)", "list \(EACCES)"])
        #expect(lines.last == "thread 0")
    }

    /// These end the process, because a decoder that tries them has been compromised.
    @Test(arguments: ["execute", "spawn", "fork", "trace"])
    func `starting or tracing anything ends the decoder`(name: String) async throws {
        let (status, output) = try await probe([name])
        #expect(status == 128 + SIGSYS)
        #expect(output.isEmpty)
    }

    private func probe(_ names: [String]) async throws -> (Int32, String) {
        let child = try ChildProcess(
            Programs.path("sandbox-probe"), names, environment: home.environment,
            scratch: home.scratch)
        return (try await child.exitStatus(), child.outputText)
    }
}
