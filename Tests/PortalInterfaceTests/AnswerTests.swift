// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import Testing

@Suite struct AnswerTests {
    private static let id = "00112233445566778899aabbccddeeff"
    /// One or two photos, and all grants.
    private static var options: PickOptions {
        get throws {
            var options = PickOptions()
            options.count = try #require(CountLimits(minimum: 1, maximum: 2))
            options.wishes = [.persistent, .writable]
            return options
        }
    }

    @Test func `outcomes survive encoding and decoding`() throws {
        let asset = try #require(AssetID(Self.id))
        var clipped = PickedItem(.asset(asset), from: .library)
        clipped.clip = PixelRectangle(x: 1, y: 2, width: 30, height: 40)
        clipped.isClipTouched = true
        var turned = PickedItem(.asset(asset), from: .library)
        turned.rotation = Rotation(quarters: 3, hundredths: -250)
        turned.isClipTouched = true
        var seen = PickedItem(.asset(asset), from: .library)
        seen.version = FileVersion(
            device: .max, inode: 1, byteCount: .max, modified: -1,
            changed: 1_777_810_259_000_000_000)
        for outcome: PickOutcome in [
            .cancelled, .ended,
            .picked([
                PickedItem(.asset(asset), from: .library),
                PickedItem(.uri("file:///tmp/a.jpg"), from: .files),
            ]),
            .picked([PickedItem(.asset(asset), from: .library)], granting: .writable),
            .picked([clipped, seen]), .picked([turned]),
        ] {
            #expect(
                try BackendAnswer.decode(BackendAnswer.encode(outcome), to: Self.options) == outcome
            )
        }
    }

    /// Replies of a broken or foreign backend.
    @Test(
        arguments: [
            [:],
            ["selection": .string("x")],
            ["selection": .array(element: "s", [])],
            ["selection": [Vardict]().variant],
            ["selection": [item(), item(), item()].variant],
            ["selection": [["id": .string(id)]].variant],
            ["selection": [["id": .string("x"), "source": .string("library")]].variant],
            ["selection": [["id": .uint32(1), "source": .string("library")]].variant],
            ["selection": [["source": .string("library")]].variant],
            ["selection": [item("turn", .uint32(45))].variant],
            ["selection": [item("turn", .int32(90))].variant],
            ["selection": [item("angle", .double(45.5))].variant],
            ["selection": [item("angle", .double(.nan))].variant],
            ["selection": [item("angle", .uint32(1))].variant],
            [
                "selection": [
                    ["id": .string(id), "uri": .string("x"), "source": .string("library")]
                ].variant
            ],
            ["selection": [["id": .string(id), "source": .string("theft")]].variant],
            ["selection": [item().merging(["clip": .string("all")]) { $1 }].variant],
            [
                "selection": [
                    item().merging(["clip": PixelSize(width: 1, height: 1).variant]) { $1 }
                ].variant
            ],
            ["selection": [item().merging(["version": .uint64(1)]) { $1 }].variant],
            [
                "selection": [
                    item().merging(["version": PixelSize(width: 1, height: 1).variant]) { $1 }
                ].variant
            ],
            ["selection": [item()].variant, "writable": .string("yes")],
            ["selection": [item()].variant, "persistent": .uint32(1)],
        ] as [Vardict])
    func `invalid replies are rejected`(results: Vardict) throws {
        #expect(throws: BackendAnswer.Garbage.self) {
            try BackendAnswer.decode(Arguments(UInt32(0), results), to: Self.options)
        }
    }

    @Test func `an item from a source that the app did not ask for is rejected`() throws {
        let items = [PickedItem(.uri("file:///a.jpg"), from: .files)]
        let reply = BackendAnswer.encode(.picked(items, granting: .none))
        var options = try Self.options
        options.sources = [.files, .clipboard]
        #expect(
            try BackendAnswer.decode(reply, to: options) == .picked(items, granting: .none))
        options.sources = [.library]
        #expect(throws: BackendAnswer.Garbage.self) {
            try BackendAnswer.decode(reply, to: options)
        }
    }

    @Test func `only requested wishes are granted`() throws {
        var options = try Self.options
        options.wishes = .persistent
        let asset = try #require(AssetID(Self.id))
        let items = [PickedItem(.asset(asset), from: .library)]
        let reply = BackendAnswer.encode(.picked(items, granting: [.persistent, .writable]))
        #expect(
            try BackendAnswer.decode(reply, to: options) == .picked(items, granting: .persistent))
    }

    @Test(
        arguments: [(1, PickOutcome.cancelled), (2, .ended), (3, .ended), (.max, .ended)]
            as [(UInt32, PickOutcome)])
    func `unknown response codes mean ended`(code: UInt32, outcome: PickOutcome) throws {
        #expect(try BackendAnswer.decode(Arguments(code, [:]), to: Self.options) == outcome)
    }

    @Test func `a delivery survives encoding and decoding`() throws {
        var delivery = Delivery(
            items: [
                Delivery.Item(
                    id: Self.id, uri: "file:///a%20b.jpg", mediaType: .jpeg, name: "a b.jpg",
                    size: PixelSize(width: 40, height: 30), byteCount: 1 << 40, taken: -5,
                    modified: 1_700_000_000, source: .library),
                Delivery.Item(
                    id: "", uri: "file:///c", mediaType: .png, name: "c", size: nil, byteCount: 0,
                    taken: nil, modified: 0, source: .files),
            ],
            failures: [Delivery.Failure(id: Self.id, code: .notFound, message: "gone")])
        delivery.items[0].clip = PixelRectangle(x: 0, y: 5, width: 30, height: 30)
        delivery.items[0].rotation = Rotation(quarters: 1, hundredths: 1)
        delivery.items[0].isClipTouched = true
        delivery.items[0].isFavorite = true
        delivery.items[0].alternativeText = "A boat"
        let vardict = delivery.vardict
        #expect(Delivery(vardict) == delivery)
        #expect(vardict.value("uris", as: [String].self) == ["file:///a%20b.jpg", "file:///c"])
    }

    private static func item() -> Vardict {
        ["id": .string(id), "source": .string("library")]
    }

    private static func item(_ key: String, _ value: Variant) -> Vardict {
        item().merging([key: value]) { $1 }
    }
}
