// SPDX-License-Identifier: MIT

import Files
import ImageWork
import PhotoCopies
import Photos
import SystemPackage
import TestSupport
import Testing

/// Copies without location, for apps that ask for files.
@Suite(.serialized) struct CopyTests {
    @Test func `a photo that takes its decoder over cannot keep the location in other photos`()
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("photo.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        // A photo that the person has seen, and that has taken its decoder over.
        let pool = DecoderPool(program: try HostileDecoder.program("spoilt", in: home), workers: 1)
        defer { pool.close() }
        _ = try await pool.run(
            .probe, on: try Descriptor.openForReading(photo), priority: .visible,
            origin: .elsewhere)
        let copies = PhotoCopies(folder: home.cache.appending("copies"), decoders: pool)
        #expect(try await copies.hasLocation(photo))
        let copy = try await copies.copy(photo, in: nil, for: "owner")
        #expect(copy != photo)
        #expect(copy.starts(with: home.cache))
    }
}
