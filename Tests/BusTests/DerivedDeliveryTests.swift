// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Apps receive photos in the requested form, and without their location.
@Suite(.serialized) struct DerivedDeliveryTests {
    /// A session with one photo that has a location, and the name of its file.
    private func session(_ kind: CallerKind) async throws -> (PickerSession, FilePath) {
        let picker = try await PickerSession(kind, photos: 0)
        let path = picker.home.scratch.appending("tower.jpeg")
        try picker.home.write(Fixtures.bytes("orientation/6.jpg"), to: path)
        let tagged = try await picker.session.run(
            "/usr/bin/exiftool",
            [
                "-q", "-overwrite_original", "-n", "-GPSLatitude=48.8584", "-GPSLatitudeRef=N",
                "-GPSLongitude=2.2945", "-GPSLongitudeRef=E", path.string,
            ])
        try #require(tagged.status == 0, "\(tagged.errors)")
        return (picker, path)
    }

    private func location(of item: Delivery.Item, _ picker: PickerSession) async throws -> String {
        let path = try #require(FileURI.path(item.uri))
        return try await picker.session.run(
            "/usr/bin/exiftool", ["-s3", "-n", "-GPSLatitude", path.string]
        ).output.split(separator: "\n").joined()
    }

    private func pick(
        _ picker: PickerSession, _ options: Vardict = [:]
    ) async throws -> Delivery {
        let handle = try await picker.client.open(options)
        let response = try await picker.client.response(handle)
        try #require(response.code == 0, "\(response.results)")
        return try #require(Delivery(response.results))
    }

    @Test(arguments: [false, true])
    func `a disk without room for a converted photo is named as the reason`(
        isReadOnly: Bool
    ) async throws {
        let home = try TestHome()
        let photo = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        let session = try await Session.start(home: home)
        let disk = home.cache.appending("photo-portal")
        try Directory.make(disk)
        let service = try session.start(
            "bwrap",
            [
                "--die-with-parent", "--dev-bind", "/", "/", "--size", "16384", "--tmpfs",
                disk.string,
            ] + (isReadOnly ? ["--remount-ro", disk.string] : []) + [
                "--", "sh", "-c",
                "head -c 20000 /dev/zero > \(disk)/fill; exec \(Programs.path("photo-portal"))",
            ])
        try await session.waitForOwner(of: "org.freedesktop.portal.PhotoPicker", service)
        _ = try await session.startBackend("pick files file://\(photo)")
        let client = try await Client(session)
        let response = try await client.response(
            client.pick(["formats": ["image/png"].variant]))
        #expect(response.code == 2)
        let failure = try #require(Delivery(response.results)?.failures.first)
        #expect(failure.code.rawValue == "no-space")
        let reason = isReadOnly ? "no copy can be stored" : "not enough space"
        #expect(failure.message.contains(reason), "\(failure.message)")
        // The photo itself needs no room.
        #expect(try await client.response(client.pick()).code == 0)
    }

    @Test func `a photo that cannot be made small enough is too large`() async throws {
        let (picker, path) = try await session(.host)
        _ = try await picker.session.startBackend("pick files file://\(path)")
        let response = try await picker.client.response(
            picker.client.pick(["max_bytes": UInt64(1).variant]))
        #expect(response.code == 2)
        let failure = try #require(Delivery(response.results)?.failures.first)
        #expect(failure.code.rawValue == "too-large")
        #expect(failure.message.contains("small enough"), "\(failure.message)")
    }

    @Test func `a host app gets the original file`() async throws {
        let (picker, path) = try await session(.host)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("pick files \(uri)")
        let delivery = try await pick(picker)
        #expect(delivery.items.map(\.uri) == [uri])
        #expect(delivery.withoutLocation == [] && delivery.converted == [])
    }

    @Test func `an app in a sandbox gets the location only if the person grants it`()
        async throws
    {
        let (picker, path) = try await session(.flatpak)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend(
            "pick files \(uri)", "grant location; pick files \(uri)",
            "grant location; pick files \(uri)")
        let asked: Vardict = ["include_location": true.variant]
        let hidden = try await pick(picker, asked)
        let item = try #require(hidden.items.first)
        #expect(hidden.withoutLocation == [item.uri] && hidden.converted == [])
        #expect(hidden.grants == Grants.none)
        #expect(item.name == "tower.jpg" && item.mediaType == .jpeg)
        #expect(try await location(of: item, picker) == "")
        let shown = try await pick(picker, asked)
        #expect(shown.grants == .location && shown.withoutLocation == [])
        #expect(try await location(of: try #require(shown.items.first), picker).hasPrefix("48.85"))
        // A grant that was not requested has no effect.
        let unasked = try await pick(picker)
        #expect(unasked.withoutLocation.count == 1)
    }

