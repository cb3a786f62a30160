// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// With `thumbnail_size` and `preview`, small pictures come with each photo.
@Suite(.serialized) struct ItemThumbnailTests {
    @Test(arguments: CallerKind.allCases)
    func `each photo comes with a small picture without metadata`(kind: CallerKind) async throws {
        let picker = try await picker(kind, ["location/exif.jpg", "orientation/6.jpg"])
        let options: Vardict = [
            "thumbnail_size": UInt32(16).variant, "include_location": true.variant,
        ]
        let items = try await items(picker, options)
        #expect(items.count == 2)
        for item in items {
            let thumbnail = try #require(item.thumbnail)
            #expect(thumbnail != item.uri)
            let facts = try await facts(of: thumbnail, picker)
            let sides = facts["ImageSize"]?.split(separator: "x").compactMap { Int($0) } ?? []
            #expect(sides.max() == 16)
            let size = try #require(item.size)
            #expect((sides.first == 16) == (size.width >= size.height), "\(sides)")
            #expect(facts["GPSLatitude"] == nil && facts["Orientation"] == nil)
        }
        // The same again is not made again.
        #expect(try await self.items(picker, options).map(\.thumbnail) == items.map(\.thumbnail))
    }

    @Test func `without the option there is none`() async throws {
        let picker = try await picker(.host, ["png/rgb.png"])
        #expect(try await items(picker).map(\.thumbnail) == [nil])
    }

    @Test func `a video has none`() async throws {
        let picker = try await picker(.host, ["video/moving.mp4"])
        let options: Vardict = [
            "thumbnail_size": UInt32(16).variant, "media_types": ["video/*"].variant,
        ]
        #expect(try await items(picker, options).map(\.thumbnail) == [nil])
    }

    @Test func `a part of a photo comes with a picture of that part`() async throws {
        let picker = try await picker(.host, ["jpeg/baseline.jpg"])
        let options: Vardict = [
            "thumbnail_size": UInt32(8).variant, "clip_mode": "required".variant,
        ]
        let item = try #require(try await items(picker, options).first)
        let thumbnail = try #require(item.thumbnail)
        #expect(try await facts(of: thumbnail, picker)["ImageSize"] == "8x8")
    }

    @Test(arguments: CallerKind.allCases)
    func `a photo that is small itself is its own small picture`(kind: CallerKind) async throws {
        let picker = try await picker(kind, ["png/rgb.png"])
        let options: Vardict = ["thumbnail_size": UInt32(4096).variant]
        let item = try #require(try await items(picker, options).first)
        #expect(item.thumbnail == item.uri)
    }

    @Test func `a photo that is scaled down has no larger picture`() async throws {
        let picker = try await picker(.host, ["orientation/6.jpg"])
        let options: Vardict = [
            "thumbnail_size": UInt32(4096).variant, "max_dimension": UInt32(20).variant,
        ]
        let item = try #require(try await items(picker, options).first)
        let size = try #require(item.size)
        #expect(max(size.width, size.height) == 20)
        let thumbnail = try #require(item.thumbnail)
        #expect(
            try await facts(of: thumbnail, picker)["ImageSize"] == "\(size.width)x\(size.height)")
    }

    // MARK: - Previews

    @Test(arguments: CallerKind.allCases)
    func `S2.12 each photo comes with a preview, which never tells the place`(
        kind: CallerKind
    ) async throws {
        let picker = try await picker(
            kind, ["location/exif.jpg", "png/rgb.png"], "grant location; pick newest most")
        try picker.home.write(
            Array("P5 2000 1000 255\n".utf8) + [UInt8](repeating: 90, count: 2_000_000),
            to: picker.home.pictures.appending("large.pgm"))
        let options: Vardict = [
            "preview": true.variant, "thumbnail_size": UInt32(16).variant,
            "include_location": true.variant,
        ]
        let items = try await eventually("all photos") { () async throws -> [Delivery.Item]? in
            let items = try await self.items(picker, options)
            return items.count == 3 ? items : nil
        }
        var sizes: [String: String] = [:]
        for item in items {
            let preview = try #require(item.preview)
            #expect(preview != item.thumbnail)
            let facts = try await facts(of: preview, picker)
            #expect(facts["GPSLatitude"] == nil)
            sizes[item.mediaType.rawValue] = facts["ImageSize"]
        }
        #expect(sizes.values.contains("1280x640"), "\(sizes)")
        let photo = try #require(items.first { $0.mediaType == .jpeg })
        #expect(try await facts(of: photo.uri, picker)["GPSLatitude"] != nil)
        #expect(sizes["image/jpeg"] == photo.size.map { "\($0.width)x\($0.height)" })
        // Nothing had to be made of it.
        let plain = try #require(items.first { $0.mediaType == .png })
        #expect(plain.preview == plain.uri)
    }

    @Test func `without the option there is no preview, and a video has none`() async throws {
        let picker = try await picker(.host, ["png/rgb.png", "video/moving.mp4"])
        let types = ["image/*", "video/*"].variant
        let items = try await items(picker, ["media_types": types])
        #expect(items.count == 2 && items.allSatisfy { $0.preview == nil })
        let others = try await self.items(
            picker, ["media_types": types, "preview": true.variant])
        #expect(others.filter { $0.preview == nil }.map(\.mediaType) == [.mp4])
    }

    @Test func `a photo that is scaled down has no larger preview`() async throws {
        let picker = try await picker(.host, ["orientation/6.jpg"])
        let options: Vardict = ["preview": true.variant, "max_dimension": UInt32(20).variant]
        let item = try #require(try await items(picker, options).first)
        let size = try #require(item.size)
        let preview = try #require(item.preview)
        #expect(
            try await facts(of: preview, picker)["ImageSize"] == "\(size.width)x\(size.height)")
    }

    // MARK: - Helpers

    private func picker(
        _ kind: CallerKind, _ photos: [String], _ script: String = "pick newest most"
    ) async throws -> PickerSession {
        try await PickerSession.start(kind, photos: photos, script)
    }

    private func items(
        _ picker: PickerSession, _ options: Vardict = [:]
    ) async throws -> [Delivery.Item] {
        var options = options
        options["max_count"] = UInt32(5).variant
        let handle = try await picker.client.pick(options)
        let response = try await picker.client.response(handle)
        return try #require(Delivery(response.results), "\(response.results)").items
    }

    /// What ExifTool says of a file.
    private func facts(of uri: String, _ picker: PickerSession) async throws -> [String: String] {
        let path = try #require(FileURI.path(uri))
        let lines = try await picker.session.run(
            "/usr/bin/exiftool",
            ["-S", "-n", "-ImageSize", "-GPSLatitude", "-Orientation", path.string]
        ).output.split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
                return (parts.first ?? "", parts.last ?? "")
            }
        ) { $1 }.mapValues { $0.replacing(" ", with: "x") }
    }
}
