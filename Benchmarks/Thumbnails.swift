// SPDX-License-Identifier: MIT

import Desktop
import Foundation
import Glibc
import ImageWork
import Platform
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// Thumbnails of photographs of 12 megapixels: ours beside those of other programs, on the same cores.
struct Thumbnails {
    private static let count = 200
    /// Slower programs get fewer; a rate needs no more.
    private static let countForOthers = 40
    /// Below this a thumbnail counts as wrong, in dB against a full decode.
    private static let leastPSNR = 38

    private let photos: [FilePath]

    init() async throws {
        let folder = Programs.source.appending(".bench").appending("photographs")
        let home = try TestHome()
        let maker = try ChildProcess(
            Programs.source.appending("scripts").appending("make-photographs").string,
            [folder.string, "\(Self.count)"], environment: home.environment, scratch: home.scratch)
        guard try await maker.exitStatus(within: .seconds(600)) == 0 else {
            throw NeverHappened(description: "make-photographs: \(maker.errorText)")
        }
        photos = names(in: folder).filter { $0.string.hasSuffix(".jpg") }
            .sorted { $0.string < $1.string }.prefix(Self.count).map { folder.appending($0) }
    }

    func measure() async throws -> [Row] {
        var rows: [Row] = []
        for cores in [1, 2] {
            let ours = try await serve(.ours, photos, "large", cores)
            let tumbler = try await serve(.tumbler, photos, "large", cores)
            let name = "thumbnails, 256 px, \(cores) \(cores == 1 ? "core" : "cores")"
            func row(_ peer: String, _ rate: Double) -> Row {
                .moreIsBetter(name, unit: "1/s", ours: ours.rate, peer: peer, theirs: rate)
            }
            rows.append(row("tumblerd, a queue for each core", tumbler.rate))
            for peer in Peer.all {
                rows.append(
                    row(peer.name, try await run(peer, photos.prefix(peer.count), cores)))
            }
            rows.append(
                .lessIsBetter(
                    "memory of all processes, 256 px, \(cores) cores", unit: "MiB",
                    ours: ours.memory, peer: "tumblerd", theirs: tumbler.memory))
            rows += judged(ours, tumbler, cores)
        }
        let ours = try await serve(.ours, photos, "normal", 1)
        let tumbler = try await serve(.tumbler, photos, "normal", 1)
        rows.append(
            .moreIsBetter(
                "thumbnails, 128 px, previews used, 1 core", unit: "1/s", ours: ours.rate,
                peer: "tumblerd", theirs: tumbler.rate))
        return rows + (try await wallpapers()) + (try await metadata())
    }

    private func judged(_ ours: Outcome, _ tumbler: Outcome, _ cores: Int) -> [Row] {
        [
            .lessIsBetter(
                "missing of \(photos.count), \(cores) cores", unit: "", ours: ours.missing,
                peer: "tumblerd", theirs: tumbler.missing),
            .lessIsBetter(
                "wrong of \(photos.count), \(cores) cores", unit: "", ours: ours.wrong,
                peer: "tumblerd", theirs: tumbler.wrong),
            .moreIsBetter(
                "worst PSNR, \(cores) cores", unit: "dB", ours: ours.worst, peer: "tumblerd",
                theirs: tumbler.worst),
        ]
    }

    // MARK: - Thumbnailers on the bus

    private enum Server {
        case ours
        case tumbler

        var words: [String] {
            switch self {
            case .ours: [Programs.path("photo-portal")]
            case .tumbler: ["/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd"]
            }
        }
    }

    private struct Outcome {
        var rate = 0.0
        var memory = 0.0
        var missing = 0.0
        var wrong = 0.0
        var worst = 0.0
        /// How many have a thumbnail that GIO believes.
        var valid = 0
    }