    @Test(arguments: CallerKind.allCases)
    func `a photo is delivered in the requested format and size`(
        kind: CallerKind
    ) async throws {
        let (picker, path) = try await session(kind)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("pick files \(uri)")
        let delivery = try await pick(
            picker,
            [
                "formats": ["image/png", "image/webp"].variant,
                "max_dimension": UInt32(24).variant,
            ])
        let item = try #require(delivery.items.first)
        #expect(item.mediaType == .png && item.name == "tower.png")
        #expect(item.uri.hasSuffix(".png"))
        #expect(item.size == PixelSize(width: 24, height: 16))
        #expect(delivery.converted == [item.uri])
        #expect(delivery.withoutLocation == (kind == .host ? [] : [item.uri]))
        let delivered = try #require(FileURI.path(item.uri))
        let bytes = try Descriptor.openForReading(delivered).read(upTo: 1 << 20)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(item.byteCount == UInt64(bytes.count))
        // The file is made only once.
        let again = try await pick(
            picker,
            [
                "formats": ["image/png", "image/webp"].variant,
                "max_dimension": UInt32(24).variant,
            ])
        #expect(again.items.first?.uri == item.uri)
        let folder = picker.home.cache.appending("photo-portal").appending("derived")
        #expect(names(in: folder).count == 1)
    }

    /// The photo is stored as 32 × 48 pixels and shown as 48 × 32.
    @Test(arguments: CallerKind.allCases)
    func `a part is delivered as chosen, or from the middle if it is required`(
        kind: CallerKind
    ) async throws {
        let (picker, path) = try await session(kind)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend(
            "clip 5 3 20 10; pick files \(uri)", "clip 5 3 20 10; pick files \(uri)",
            "pick files \(uri)", "pick files \(uri)", "pick files \(uri)",
            "clip 48 0 5 5; pick files \(uri)",
            "clip 5 3 20 10; turn 90; pick files \(uri)", "turn 180; pick files \(uri)",
            "turn 270 10; pick files \(uri)")
        let unasked = try #require(try await pick(picker).items.first)
        #expect(unasked.clip == nil && unasked.size == PixelSize(width: 48, height: 32))
        let mode: Vardict = ["clip_mode": "optional".variant]
        let chosen = try #require(try await pick(picker, mode).items.first)
        #expect(chosen.clip == PixelRectangle(x: 5, y: 3, width: 20, height: 10))
        #expect(chosen.isClipTouched && chosen.size == PixelSize(width: 20, height: 10))
        let none = try #require(try await pick(picker, mode).items.first)
        #expect(none.clip == nil && none.size == PixelSize(width: 48, height: 32))
        let avatar = try await pick(
            picker,
            [
                "clip_mode": "required".variant,
                "clip_size": PixelSize(width: 64, height: 64).variant,
            ])
        let middle = try #require(avatar.items.first)
        #expect(middle.clip == PixelRectangle(x: 8, y: 0, width: 32, height: 32))
        #expect(!middle.isClipTouched && middle.size == PixelSize(width: 64, height: 64))
        #expect(avatar.converted == [middle.uri])
        let whole = try await pick(
            picker,
            [
                "clip_mode": "required".variant,
                "clip_aspect": PixelSize(width: 3, height: 2).variant,
            ])
        #expect(whole.items.count == 1 && whole.items.first?.clip == nil)
        // There is nothing to deliver besides this photo.
        let handle = try await picker.client.open(mode)
        let response = try await picker.client.response(handle)
        #expect(response.code == 2)
        #expect(Delivery(response.results)?.failures.map(\.code) == [.unreadable])
        let turned = try #require(try await pick(picker, mode).items.first)
        #expect(turned.clip == chosen.clip && turned.rotation == Rotation(quarters: 1))
        #expect(turned.isClipTouched && turned.size == PixelSize(width: 10, height: 20))
        let around = try #require(try await pick(picker, mode).items.first)
        #expect(around.clip == nil && around.rotation == Rotation(quarters: 2))
        #expect(around.isClipTouched && around.size == PixelSize(width: 48, height: 32))
        // Nothing beside the photo may be seen.
        let leaning = try #require(try await pick(picker, mode).items.first)
        let part = try #require(leaning.clip)
        #expect(leaning.rotation == Rotation(quarters: 3, hundredths: 1000))
        #expect(part.isInside(PixelSize(width: 48, height: 32), leaning.rotation))
        #expect(part.width < 48 && leaning.size == part.size.transposed)
    }

