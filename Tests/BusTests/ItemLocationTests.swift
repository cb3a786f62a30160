// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The result `location`: where a photo was taken, for apps that may know it.
@Suite(.serialized) struct ItemLocationTests {
    private static let granting = "grant location; pick newest most"

    private func items(
        _ kind: CallerKind, _ script: String, _ photos: [String] = ["location/exif.jpg"],
        asking: Bool = true, _ options: Vardict = [:]
    ) async throws -> [Vardict] {
        let picker = try await PickerSession.start(kind, photos: photos, script)
        var options = options
        options["media_types"] = ["image/*", "video/*"].variant
        options["max_count"] = UInt32(5).variant
        options["include_location"] = asking.variant
        let response = try await picker.client.response(try await picker.client.pick(options))
        let items = try #require(response.results.value("items", as: [Vardict].self))
        #expect(items.count == photos.count, "\(response.results)")
        return items
    }

    /// The items by media type, as latitude and longitude.
    private func positions(_ items: [Vardict]) throws -> [String: GeoPosition] {
        var positions: [String: GeoPosition] = [:]
        for item in items {
            guard let value = item["location"] else { continue }
            #expect(value.signature == "(dd)")
            positions[try #require(item.value("media_type", as: String.self))] = GeoPosition(value)
        }
        return positions
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.3 an app that may know the location is told it`(kind: CallerKind) async throws {
        let found = try positions(
            try await items(
                kind, Self.granting, ["location/exif.jpg", "location/phone.mov", "png/rgb.png"]))
        #expect(Set(found.keys) == ["image/jpeg", "video/quicktime"])
        for position in found.values {
            #expect(abs(position.latitude - 48.8584) < 1e-4)
            #expect(abs(position.longitude - 2.2945) < 1e-4)
        }
    }

    @Test func `an app in a sandbox is told nothing that the person did not grant`() async throws {
        #expect(try positions(try await items(.flatpak, "pick newest most")).isEmpty)
    }

    @Test(arguments: CallerKind.allCases)
    func `an app that did not ask is told nothing, whatever a backend grants`(
        kind: CallerKind
    ) async throws {
        #expect(try positions(try await items(kind, Self.granting, asking: false)).isEmpty)
    }

    @Test func `the location of a converted photo is that of its original`() async throws {
        let items = try await items(
            .flatpak, Self.granting, ["location/exif.jpg"], asking: true,
            ["formats": ["image/png"].variant, "max_dimension": UInt32(16).variant])
        #expect(try positions(items).keys.map(\.self) == ["image/png"])
    }

    @Test func `portal-pick prints location and preview`() async throws {
        let home = try TestHome()
        try home.write(
            Fixtures.bytes("location/exif.jpg"), to: home.pictures.appending("1.jpg"))
        let picker = try await PickerSession(.host, photos: 0, home: home)
        _ = try await picker.session.startBackend("pick newest most")
        let output = try await picker.session.run(
            Programs.path("portal-pick"),
            ["--max", "1", "--format", "json", "--include-location", "--preview"]
        ).output
        let text = output.filter { !$0.isWhitespace }
        #expect(text.contains("\"location\":[48.858"), "\(output)")
        #expect(text.contains("\"preview_uri\":\"file://"), "\(output)")
    }
}
