// SPDX-License-Identifier: MIT

import Desktop
import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// A service of `org.freedesktop.thumbnails.Thumbnailer1`, ours or the desktop's.
enum Thumbnailer {
    case ours
    case tumbler

    /// What came of a file.
    struct Thumbnail {
        /// Against the picture decoded in full, in dB; nil where there is no thumbnail.
        let likeness: Double?
        /// Whether GIO takes it for the file's.
        let isValid: Bool

        /// Whether a file manager shows what it should.
        func isRight(above limit: Double) -> Bool { isValid && (likeness ?? 0) >= limit }
    }

    struct Outcome {
        /// Files a second.
        var rate = 0.0
        /// The most that all its processes had, in MiB.
        var memory = 0.0
        /// In the order of the files; none when they were not judged.
        var thumbnails: [Thumbnail] = []
    }

    private var words: [String] {
        switch self {
        case .ours: [Programs.path("photo-portal")]
        case .tumbler: ["/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd"]
        }
    }

    /// Has thumbnails made in a home without any, with as many requests at a time as there are cores.
    func make(
        of files: [FilePath], _ flavor: String, cores: Int, isJudged: Bool
    ) async throws -> Outcome {
        let session = try await Session.start()
        let program = try session.start("taskset", ["-c", cores == 1 ? "0" : "0,1"] + words)
        try await session.waitForOwner(of: ThumbnailerInterface.busName.rawValue, program)
        let client = try await ThumbnailClient(session)
        // Starts what is started once.
        _ = try await client.make([files.prefix(1).map { $0 }], "normal")
        let parts = (0..<cores).map { part in
            files.enumerated().filter { $0.offset % cores == part }.map(\.element)
        }
        var outcome = Outcome()
        var hasEnded = false
        let time = try await milliseconds { hasEnded = try await client.make(parts, flavor) }
        // tumblerd sometimes stops for good in the middle of two requests at a time.
        if !hasEnded, case .ours = self { throw NeverHappened(description: "ours did not end") }
        let cached = session.home.cache.appending("thumbnails").appending(
            FilePath(flavor).components)
        let count = hasEnded ? files.count : names(in: cached).count
        outcome.rate = Double(count) / time * 1000
        outcome.memory = peakMemory(of: program.processID)
        if isJudged { outcome.thumbnails = try await judge(files, flavor, session) }
        try await program.stop()
        return outcome
    }

    private func judge(
        _ files: [FilePath], _ flavor: String, _ session: Session
    ) async throws -> [Thumbnail] {
        let (status, output, errors) = try await session.run(
            Programs.source.appending("scripts").appending("judge-thumbnails").string,
            [flavor] + files.map(\.string), within: .seconds(600))
        let thumbnails = output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Thumbnail(
                likeness: words.first.flatMap { Double($0) }, isValid: words.last == "valid")
        }
        guard status == 0, thumbnails.count == files.count else {
            throw NeverHappened(description: "judge-thumbnails: \(errors)")
        }
        return thumbnails
    }

    /// The most memory that a process and its children have had, in MiB; what they share is counted
    /// for each.
    private func peakMemory(of process: Int32) -> Double {
        let folder = "/proc/\(process)"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")) ?? []
        let children = tasks.flatMap { task in
            (try? String(contentsOfFile: "\(folder)/task/\(task)/children", encoding: .utf8))?
                .split(separator: " ").compactMap { Int32($0) } ?? []
        }
        let text = (try? String(contentsOfFile: "\(folder)/status", encoding: .utf8)) ?? ""
        let own =
            text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
            .flatMap { Double($0) } ?? 0
        return own / 1024 + children.map { peakMemory(of: $0) }.reduce(0, +)
    }
}

/// Asks a thumbnailer and waits.
private final class ThumbnailClient: Sendable {
    private let connection: Connection
    private let finished = Recorder<UInt32>()
    private let subscription: Subscription

    init(_ session: Session) async throws {
        connection = try await session.connect()
        subscription = try await connection.subscribe(
            to: ThumbnailerInterface.finished, of: ThumbnailerInterface.interface.name,
            from: ThumbnailerInterface.busName
        ) { [finished] _, handle in finished.note(handle.values) }
    }

    /// A thumbnailer that takes longer for all of its requests does not end at all.
    private static let patience = Duration.seconds(120)

    /// Makes several requests at once and waits for the end of all.
    ///
    /// - Returns: Whether they ended.
    func make(_ requests: [[FilePath]], _ flavor: String) async throws -> Bool {
        var handles: Set<UInt32> = []
        for files in requests {
            handles.insert(
                try await connection.call(
                    ThumbnailerInterface.queue, to: ThumbnailerInterface.busName,
                    at: ThumbnailerInterface.path, on: ThumbnailerInterface.interface.name,
                    Arguments(
                        files.compactMap { FileURI.make($0) }, files.map(mediaType), flavor,
                        "default", 0)
                ).values)
        }
        let expected = handles
        do {
            try await eventually("thumbnails", within: Self.patience) {
                expected.isSubset(of: finished.all)
            }
            return true
        } catch is NeverHappened {
            return false
        }
    }

    /// tumblerd chooses its plugin by this and does not look into the file.
    private func mediaType(of file: FilePath) -> String {
        switch file.extension?.lowercased() {
        case "png": "image/png"
        case "webp": "image/webp"
        default: "image/jpeg"
        }
    }
}
