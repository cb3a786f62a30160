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

    /// The result for a file.
    struct Thumbnail {
        /// The PSNR against the fully decoded picture, in dB; nil if there is no thumbnail.
        let likeness: Double?
        /// Whether GIO accepts it for the file.
        let isValid: Bool

        /// Whether a file manager shows the right picture.
        func isRight(above limit: Double) -> Bool { isValid && (likeness ?? 0) >= limit }
    }

    struct Outcome {
        /// Files per second.
        var rate = 0.0
        /// The peak memory of all its processes, in MiB of PSS.
        var memory = 0.0
        /// In the order of the files; empty if they were not judged.
        var thumbnails: [Thumbnail] = []
    }

    private var words: [String] {
        switch self {
        case .ours: [Programs.path("photo-portal")]
        case .tumbler: ["/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd"]
        }
    }

    /// Requests thumbnails in an empty home, with one concurrent request per core.
    func make(
        of files: [FilePath], _ flavor: String, cores: Int, isJudged: Bool
    ) async throws -> Outcome {
        let session = try await Session.start()
        let program = try session.start("taskset", ["-c", cores == 1 ? "0" : "0,1"] + words)
        try await session.waitForOwner(of: ThumbnailerInterface.busName.rawValue, program)
        let client = try await ThumbnailClient(session)
        // Starts the processes that later requests reuse.
        _ = try await client.make([files.prefix(1).map { $0 }], "normal")
        let parts = (0..<cores).map { part in
            files.enumerated().filter { $0.offset % cores == part }.map(\.element)
        }
        var outcome = Outcome()
        var hasEnded = false
        let (time, memory) = try await peakMemory(of: program.processID) {
            try await milliseconds { hasEnded = try await client.make(parts, flavor) }
        }
        // With two concurrent requests, tumblerd sometimes stops halfway and never continues.
        if !hasEnded, case .ours = self { throw NeverHappened(description: "ours did not end") }
        let cached = session.home.cache.appending("thumbnails").appending(
            FilePath(flavor).components)
        let count = hasEnded ? files.count : names(in: cached).count
        outcome.rate = Double(count) / time * 1000
        outcome.memory = memory
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
}

/// Sends requests to a thumbnailer and waits for them.
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

    /// A thumbnailer that needs longer than this for all of its requests counts as hung.
    private static let patience = Duration.seconds(120)

    /// Makes several requests at once and waits for all of them to end.
    ///
    /// - Returns: Whether all of them ended.
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

    /// tumblerd chooses its plugin by this type and does not read the file.
    private func mediaType(of file: FilePath) -> String {
        switch file.extension?.lowercased() {
        case "png": "image/png"
        case "webp": "image/webp"
        default: "image/jpeg"
        }
    }
}
