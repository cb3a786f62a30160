// SPDX-License-Identifier: MIT

import Files
import Foundation
import Glibc
import SystemPackage
import TestSupport

/// A virtual display, for programs that show windows.
final class Screen: Sendable {
    let environment: [String: String]
    private let processes: [ChildProcess]

    init(_ home: TestHome) async throws {
        let number = home.scratch.appending("display")
        let server = try ChildProcess(
            "sh",
            [
                "-c",
                "exec Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp -noreset 3> \(number)",
            ],
            environment: home.environment, scratch: home.scratch)
        let text = try await eventually("display") {
            let text = (try? Descriptor.openForReading(number).read(upTo: 10))
                .map { String(decoding: $0, as: UTF8.self) }
            return text?.hasSuffix("\n") == true ? text?.dropLast() : nil
        }
        environment = ["DISPLAY": ":\(text)", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo"]
        let manager = try ChildProcess(
            "openbox", ["--sm-disable"],
            environment: home.environment.merging(environment) { $1 }, scratch: home.scratch)
        processes = [server, manager]
    }
}

/// Inspects windows as the dialog tests do; see scripts/person.
final class Viewer: Sendable {
    private let child: ChildProcess
    private let input: Descriptor
    private let answers = Recorder<Void>()

    init(_ session: Session, _ environment: [String: String]) throws {
        let fifo = session.home.scratch.appending("viewer")
        guard mkfifo(fifo.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        input = Descriptor(owning: try .open(fifo, .readWrite, options: .closeOnExec))
        child = try session.start(
            Programs.source.appending("scripts").appending("person").string,
            environment: environment, input: fifo)
    }

    /// Waits for an event, and runs the code that causes it.
    ///
    /// - Parameters:
    ///   - command: A command that replies when the event has happened.
    ///   - cause: Runs once the command is watching.
    /// - Returns: The milliseconds from the start of `cause` to the event.
    func time(_ command: String, from cause: () async throws -> Void) async throws -> Double {
        struct Answer: Decodable {
            let at: Double
        }
        let before = watchCount
        async let answer = self.do(command)
        try await eventually("watch for \(command)") { watchCount > before }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        try await cause()
        let end = try JSONDecoder().decode(Answer.self, from: Data(try await answer.utf8)).at
        return (end - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9) * 1000
    }

    private var watchCount: Int {
        child.errorText.split(separator: "\n").count { $0 == "watching" }
    }

    /// Sends a command that replies with a duration in milliseconds.
    func time(_ command: String) async throws -> Double {
        struct Answer: Decodable {
            let milliseconds: Double
        }
        let line = try await self.do(command)
        return try JSONDecoder().decode(Answer.self, from: Data(line.utf8)).milliseconds
    }

    /// Sends a command and returns the reply.
    @discardableResult
    func `do`(_ command: String) async throws -> String {
        let number = answers.count
        _ = try input.fileDescriptor.writeAll("\(command)\n".utf8)
        let line = try await eventually("answer to \(command): \(child.errorText)") {
            let lines = child.outputLines
            return lines.count > number ? lines[number] : nil
        }
        answers.note(())
        guard line.contains("\"ok\": true") else {
            throw NeverHappened(description: "\(command): \(line)")
        }
        return String(line)
    }
}
