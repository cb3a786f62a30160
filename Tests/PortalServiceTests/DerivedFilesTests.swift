// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Logging
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import PortalService

/// Files that are made of photos, for several requests at the same time.
@Suite(.serialized) struct DerivedFilesTests {
    @Test func `a file that several requests make at once is there for each of them`()
        async throws
    {
        let home = try TestHome()
        let pool = DecoderPool(program: try HostileDecoder.program("honest", in: home), workers: 4)
        defer { pool.close() }
        let folder = home.cache.appending("derived")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: folder, logger: logger)
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let made = try await withThrowingTaskGroup(of: DerivedFiles.Made?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await derived.make(
                        Derivation(removesLocation: true), of: file, .jpeg, by: pool.session())
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names(in: folder).count == 1)
        for made in made {
            let made = try #require(made)
            // A document of a file without a name cannot be made, and a path must lead to it.
            #expect(try made.file.information().linkCount == 1)
            #expect(try FileIdentity(made.file.information()) == FileIdentity(of: made.path))
        }
    }

    @Test func `an app that has a file does not see each time that another one receives it`()
        async throws
    {
        let home = try TestHome()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: home.cache.appending("derived"), logger: logger)
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let pool = DecoderPool(program: try HostileDecoder.program("honest", in: home), workers: 1)
        defer { pool.close() }
        func age(after seconds: Int) async throws -> Int {
            let derivation = Derivation(removesLocation: true)
            func make() async throws -> DerivedFiles.Made {
                try #require(
                    try await derived.make(derivation, of: file, .jpeg, by: pool.session()))
            }
            let path = try await make().path
            home.setDate(of: path, time(nil) - seconds)
            _ = try await make()
            return time(nil) - Int(try path.stat().st_mtim.tv_sec)
        }
        #expect(try await age(after: 3600) >= 3600)
        // But it is kept for thirty days after its last delivery.
        #expect(try await age(after: 2 * 86_400) < 3600)
    }

    /// A later version may find a location that an earlier one left.
    @Test func `a file that another version of the decoder made is not delivered`() async throws {
        let home = try TestHome()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: home.cache.appending("derived"), logger: logger)
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let program = try HostileDecoder.program("honest", in: home)
        func make() async throws -> DerivedFiles.Made {
            let pool = DecoderPool(program: program, workers: 1)
            defer { pool.close() }
            return try #require(
                try await derived.make(
                    Derivation(removesLocation: true), of: file, .jpeg, by: pool.session()))
        }
        let old = try await make()
        #expect(try await make().path == old.path)
        // All runs have this program in common; so each sets another date.
        home.setDate(of: program, .random(in: 1_000_000_000..<1_600_000_000))
        #expect(try await make().path != old.path)
    }
}
