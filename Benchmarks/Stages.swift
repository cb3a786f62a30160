// SPDX-License-Identifier: MIT

import Desktop
import Files
import Foundation
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport

/// Where the time of a thumbnail goes: the stages in one process without a bus or a sandbox, then
/// sandboxed decoders, then the whole path through the bus and the cache.
struct Stages {
    private static let rounds = 3
    /// The number of photographs per round; the first round is not counted.
    private static let count = 30
    private static let side = ThumbnailSize.large.pixels
    private static let names = ["decode to an eighth", "scale", "PNG", "in all"]

    private let photos: [FilePath]

    init() async throws {
        photos = try await Photographs.make()
    }

    func measure() async throws -> [Row] {
        var ours: [[Double]] = []
        var floor: [[Double]] = []
        _ = try await stages()
        for _ in 0..<Self.rounds {
            ours.append(try await stages())
            floor.append(try await floorStages())
        }
        let rows = Self.names.indices.map { stage in
            Row.lessIsBetter(
                "thumbnail in process, 256 px: \(Self.names[stage])", unit: "ms",
                ours: median(ours.map { $0[stage] }), peer: "TurboJPEG 1/8, libpng level 1, in C",
                theirs: median(floor.map { $0[stage] }))
        }
        return rows + [try await pool(1), try await pool(2)]
    }

    // MARK: - In process

    /// The milliseconds of each stage per photograph.
    private func stages() async throws -> [Double] {
        var sums = [Double](repeating: 0, count: Self.names.count)
        for photo in photos.prefix(Self.count) {
            for (stage, time) in try await stages(of: photo).enumerated() { sums[stage] += time }
        }
        return sums.map { $0 / Double(Self.count) }
    }

    private func stages(of photo: FilePath) async throws -> [Double] {
        let file = try Descriptor.openForReading(photo)
        let size =
            try ImageFacts(reading: FileBytes(file)).storedSize ?? PixelSize(width: 1, height: 1)
        let eighth = (max(size.width, size.height) + 7) / 8
        var bitmap = Bitmap(size: PixelSize(width: 0, height: 0), format: .rgb, bytes: [])
        let decoding = try await milliseconds {
            (bitmap, _) = try PictureFile.decode(file, fitting: eighth, .fast)
        }
        let target = size.fitted(in: Self.side)
        let scaling = await milliseconds { bitmap = bitmap.scaled(to: target) }
        let encoding = await milliseconds { _ = bitmap.png() }
        // Rows are scaled while they are decoded, which separate stages do not show.
        let whole = try await milliseconds {
            _ = try PictureFile.decode(file, fitting: Self.side, .fast).0.png()
        }
        return [decoding, scaling, encoding, whole]
    }

    /// The same stages in a C program.
    private func floorStages() async throws -> [Double] {
        let home = try TestHome()
        let child = try ChildProcess(
            Photographs.folder("peers").appending("floor").string,
            photos.prefix(Self.count).map(\.string), environment: home.environment,
            scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(120))
        let times = child.outputText.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard status == 0, times.count == Self.names.count - 1 else {
            throw NeverHappened(description: "floor: \(child.errorText)")
        }
        return times + [times.reduce(0, +)]
    }

    // MARK: - Decoders in their sandbox

    /// Photographs per second of decoders alone, and of the whole service on the same cores.
    private func pool(_ cores: Int) async throws -> Row {
        var alone: [Double] = []
        var service: [Double] = []
        for _ in 0..<Self.rounds {
            alone.append(try await poolRate(cores))
            let outcome = try await Thumbnailer.ours.make(
                of: photos, "large", cores: cores, isJudged: false)
            service.append(outcome.rate)
        }
        return .moreIsBetter(
            "thumbnails of decoders alone, 256 px, \(cores) \(cores == 1 ? "core" : "cores")",
            unit: "1/s", ours: median(alone), peer: "ours through bus and cache",
            theirs: median(service))
    }

    private func poolRate(_ cores: Int) async throws -> Double {
        try await bind(to: cores == 1 ? "0" : "0,1")
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: cores)
        defer { pool.close() }
        // Starts the processes.
        try await thumbnails(of: photos.prefix(cores), pool)
        let time = try await milliseconds { try await thumbnails(of: photos[...], pool) }
        try await bind(to: "0-1023")
        return Double(photos.count) / time * 1000
    }

    private func thumbnails(of photos: ArraySlice<FilePath>, _ pool: DecoderPool) async throws {
        try await withThrowingTaskGroup { group in
            for photo in photos {
                group.addTask {
                    let file = try Descriptor.openForReading(photo)
                    let subject = ThumbnailSubject(
                        uri: FileURI.make(photo) ?? "", modified: 0, byteCount: 0)
                    _ = try await pool.run(
                        .thumbnail(side: Self.side, of: subject), on: file, priority: .visible)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Binds this process and its children to a number of cores.
    private func bind(to cores: String) async throws {
        let home = try TestHome()
        let child = try ChildProcess(
            "taskset", ["-a", "-p", "-c", cores, "\(getpid())"], environment: home.environment,
            scratch: home.scratch)
        guard try await child.exitStatus() == 0 else {
            throw NeverHappened(description: "taskset: \(child.errorText)")
        }
    }
}
