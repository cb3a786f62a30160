// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Which files are one photo does not depend on the order in which they come, change and go.
@Suite(.serialized) struct JoiningTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test(arguments: 1...7)
    func `after any changes, the library shows what a new one would`(seed: UInt64) async throws {
        var random = Lottery(state: seed)
        let fixtures = [
            "jpg": ["live/photo.jpg", "live/exported.jpg", "orientation/6.jpg", "png/rgb.png"],
            "heic": ["live/photo.heic", "formats/blocks.heic"],
            "mov": ["live/video.mov", "live/exported.mov"],
            "dng": ["raw/adobe.dng"], "cr2": ["raw/canon.cr2"], "cr3": ["raw/canon.cr3"],
        ]
        let library = try LiveLibrary(home, readsVideos: true)
        for _ in 1...25 {
            let type = try #require(fixtures.keys.sorted().randomElement(using: &random))
            let fixture = try #require(fixtures[type]?.randomElement(using: &random))
            let names = ["a", "b"].shuffled(using: &random)
            let paths = names.map { home.pictures.appending("\($0).\(type)") }
            // There may be no file to remove or rename.
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try? AtomicFile.remove(paths[0])
            case 1: try? AtomicFile.rename(paths[0], to: paths[1])
            default: try home.write(Self.content(of: fixture), to: paths[0])
            }
            if Bool.random(using: &random) { _ = try await library.settle(files: countFiles()) }
        }
        let fresh = try LiveLibrary(
            home, at: home.scratch.appending("fresh.db"), readsVideos: true)
        _ = try await fresh.settle(files: countFiles())
        let expected = try await Self.shown(in: fresh)
        try await eventually("the photos", is: expected) { try await Self.shown(in: library) }
        _ = try await library.settle(files: countFiles())
        #expect(try await Self.shown(in: library) == expected)
        await library.close()
        await fresh.close()
    }

    // MARK: -

    private func countFiles() throws -> Int { try Directory.entries(of: home.pictures).count }

    /// That of a fixture; a raw file with a date is of another day than all pictures.
    private static func content(of fixture: String) throws -> [UInt8] {
        var bytes = try Fixtures.bytes(fixture)
        guard fixture == "raw/canon.cr3" else { return bytes }
        let year = try #require(bytes.firstRange(of: Array("2026:".utf8)))
        bytes.replaceSubrange(year, with: "2021:".utf8)
        return bytes
    }

    /// The names of the files of each photo by their roles.
    private static func shown(in library: LiveLibrary) async throws -> Set<[String]> {
        let ids = try await library.reader.photos(in: .all, .everything).ids
        var names: [AssetID: [String]] = [:]
        for role in ResourceRole.allCases {
            for (id, located) in try await library.reader.located(ids, .current, role) {
                let files = located.paths.compactMap { $0.lastComponent?.string }
                names[id, default: []] += files.sorted().map { "\(role): \($0)" }
            }
        }
        return Set(names.values)
    }
}

/// Random numbers that are the same in every run.
struct Lottery: RandomNumberGenerator {
    var state: UInt64

    // SplitMix64, by Steele, Lea and Flood.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var result = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
        return result ^ (result >> 31)
    }
}
