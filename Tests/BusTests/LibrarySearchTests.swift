// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The option `search` of `GetAssets`, for apps with and without a sandbox, and `portal-pick search`.
@Suite(.serialized) struct LibrarySearchTests {
    /// A session with a photo that says something, and one that does not.
    private func start(_ kind: CallerKind) async throws -> LibrarySession {
        let session = try await LibrarySession(kind, photos: 2)
        let home = session.picker.home
        try home.write(
            Fixtures.bytes("texts/details.jpg"), to: home.pictures.appending("boats.jpg"))
        return session
    }

    private func find(
        _ text: String, _ session: LibrarySession, in album: String = "all",
        _ options: Vardict = [:]
    ) async throws -> (names: [String], total: UInt64) {
        let (assets, total) = try await session.library.assets(
            in: album, options.merging(["search": text.variant]) { first, _ in first })
        return (assets.compactMap { $0.value("name", as: String.self) }.sorted(), total)
    }

    @Test(arguments: CallerKind.allCases)
    func `an authorized app finds photos by their words, and reads them`(
        kind: CallerKind
    ) async throws {
        let session = try await start(kind)
        try await session.setPermission("yes", of: session.picker.app?.appID ?? "")
        try await eventually("the photo") {
            try await find("summer", session) == (["boats.jpg"], 1)
        }
        #expect(try await find("muller nikon", session) == (["boats.jpg"], 1))
        #expect(try await find("photo", session).total == 3)
        #expect(try await find("phot", session) == (["photo 1.jpg", "photo 2.jpg"], 2))
        #expect(try await find("photo", session, ["limit": UInt32(1).variant]).total == 3)
        #expect(try await find("pictur", session).total == 3)
        #expect(try await find("summer", session, ["media_types": ["video/*"].variant]) == ([], 0))
        #expect(try await find("\" OR (", session).total == 0)
        #expect(try await find("", session).total == 3)
        let asset = try #require(
            try await session.library.assets(in: "all", ["search": "boats".variant]).assets.first)
        #expect(asset.value("title") == "Summer & sea")
        #expect(asset.value("alt") == "Two boats, one is red")
        #expect(asset.value("keywords") == ["boat", "Müller", "日落"])
        #expect(asset.value("rating", as: UInt32.self) == 4)
        #expect(asset.value("camera") == "NIKON D90")
        #expect(asset.value("lens") == "35mm f/1.8")
        #expect(asset.value("has_place", as: Bool.self) == true)
        #expect(asset["duration"] == nil)
        // Nothing tells the place.
        #expect(!"\(asset)".contains("48.8") && !"\(asset)".contains("2.29"))
        let plain = try #require(
            try await session.library.assets(in: "all", ["search": "phot".variant]).assets.first)
        #expect(plain.value("has_place", as: Bool.self) == false)
        for key in ["title", "alt", "keywords", "rating", "camera", "lens"] {
            #expect(plain[key] == nil, "\(key)")
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `a limited app finds only what it was given, and nothing by folders`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.picker.session.startBackend("allow limited", "pick newest 2")
        #expect(try await session.ask().authorization == 4)
        #expect(try await find("photo", session) == ([], 0))
        let picker = session.picker.client
        _ = try await picker.response(picker.pick())
        try await eventually("what was given") { try await find("phot", session).total == 2 }
        #expect(try await find("photo", session).total == 2)
        // Without “es” it is a word of the folder alone.
        #expect(try await find("pictur", session).total == 0)
        #expect(try await find("photo", session, ["offset": UInt32(2).variant]) == ([], 2))
    }

    @Test(
        arguments: [
            Variant.uint32(1), ["a"].variant, String(repeating: "a", count: 257).variant,
        ])
    func `a search that is too long or no text is refused`(value: Variant) async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: "all", ["search": value]).total
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains("'search'") == true)
    }

    @Test func `portal-pick searches`() async throws {
        let session = try await start(.host)
        try await session.setPermission("yes", of: "")
        func shell(_ words: String...) async throws -> (Int32, String, String) {
            let result = try await session.picker.session.run("portal-pick", words)
            return (result.status, result.output, result.errors)
        }
        try await eventually("the photo") { try await find("summer", session).total == 1 }
        let found = try await shell("search", "red", "boat")
        #expect(found.0 == 0)
        #expect(found.1.hasSuffix("\timage/jpeg\tboats.jpg\n"))
        #expect(try await shell("search", "two boats", "--album", "recent").1 == found.1)
        #expect(try await shell("search", "\"boats two\"") == (0, "", ""))
        #expect(
            try await shell("search", "photo", "--limit", "1").1.split(separator: "\n").count == 1)
        #expect(
            try await shell("search", "boats", "--format", "json").1
                .contains(#""title" : "Summer & sea""#))
        #expect(try await shell("search").0 == 64)
        #expect(try await shell("search", "a", "--album", "no-such-album").0 == 2)
        #expect(try await shell("search", String(repeating: "a", count: 300)).0 == 64)
        let id = String(found.1.prefix(32))
        #expect(try await shell("show", id).1.contains("keywords: boat, Müller, 日落\n"))
    }
}
