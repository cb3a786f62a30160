// SPDX-License-Identifier: MIT

import Files
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Uses the dialog like a person; see scripts/person.
final class Person: Sendable {
    /// The answer of the script to a command.
    struct Answer: Decodable, Sendable {
        let ok: Bool
        var error: String?
        var title: String?
        var texts: [String]?
        var photos: [String]?
        var pressed: [Bool]?
        var focused: [Bool]?
        var albums: [String]?
        /// The albums that are highlighted.
        var selected: [Bool]?
        var enabled: Bool?
        var busy: Bool?
        var unlabelled: [String]?
        /// The controls that Tab does not reach.
        var missed: [String]?
        var count: Int?
        var colour: String?
        var role: String?
        var x: Int?
        var y: Int?
        var width: Int?
        var height: Int?
        /// The widths of a frame that changes, and when it had them.
        var widths: [Int]?
        var milliseconds: [Double]?
    }

    private let child: ChildProcess
    private let input: Descriptor
    private let answers = Recorder<Void>()

    init(_ session: Session, _ environment: [String: String]) throws {
        let fifo = session.home.scratch.appending("person")
        guard mkfifo(fifo.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        // Open for both, so that neither side waits for the other.
        input = Descriptor(owning: try .open(fifo, .readWrite, options: .closeOnExec))
        child = try session.start(
            Programs.source.appending("scripts").appending("person").string,
            environment: environment, input: fifo)
    }

    /// Runs a command; fails if a person could not do it.
    @discardableResult
    func `do`(
        _ command: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let answer = try await attempt(command)
        if !answer.ok { try await see("failed") }
        try #require(
            answer.ok, "\(command): \(answer.error ?? "")", sourceLocation: sourceLocation)
        return answer
    }

    func attempt(_ command: String) async throws -> Answer {
        let number = answers.count
        _ = try input.fileDescriptor.writeAll("\(command)\n".utf8)
        let line: String
        do {
            // Longer than all that the script itself may wait for, so that its error is seen.
            line = try await eventually("answer to \(command)", within: .seconds(240)) {
                let lines = child.outputLines
                return lines.count > number ? String(lines[number]) : nil
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error): \(await standstill())")
        }
        answers.note(())
        return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    /// What the script waits for, and what the threads of the dialogs do meanwhile.
    private func standstill() async -> String {
        child.signal(SIGUSR1)
        let stack = try? await eventually("the stack", within: .seconds(10)) {
            child.errorText.contains("File \"") ? child.errorText : nil
        }
        let processes = Self.numbers(in: "/proc").flatMap(Self.threads)
        return ([stack ?? "no stack"] + processes).joined(separator: "\n")
    }

    private static func numbers(in folder: FilePath) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? [])
            .filter { Int32($0) != nil }
    }

    private static func threads(of process: String) -> [String] {
        let folder = FilePath("/proc").appending(process)
        func read(_ path: String) -> String {
            let bytes = try? Descriptor.openForReading(folder.appending(FilePath(path).components))
                .read(upTo: 1 << 12)
            return String(decoding: bytes ?? [], as: UTF8.self)
                .trimmingCharacters(in: .newlines)
        }
        guard read("comm") == "photo-portal-di" else { return [] }
        return numbers(in: folder.appending("task")).map { thread in
            let task = "task/\(thread)/"
            let state = read(task + "stat").split(separator: ")").last?.prefix(2) ?? ""
            return "\(process) \(read(task + "comm")):\(state) \(read(task + "wchan"))"
        }
    }

    /// All text in the window.
    func texts() async throws -> [String] {
        try await self.do("texts").texts ?? []
    }

    /// Waits for something that shows in the window; the error tells what it says instead.
    func wait(for what: String, _ condition: () async throws -> Bool) async throws {
        do {
            try await eventually(what, condition)
        } catch let error as NeverHappened {
            let texts = try await texts()
            throw NeverHappened(description: "\(error); the window says \(texts)")
        }
    }

    /// Waits until the window says that its request has ended on its own.
    func readInterruption() async throws {
        try await eventually("the message") {
            try await texts().contains { $0.contains("A background service has stopped") }
        }
    }

    /// Waits until the window says that a chosen file is no longer what was shown.
    func readChange(of name: String) async throws {
        try await eventually("the message") {
            try await texts().contains(
                "“\(name)” has changed or disappeared, and is no longer chosen")
        }
    }

    /// Keeps a screenshot under `.build/screenshots`.
    func see(_ name: String) async throws {
        let folder = Programs.source.appending(".build").appending("screenshots")
        try Directory.make(folder)
        try await self.do("see \(folder.appending("\(name).png"))")
    }
}
