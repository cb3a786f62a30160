// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Which decoder process sees which file.
///
/// `hostile-decoder`, started as `marked`, calls a picture as wide as it has seen jobs before.
@Suite(.serialized) struct SessionTests {
    private let home: TestHome
    private let collection: FilePath
    private let downloads: FilePath

    init() throws {
        home = try TestHome()
        collection = home.pictures
        downloads = home.downloads
        for folder in [collection, downloads] {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg"), to: folder.appending("photo.jpg"))
        }
    }

    @Test func `the decoder of a file for an app has seen no other photo`() async throws {
        let pool = try pool(workers: 1)
        defer { pool.close() }
        let photo = try open(collection)
        #expect(try await jobs(pool, photo) == 1)
        #expect(try await jobs(pool, photo) == 2)
        for _ in 0..<3 {
            let session = pool.session()
            let first = try await session.run(.probe, on: photo)
            #expect(first.size?.width == 1)
            // Everything that concerns this file is done by the same decoder.
            let second = try await session.run(.probe, on: photo)
            #expect(second.size?.width == 2)
        }
        // And the decoder of a file for an app sees no other photo afterwards.
        #expect(try await jobs(pool, photo) == 3)
    }

    @Test func `photos from Downloads and from Pictures do not share a decoder`() async throws {
        let pool = try pool(workers: 1)
        defer { pool.close() }
        let (own, strange) = (try open(collection), try open(downloads))
        for round in 1...3 {
            #expect(try await jobs(pool, own) == round)
            #expect(try await jobs(pool, strange) == round)
        }
        // What was made from a file belongs to it.
        let entry = try MemoryFile.make(named: "entry", holding: [1])
        let made = try await pool.run(
            .probe, on: entry, priority: .visible, origin: pool.origin(of: own))
        #expect(made.size?.width == 4)
    }

    @Test func `a decoder of a session ends with it`() async throws {
        let pool = try pool(workers: 1)
        defer { pool.close() }
        let photo = try open(collection)
        _ = try await jobs(pool, photo)
        let before = try processes()
        do {
            let session = pool.session()
            _ = try await session.run(.probe, on: photo)
            #expect(try processes() == before + 1)
        }
        try await eventually("the end of the process") { try processes() == before }
    }

    @Test func `a decoder that is started by hand says so`() async throws {
        for name in [
            "photo-portal-decoder", "photo-portal-heif", "photo-portal-rare", "photo-portal-video",
        ] {
            let child = try ChildProcess(
                Programs.path(name), environment: home.environment, scratch: home.scratch)
            #expect(try await child.exitStatus() == 2)
            #expect(child.errorText.contains("\(name): this program decodes files"))
        }
    }

    // MARK: -

    private func pool(workers: Int) throws -> DecoderPool {
        DecoderPool(
            program: try HostileDecoder.program("marked", in: home), workers: workers,
            collection: [collection])
    }

    private func open(_ folder: FilePath) throws -> Descriptor {
        try Descriptor.openForReading(folder.appending("photo.jpg"))
    }

    /// The number of jobs that the decoder of a file has done.
    private func jobs(_ pool: DecoderPool, _ file: Descriptor) async throws -> Int? {
        try await pool.run(.probe, on: file, priority: .visible).size?.width
    }

    /// The number of processes that run this test's program.
    private func processes() throws -> Int {
        names(in: "/proc").filter { name in
            (try? Descriptor.openForReading(FilePath("/proc/\(name)/cmdline")).read(upTo: 100))?
                .starts(with: "marked\0".utf8) == true
        }.count
    }
}
