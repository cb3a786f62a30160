// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// With `thumbnail_size`, a small picture comes with each photo.
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

    // MARK: - Helpers

    private func picker(_ kind: CallerKind, _ photos: [String]) async throws -> PickerSession {
        let home = try TestHome()
        for (number, photo) in photos.enumerated() {
            let ending = FilePath(photo).extension ?? ""
            try home.write(
                Fixtures.bytes(photo), to: home.pictures.appending("\(number).\(ending)"))
        }
        let picker = try await PickerSession(kind, photos: 0, home: home)
        _ = try await picker.session.startBackend("pick newest most")
        return picker
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
