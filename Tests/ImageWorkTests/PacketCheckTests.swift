// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Videos whose sizes may be wrong lose their location only if all of their packets stay.
@Suite struct PacketCheckTests {
    private static let names = ["tags.mkv", "tags.webm", "info.avi"]

    private func pool(withVideos: Bool) -> DecoderPool {
        DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")),
            videos: withVideos ? FilePath(Programs.path("photo-portal-video")) : nil, workers: 1)
    }

    private let removal = Derivation(removesLocation: true)

    @Test(arguments: names)
    func `a video loses its location in the sandbox`(name: String) async throws {
        let pool = pool(withVideos: true)
        defer { pool.close() }
        let file = try Fixtures.open("location/\(name)")
        let derived = try #require(try await pool.session().run(.derive(removal), on: file))
        #expect(derived.isLocationRemoved && !derived.isConverted)
        #expect(derived.parts?.isEmpty == false)
    }

    @Test func `a video that would lose packets is refused`() async throws {
        let pool = pool(withVideos: true)
        defer { pool.close() }
        var bytes = try Fixtures.bytes("location/tags.mkv")
        // The size of the head, without which its end is unknown.
        bytes[4] = 0xFF
        let file = try MemoryFile.make(named: "video", holding: bytes)
        await #expect(throws: DecodeError.locationStays) {
            try await pool.run(.derive(removal), on: file, priority: .visible)
        }
    }

    @Test(arguments: names)
    func `a location is not removed where nothing can check the video`(name: String) async throws {
        let pool = pool(withVideos: false)
        defer { pool.close() }
        let file = try Fixtures.open("location/\(name)")
        await #expect(throws: DecodeError.unsupported) {
            try await pool.run(.derive(removal), on: file, priority: .visible)
        }
    }

    @Test func `the metadata of a video cannot be removed`() async throws {
        let pool = pool(withVideos: true)
        defer { pool.close() }
        let file = try Fixtures.open("location/tags.mkv")
        await #expect(throws: DecodeError.unsupported) {
            try await pool.run(
                .derive(Derivation(removesLocation: true, removesMetadata: true)), on: file,
                priority: .visible)
        }
    }
}
