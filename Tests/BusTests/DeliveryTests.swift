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

/// An app receives the files as they are at the time of delivery.
@Suite(.serialized) struct DeliveryTests {
    @Test(arguments: CallerKind.allCases)
    func `a file that disappears is reported, and the rest is delivered`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind, photos: 3)
        let first = try await picker.session.startBackend("pick newest 3")
        let all = try #require(
            Delivery(try await picker.client.response(try await picker.client.pick()).results))
        let known = try await picker.libraryIDs()
        try await picker.session.replace(
            first, "delay 100ms; pick ids \(known.joined(separator: " "))")
        let handle = try await picker.client.pick()
        let victim = all.items[1]
        try AtomicFile.remove(picker.home.pictures.appending(victim.name))
        let response = try await picker.client.response(handle)
        try #require(response.code == 0)
        let delivery = try #require(Delivery(response.results))
        #expect(delivery.items.map(\.id) == [all.items[0].id, all.items[2].id])
        #expect(delivery.failures.map(\.id) == [victim.id])
        #expect(delivery.failures.map(\.code) == [.notFound])
        // Once the library has noticed it, it knows no name any more.
        let (_, count, _) = try await picker.session.run(
            "sqlite3", [picker.home.database.string, "SELECT count(*) FROM file"])
        let named = "“\(victim.name)” is gone or cannot be opened."
        let allowed = count == "3\n" ? [named] : [named, "A photo is gone or cannot be opened."]
        #expect(delivery.failures.map(\.message).allSatisfy(allowed.contains))
        #expect(delivery.failures.count == 1)
    }

    @Test(arguments: CallerKind.allCases)
    func `if nothing can be delivered the response is 2, with reasons`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind, photos: 1)
        _ = try await picker.session.startBackend("pick files file:///nonexistent.jpg")
        let handle = try await picker.client.open()
        let response = try await picker.client.response(handle)
        #expect(response.code == 2)
        #expect(response.results.value("uris", as: [String].self) == [])
        #expect(Delivery(response.results)?.failures.map(\.code) == [.notFound])
    }

    @Test(
        arguments: [
            ("text.txt", Array("hello".utf8), Delivery.Failure.Code.unreadable),
            ("empty.jpg", [], .unreadable),
            ("movie.mp4", [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8), .wrongType),
        ] as [(String, [UInt8], Delivery.Failure.Code)])
    func `a backend cannot deliver more than was requested`(
        name: String, content: [UInt8], code: Delivery.Failure.Code
    ) async throws {
        let picker = try await PickerSession(photos: 1)
        let path = picker.home.scratch.appending(FilePath(name).components)
        try picker.home.write(content, to: path)
        let uri = try #require(FileURI.make(path))
        _ = try await picker.session.startBackend("pick files \(uri)")
        let handle = try await picker.client.open()
        let response = try await picker.client.response(handle)
        #expect(response.code == 2)
        #expect(Delivery(response.results)?.failures.map(\.code) == [code])
    }

    @Test(arguments: [
        "file:///etc", "file:///dev/zero", "http://example.org/a.jpg", "/etc/passwd", "file://",
        "file:///etc/passwd",
    ])
    func `a backend cannot deliver anything but pictures`(uri: String) async throws {
        let picker = try await PickerSession(photos: 1)
        _ = try await picker.session.startBackend("pick files \(uri)")
        let handle = try await picker.client.open()
        #expect(try await picker.client.response(handle).code == 2)
    }

    @Test(arguments: CallerKind.allCases)
    func `names with spaces, punctuation, newlines and other bytes arrive as URIs that open`(
        kind: CallerKind
    )
        async throws
    {
        let picker = try await PickerSession(kind, photos: 0)
        let names: [[UInt8]] = [
            Array("a b.jpg".utf8), Array("100%.jpg".utf8), Array("a\nb.jpg".utf8),
            [0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67], Array("ä#?;.jpg".utf8),
        ]
        for (number, name) in names.enumerated() {
            let characters = name.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
            try picker.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [UInt8(number)],
                to: picker.home.pictures.appending(
                    try #require(FilePath.Component(platformString: characters))))
        }
        _ = try await picker.session.startBackend("pick newest most")
        let delivery = try await eventually("all five") {
            let handle = try await picker.client.pick(["max_count": UInt32(5).variant])
            let delivery = Delivery(try await picker.client.response(handle).results)
            return delivery?.items.count == 5 ? delivery : nil
        }
        // An app shows a name in one line.
        #expect(
            delivery.items.map(\.name).sorted()
                == ["100%.jpg", "a b.jpg", "a b.jpg", "ä#?;.jpg", "\u{FFFD}\u{FFFD}.jpg"])
        for item in delivery.items {
            let path = try #require(FileURI.path(item.uri))
            #expect(try Descriptor.openForReading(path).read(upTo: 3) == [0xFF, 0xD8, 0xFF])
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `only photos that the app has received can be preselected`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind, photos: 3)
        let backend = try await picker.session.startBackend(
            "pick newest 1", "pick newest 1", "pick preselected")
        let known = try #require(try await picker.libraryIDs().first)
        let first = try await picker.client.open()
        let given = try #require(
            Delivery(try await picker.client.response(first).results)?.items.first?.id)
        let other = "00000000000000000000000000000000"
        let second = try await picker.client.pick([
            "preselected": [other, given, "nonsense"].variant
        ])
        let delivery = Delivery(try await picker.client.response(second).results)
        #expect(delivery?.items.map(\.id) == [given])
        #expect(backend.events.last?.contains("\"preselected\":[\"\(known)\"]") == true)
    }

    @Test(arguments: CallerKind.allCases)
    func `dates and sizes are those of the upright photo`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind, photos: 0)
        try picker.home.write(
            Fixtures.bytes("jpeg/dated.jpg"), to: picker.home.pictures.appending("dated.jpg"))
        try picker.home.write(
            Fixtures.bytes("orientation/6.jpg"), to: picker.home.pictures.appending("turned.jpg"))
        _ = try await picker.session.startBackend("pick newest most")
        let items = try await eventually("both") {
            let handle = try await picker.client.pick(["max_count": UInt32(2).variant])
            let items = Delivery(try await picker.client.response(handle).results)?.items
            return items?.count == 2 ? items : nil
        }
        #expect(items.first { $0.name == "dated.jpg" }?.taken == 1_777_810_259)
        #expect(items.first { $0.name == "turned.jpg" }?.size == PixelSize(width: 48, height: 32))
        #expect(items.first { $0.name == "turned.jpg" }?.taken == nil)
    }
}
