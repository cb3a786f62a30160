// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Logging
import Photos
import PortalService
import SystemPackage
import TestSupport
import Testing

/// What a decoder that was taken over can put into the files that apps receive.
@Suite(.serialized) struct HostileDecoderTests {
    @Test(arguments: [
        "derivedUnsealed", "derivedHuge", "derivedText", "derivedOfOtherFormat", "derivedTooLong",
        "derivedUnaskedRemoval", "derivedWithoutChange", "noDescriptor", "extraDescriptor",
        "otherReply", "trailingByte", "emptyPacket", "hugeFacts",
        // The file is a PNG as requested, and the decoder then calls it a JPEG.
        "honest",
    ])
    func `a converted file that is not believed is not kept`(lie: String) async throws {
        let derivation = Derivation(
            removesLocation: false,
            picture: PictureChange(
                format: .png, size: PixelSize(width: 64, height: 48), quality: 90,
                maximumByteCount: 50_000))
        try await expectNothing(derivation, lie)
    }

    @Test(arguments: [
        "derivedUnsealed", "derivedHuge", "derivedText", "derivedOfOtherFormat",
        "derivedWithoutChange", "partsOverlap", "partsUnordered",
        "partsBeyondEnd", "partsOfOtherSize", "partsCount", "hugeFacts",
    ])
    func `a file without its location that is not believed is not kept`(lie: String) async throws {
        try await expectNothing(Derivation(removesLocation: true), lie)
    }

    @Test func `a copy in which a place is found once more is not kept`() async throws {
        let home = try TestHome()
        let (derived, pool, folder) = try files("placeFoundAgain", home)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let error = await #expect(throws: DerivedFiles.Failure.self) {
            _ = try await derived.make(
                Derivation(removesLocation: true), of: file, .jpeg, by: pool.session())
        }
        guard case .changed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(names(in: folder).isEmpty)
    }

    @Test func `a file that is believed is kept once`() async throws {
        let home = try TestHome()
        let (derived, pool, folder) = try files("honest", home)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        for _ in 0..<2 {
            let made = try await derived.make(
                Derivation(removesLocation: true), of: file, .jpeg, by: pool.session())
            #expect(made != nil)
        }
        #expect(names(in: folder).count == 1)
    }

    private func expectNothing(_ derivation: Derivation, _ lie: String) async throws {
        let home = try TestHome()
        let (derived, pool, folder) = try files(lie, home)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        await #expect(throws: DerivedFiles.Failure.self, "\(lie)") {
            _ = try await derived.make(derivation, of: file, .jpeg, by: pool.session())
        }
        #expect(names(in: folder).isEmpty, "\(lie)")
    }

    private func files(
        _ lie: String, _ home: TestHome
    ) throws -> (DerivedFiles, DecoderPool, FilePath) {
        let pool = DecoderPool(program: try HostileDecoder.program(lie, in: home), workers: 1)
        let folder = home.cache.appending("derived")
        return (
            DerivedFiles(folder: folder, logger: Logger(label: "test")), pool,
            folder
        )
    }
}
