// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Frames and facts of videos, from the real decoder in its real sandbox.
@Suite(.serialized) struct VideoTests {
    private let home: TestHome
    private let cache: ThumbnailCache
    private let video: FilePath

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        video = home.pictures.appending("a b.mp4")
        try home.write(Fixtures.bytes("video/moving.mp4"), to: video)
    }

    @Test func `the thumbnail of a video has its shape and is cached`() async throws {
        try await withLoader { loader, _ in
            let types = await loader.supportedTypes()
            #expect(types.contains(.mp4))
            let picture = try await loader.thumbnail(of: video, .normal, priority: .visible)
            let size = picture.size
            #expect(abs(Double(size.width) / Double(size.height) - 1.5) < 0.02)
            let memory = try picture.mapped()
            let values = withExtendedLifetime(memory) { Set(memory.bytes) }
            #expect(values.count > 10)
            let uri = try #require(FileURI.make(video))
            let entry = try Descriptor.openForReading(cache.path(of: uri, .normal))
            let texts = PNGChunks(try FileBytes(entry)).texts
            #expect(texts["Thumb::Mimetype"] == "video/mp4")
            #expect(texts["Thumb::Image::Width"] == "96")
            #expect(texts["Thumb::Image::Height"] == "64")
        }
    }

    @Test func `the facts of a video are its size and its duration`() async throws {
        try await withLoader { _, pool in
            let facts = try await probe(video, pool)
            #expect(facts.mediaType == .mp4 && facts.orientation == .upright)
            let size = try #require(facts.size)
            #expect(size.width * 2 == size.height * 3)
            let duration = try #require(facts.milliseconds)
            #expect((500...60_000).contains(duration))
        }
    }

    @Test(arguments: ["keys.mp4", "live.mov", "description.mp4"])
    func `a video says its title and that it has a place, but not where`(name: String) async throws
    {
        try await withLoader { _, pool in
            let facts = try await pool.run(
                .probe, on: Fixtures.open("location/\(name)"), priority: .visible)
            let details = facts.details
            #expect(details.isBounded)
            if name == "keys.mp4" { #expect(details.title == "Summer") }
            #expect(details.hasPlace == (name != "description.mp4"))
            #expect(!"\(details)".contains("48.8"))
        }
    }

    /// A phone stores a matrix that turns the frames.
    @Test(
        arguments: [
            ([0, 1, -1, 0], .turnedRight), ([-1, 0, 0, -1], .turnedAround),
            ([0, -1, 1, 0], .turnedLeft), ([-1, 0, 0, 1], .mirrored),
        ] as [([Int32], Orientation)])
    func `a video that was recorded upright is shown upright`(
        matrix: [Int32], orientation: Orientation
    ) async throws {
        var bytes = try Fixtures.bytes("video/moving.mp4")
        let box = try #require(bytes.indices.first { bytes[$0...].starts(with: "tkhd".utf8) })
        for (index, place) in [0, 4, 12, 16].enumerated() {
            let number = UInt32(bitPattern: matrix[index] << 16).bigEndian
            withUnsafeBytes(of: number) {
                bytes.replaceSubrange(box + 44 + place..<box + 48 + place, with: $0)
            }
        }
        try home.write(bytes, to: video)
        try await withLoader { loader, pool in
            let facts = try await probe(video, pool)
            #expect(facts.orientation == orientation)
            let picture = try await loader.thumbnail(of: video, .normal, priority: .visible)
            let shown = try #require(facts.size)
            #expect((shown.width > shown.height) == (picture.size.width > picture.size.height))
        }
    }

    @Test(arguments: [0, 40, 200, 2000])
    func `a video that was cut off is damaged and fails only itself`(count: Int) async throws {
        let broken = home.pictures.appending("broken.mp4")
        let bytes = Array(try Fixtures.bytes("video/moving.mp4").prefix(max(count, 32)))
        try home.write(bytes, to: broken)
        try await withLoader { loader, _ in
            await #expect(throws: DecodeError.self) {
                _ = try await loader.thumbnail(of: broken, .normal, priority: .visible)
            }
            _ = try await loader.thumbnail(of: video, .normal, priority: .visible)
        }
    }

    @Test func `videos with changed bytes give a frame or an error`() async throws {
        let bytes = try Fixtures.bytes("video/moving.mp4")
        try await withLoader { _, pool in
            var state: UInt64 = 2026
            for round in 0..<60 {
                var changed = bytes
                for _ in 0..<8 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    changed[Int(state >> 33) % changed.count] = UInt8(
                        truncatingIfNeeded: state >> 20)
                }
                let file = try MemoryFile.make(named: "video", holding: changed)
                do throws(DecodeError) {
                    _ = try await pool.run(.pixels(side: 128), on: file, priority: .visible)
                } catch {
                    #expect(
                        [.damaged, .unsupported, .tooLarge].contains(error), "\(round): \(error)")
                }
            }
        }
    }

    @Test func `without the program for videos they are not supported`() async throws {
        try await withLoader(videos: nil) { loader, pool in
            let types = await loader.supportedTypes()
            #expect(!types.contains(.mp4))
            await #expect(throws: DecodeError.unsupported) {
                _ = try await loader.thumbnail(of: video, .normal, priority: .visible)
            }
            // The library still lists the video.
            let facts = try await probe(video, pool)
            #expect(facts.mediaType == .mp4)
        }
        #expect(names(in: cache.folder).isEmpty)
    }

    @Test func `a decoder without a sandbox is not taken for a damaged video`() async throws {
        let program = home.scratch.appending("videos")
        try home.write(Array("#!/bin/sh\nexit 1\n".utf8), to: program)
        try #require(program.withPlatformString { chmod($0, 0o700) } == 0)
        try await withLoader(videos: program) { loader, _ in
            await #expect(throws: DecodeError.unavailable) {
                _ = try await loader.thumbnail(of: video, .normal, priority: .visible)
            }
        }
        #expect(names(in: cache.folder).isEmpty)
        // As soon as it works, there is a thumbnail.
        try await withLoader { loader, _ in
            _ = try await loader.thumbnail(of: video, .normal, priority: .visible)
        }
    }

    @Test(arguments: ["photo-portal-1", "photo-portal-2"])
    func `failures that earlier versions recorded are forgotten`(version: String) async throws {
        let uri = try #require(FileURI.make(video))
        let old = cache.folder.appending("fail").appending(FilePath(version).components)
        let name = try #require(cache.failurePath(of: uri).lastComponent)
        try home.write([1], to: old.appending(name))
        let other = cache.folder.appending("fail").appending("other-1").appending(name)
        try home.write([1], to: other)
        cache.forgetOldFailures()
        #expect((try? old.stat()) == nil)
        #expect((try? other.stat()) != nil)
        #expect(!cache.failurePath(of: uri).starts(with: old))
    }

    @Test func `a link in the place of old failures costs nobody a file`() throws {
        let document = home.home.appending("Documents").appending("letter.odt")
        try home.write([1], to: document)
        // Whoever may write to the cache can make this, such as an app in a sandbox.
        let old = cache.folder.appending("fail").appending("photo-portal-1")
        try Directory.make(old.removingLastComponent())
        try #require(symlink(document.removingLastComponent().string, old.string) == 0)
        let other = cache.folder.appending("fail").appending("photo-portal-2")
        try Directory.make(other)
        try #require(symlink(document.string, other.appending("a.png").string) == 0)
        cache.forgetOldFailures()
        #expect((try? document.stat()) != nil)
        #expect((try? other.stat()) == nil)
    }

    // MARK: -

    private func probe(_ path: FilePath, _ pool: DecoderPool) async throws -> ImageFacts {
        try await pool.run(
            .probe, on: try Descriptor.openForReading(path), priority: .visible)
    }

    private func withLoader(
        videos: FilePath? = FilePath(Programs.path("photo-portal-video")),
        _ body: (ThumbnailLoader, DecoderPool) async throws -> Void
    ) async throws {
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), videos: videos, workers: 1,
            timeout: .seconds(20))
        defer { pool.close() }
        try await body(ThumbnailLoader(cache: cache, decoders: pool), pool)
    }
}