    @Test(arguments: CallerKind.allCases)
    func `a photo and an app that name impossible sizes do not end the service`(
        kind: CallerKind
    ) async throws {
        let (picker, _) = try await session(kind)
        let path = picker.home.scratch.appending("line.png")
        var bytes = try Fixtures.bytes("png/rgb.png")
        // Width and height of the header: 1 × 4294967295.
        bytes.replaceSubrange(16..<24, with: [0, 0, 0, 1, 255, 255, 255, 255])
        try picker.home.write(bytes, to: path)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("pick files \(uri)", "pick files \(uri)")
        for width in [UInt32.max, 65_536] {
            await #expect(throws: DBusError.self) {
                _ = try await picker.client.open(options(aspect: Int(width)))
            }
        }
        let handle = try await picker.client.open(options(aspect: 65_535))
        let response = try await picker.client.response(handle)
        // The size is no size, so there is no part of it.
        #expect(response.code == 2, "\(response.results)")
        // It is still the same service. A sandboxed app gets no file that cannot be searched for a
        // location.
        let next = try await picker.client.response(try await picker.client.open())
        #expect(next.code == (kind == .host ? 0 : 2))
    }

    private func options(aspect width: Int) -> Vardict {
        [
            "clip_mode": "required".variant,
            "clip_aspect": PixelSize(width: width, height: 1).variant,
        ]
    }

    @Test func `an app in a sandbox gets a video without its location`() async throws {
        let picker = try await PickerSession(.flatpak, photos: 0)
        let path = picker.home.scratch.appending("trip.mp4")
        try picker.home.write(Fixtures.bytes("video/moving.mp4"), to: path)
        let tagged = try await picker.session.run(
            "/usr/bin/exiftool",
            ["-q", "-overwrite_original", "-n", "-Keys:GPSCoordinates=48.8584 2.2945", path.string])
        try #require(tagged.status == 0, "\(tagged.errors)")
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("pick files \(uri)")
        let delivery = try await pick(picker, ["media_types": ["video/*"].variant])
        let item = try #require(delivery.items.first)
        #expect(delivery.withoutLocation == [item.uri] && delivery.converted == [])
        #expect(item.mediaType == .mp4 && item.name == "trip.mp4")
        #expect(item.byteCount == UInt64(try path.stat().size))
        let delivered = try #require(FileURI.path(item.uri))
        let told = try await picker.session.run(
            "/usr/bin/exiftool", ["-G1", "-s", delivered.string])
        #expect(told.status == 0 && !told.output.contains("GPS"))
    }

    @Test func `derived files are read-only`() async throws {
        let (picker, path) = try await session(.flatpak)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("grant writable; pick files \(uri)")
        let delivery = try await pick(picker, ["writable": true.variant])
        let item = try #require(delivery.items.first)
        #expect(delivery.withoutLocation == [item.uri])
        let document = try #require(FileURI.path(item.uri))
        #expect(access(document.string, W_OK) != 0 || getuid() == 0)
        let folder = picker.home.cache.appending("photo-portal").appending("derived")
        let file = folder.appending(try #require(names(in: folder).first))
        #expect(try file.stat().permissions == .ownerRead)
    }

    @Test func `files that were not delivered for a month are removed when the service starts`()
        async throws
    {
        let session = try await Session.start()
        let folder = session.home.cache.appending("photo-portal").appending("derived")
        for (name, days) in [("old.jpg", 32), ("young.jpg", 30)] {
            let path = folder.appending(FilePath(name).components)
            try session.home.write([1], to: path)
            session.home.setDate(of: path, time(nil) - days * 86_400)
        }
        _ = try await session.startService()
        try await eventually("the sweep") {
            names(in: folder).map(\.string) == ["young.jpg"]
        }
    }
}