    /// Has a thumbnailer make thumbnails, with as many requests at a time as there are cores.
    private func serve(
        _ server: Server, _ photos: [FilePath], _ flavor: String, _ cores: Int,
        isJudged: Bool = true
    ) async throws -> Outcome {
        let session = try await Session.start()
        let program = try session.start("taskset", ["-c", cores == 1 ? "0" : "0,1"] + server.words)
        try await session.waitForOwner(of: ThumbnailerInterface.busName.rawValue, program)
        let client = try await ThumbnailClient(session)
        let uris = photos.compactMap { FileURI.make($0) }
        // Starts what is started once.
        try await client.make([uris.prefix(1).map { $0 }], "normal")
        let parts = (0..<cores).map { part in
            uris.enumerated().filter { $0.offset % cores == part }.map(\.element)
        }
        var outcome = Outcome()
        let time = try await milliseconds { try await client.make(parts, flavor) }
        outcome.rate = Double(uris.count) / time * 1000
        outcome.memory = peakMemory(of: program.processID)
        let folder = session.home.cache.appending("thumbnails").appending(flavor)
        if isJudged, flavor == "large" {
            let (_, output, _) = try await session.run(
                Programs.source.appending("scripts").appending("judge-thumbnails").string,
                [folder.string, "\(Self.leastPSNR)"] + photos.map(\.string), within: .seconds(300))
            let figures = output.split(separator: " ").compactMap {
                Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            if figures.count == 3 {
                (outcome.missing, outcome.wrong, outcome.worst) = (
                    figures[0], figures[1], figures[2]
                )
            }
        }
        let validity = try await session.run(
            "gio", ["info", "-a", "thumbnail::is-valid"] + photos.map(\.string)
        ).output
        outcome.valid = validity.components(separatedBy: "is-valid: TRUE").count - 1
        try await program.stop()
        return outcome
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

    /// Pictures of many kinds, in two requests: how many get no thumbnail that readers believe.
    private func wallpapers() async throws -> [Row] {
        let folder = "/usr/share/backgrounds"
        let files = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
            .compactMap { $0 as? String }
            .filter { name in [".jpg", ".png", ".webp"].contains { name.hasSuffix($0) } }
            .map { FilePath("\(folder)/\($0)") }
            .filter { (try? $0.stat(followTargetSymlink: false))?.type == .regular }
        let ours = try await serve(.ours, files, "large", 2, isJudged: false)
        let tumbler = try await serve(.tumbler, files, "large", 2, isJudged: false)
        return [
            .moreIsBetter(
                "\(files.count) wallpapers, 2 requests at a time", unit: "1/s", ours: ours.rate,
                peer: "tumblerd", theirs: tumbler.rate),
            Row(
                name: "\(files.count) wallpapers without a valid thumbnail", unit: "",
                ours: Double(files.count - ours.valid), peer: "tumblerd",
                theirs: Double(files.count - tumbler.valid)),
        ]
    }

    // MARK: - Programs for one file

    private struct Peer {
        let name: String
        /// What is run in a shell for the photograph `$1`; the folder `$0` takes the result.
        let command: String
        var count = Thumbnails.countForOthers

        static let all = [
            Peer(
                name: "gdk-pixbuf-thumbnailer",
                command: "gdk-pixbuf-thumbnailer -s 256 \"$1\" \"$0/${1##*/}.png\"",
                count: Thumbnails.count),
            Peer(
                name: "vipsthumbnail",
                command: "VIPS_CONCURRENCY=1 vipsthumbnail -s 256 -o \"$0/${1##*/}.png\" \"$1\""),
            Peer(
                name: "ImageMagick",
                command:
                    "/usr/bin/convert -define jpeg:size=512x512 \"$1\" -thumbnail 256x256 \"$0/${1##*/}.png\""
            ),
        ]
    }

    /// How many photographs a second a program makes thumbnails of, one process for each.
    private func run(
        _ peer: Peer, _ photos: ArraySlice<FilePath>, _ cores: Int
    ) async throws -> Double {
        let home = try TestHome()
        let list = home.scratch.appending("list")
        try home.write(photos.flatMap { Array($0.string.utf8) + [0] }, to: list)
        let time = try await milliseconds {
            let child = try ChildProcess(
                "taskset",
                [
                    "-c", cores == 1 ? "0" : "0,1", "xargs", "-0", "-n", "1", "-P", "\(cores)",
                    "sh",
                    "-c", peer.command, home.scratch.string,
                ], environment: home.environment, scratch: home.scratch, input: list)
            guard try await child.exitStatus(within: .seconds(600)) == 0 else {
                throw NeverHappened(description: "\(peer.name): \(child.errorText)")
            }
        }
        return Double(photos.count) / time * 1000
    }

    // MARK: - Metadata

    /// What the header of a photograph says: dates, sizes, orientation.
    private func metadata() async throws -> [Row] {
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        let time = try await milliseconds {
            for photo in photos {
                let file = try Descriptor.openForReading(photo)
                _ = await pool.run(.probe, on: file, priority: .visible)
            }
        }
        pool.close()
        let home = try TestHome()
        let other = try await milliseconds {
            let child = try ChildProcess(
                "exiftool", ["-fast2", "-json"] + photos.map(\.string),
                environment: home.environment, scratch: home.scratch)
            _ = try await child.exitStatus(within: .seconds(60))
        }
        let count = Double(photos.count) / 1000
        return [
            .moreIsBetter(
                "metadata of photographs, 1 decoder", unit: "1/s", ours: count / time * 1_000_000,
                peer: "exiftool -fast2, one process", theirs: count / other * 1_000_000)
        ]
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

    /// Makes several requests at once and waits for the end of all.
    func make(_ requests: [[String]], _ flavor: String) async throws {
        var handles: Set<UInt32> = []
        for uris in requests {
            handles.insert(
                try await connection.call(
                    ThumbnailerInterface.queue, to: ThumbnailerInterface.busName,
                    at: ThumbnailerInterface.path, on: ThumbnailerInterface.interface.name,
                    Arguments(uris, uris.map { _ in "image/jpeg" }, flavor, "default", 0)
                ).values)
        }
        let expected = handles
        try await eventually("thumbnails", within: .seconds(300)) {
            expected.isSubset(of: finished.all)
        }
    }
}
