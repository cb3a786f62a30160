// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalInterface
import SDBus
import SystemPackage
import Testing

/// The arguments and the reply of `PreviewImages`.
@Suite struct PreviewAnswerTests {
    private static let id = "00112233445566778899aabbccddeeff"
    private static let images: [Vardict] = [
        ["id": id.variant], ["uri": "file:///tmp/a.jpg".variant],
    ]

    private static func call(
        _ images: [Vardict] = images, _ options: Vardict = [:]
    ) throws(DBusError) -> PreviewCall {
        try PreviewAnswer.call(
            of: .unknown, parentWindow: "", title: "", images, options)
    }

    @Test func `a call survives its way to the backend`() throws {
        let file = try Descriptor.openForReading("/dev/null")
        var call = try Self.call(
            Self.images + [["fd": file.variant], ["fd": file.variant], Self.images[0]],
            [
                "index": UInt32(4).variant, "allow_remove": true.variant, "modal": false.variant,
                "unknown": 1.5.variant,
            ])
        #expect(call.request.first == 4)
        #expect(call.request.allowsRemoving)
        #expect(!call.request.isModal)
        #expect(call.files == [file, file])
        #expect(call.request.images.suffix(3).first == .file(0))
        let handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_2/t"
        call.request.handle = handle.rawValue
        #expect(try PreviewAnswer.decode(PreviewAnswer.encode(call, at: handle)) == call)
    }

    @Test func `S2.21 a picture of the web survives its way, with what stands for it`() throws {
        let file = try Descriptor.openForReading("/dev/null")
        let uri = "https://example.org/a.jpg?size=5"
        let call = try Self.call([
            ["uri": uri.variant], ["uri": uri.variant, "thumbnail": Self.id.variant],
            ["uri": "HTTPS://example.org".variant, "thumbnail": file.variant],
        ])
        let id = try #require(AssetID(Self.id))
        #expect(
            call.request.images == [
                .web(uri, thumbnail: nil), .web(uri, thumbnail: .asset(id)),
                .web("HTTPS://example.org", thumbnail: .file(0)),
            ])
        #expect(call.files == [file])
        #expect(
            try PreviewAnswer.decode(PreviewAnswer.encode(call, at: "/")).request.images
                == call.request.images)
    }

    @Test(
        arguments: [
            "https://", "https:", "https:///a.jpg", "https://:443/", "https://user@example.org/",
            "https://user:word@example.org/a.jpg", "https://example.org\\@other.example/",
            "https://exämple.org/", "https://example.org/a b", "https://example.org/\r\nHost: x",
        ])
    func `S2.21 an https URI without a host, with a user or of other characters is wrong`(
        uri: String
    ) {
        let error = #expect(throws: DBusError.self) { try Self.call([["uri": uri.variant]]) }
        #expect(error?.name == .portalInvalidArgument)
    }

    @Test func `defaults are not sent`() throws {
        let sent = PreviewAnswer.encode(try Self.call(), at: "/x").values.4
        #expect(Set(sent.keys) == ["images"])
    }

    @Test(
        arguments: [
            ([], "1 to 1000 images, got 0"),
            (Array(repeating: images[0], count: 1001), "1 to 1000 images, got 1001"),
            (Array(repeating: images[0], count: 10_000), "1 to 1000 images, got 10000"),
            ([images[0], [:]], "Image 1: Expected one of"),
            ([images[0].merging(images[1]) { $1 }], "Image 0: Expected one of"),
            ([["id": UInt32(1).variant]], "Image 0: Expected type 's' for option 'id'"),
            ([["fd": "x".variant]], "Image 0: Expected type 'h' for option 'fd'"),
            (
                [["uri": "https://a.example/".variant, "thumbnail": UInt32(1).variant]],
                "Image 0: Expected type 's' or 'h' for option 'thumbnail'"
            ),
            (
                [images[1].merging(["thumbnail": id.variant]) { $1 }],
                "Image 0: Expected 'thumbnail' only with 'uri' of the web"
            ),
            ([["fd": .descriptor(nil)]], "Image 0: Expected type 'h' for option 'fd'"),
            (
                [["uri": ("file:///" + String(repeating: "a", count: 4090)).variant]],
                "Image 0: Expected at most 4096 bytes for option 'uri'"
            ),
        ] as [([Vardict], String)])
    func `a wrong list is an error that names the picture`(images: [Vardict], text: String) {
        let error = #expect(throws: DBusError.self) { try Self.call(images) }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test func `at most 16 files are open`() throws {
        let file = try Descriptor.openForReading("/dev/null")
        let images = Array(repeating: ["fd": file.variant] as Vardict, count: 17)
        #expect(try Self.call(Array(images.dropLast())).files.count == 16)
        let error = #expect(throws: DBusError.self) { try Self.call(images) }
        #expect(error?.message.contains("at most 16") == true)
    }

    @Test(arguments: [
        "http://example.org/a.jpg", "ftp://example.org/", "", "a.jpg", "/a.jpg", "data:image/png,",
    ])
    func `a URI that is neither one of a file nor of https is not supported`(uri: String) {
        let error = #expect(throws: DBusError.self) {
            try Self.call([Self.images[0], ["uri": uri.variant]])
        }
        #expect(error?.name == .notSupported)
        #expect(error?.message.hasPrefix("Image 1: ") == true)
    }

    @Test func `a text that can be no id is an unknown photo`() {
        let error = #expect(throws: DBusError.self) { try Self.call([["id": "x".variant]]) }
        #expect(error?.name == .portalNotFound)
    }

    @Test(
        arguments: [
            ["index": UInt32(2).variant], ["index": UInt32.max.variant], ["index": "0".variant],
            ["allow_remove": UInt32(1).variant], ["modal": "yes".variant],
        ] as [Vardict])
    func `a wrong option is an error that names it`(options: Vardict) throws {
        let error = #expect(throws: DBusError.self) { try Self.call(Self.images, options) }
        #expect(error?.name == .portalInvalidArgument)
        let key = try #require(options.keys.first)
        #expect(error?.message.contains("'\(key)'") == true, "\(error?.message ?? "")")
    }

    // MARK: - Reply

    @Test(arguments: [
        PreviewOutcome.closed(removed: []), .closed(removed: [1]), .closed(removed: [0, 1]),
        .cancelled, .ended,
    ])
    func `an outcome survives encoding and decoding`(outcome: PreviewOutcome) throws {
        let request = try Self.call(Self.images, ["allow_remove": true.variant]).request
        let reply = PreviewAnswer.encode(outcome, of: 2)
        #expect(try PreviewAnswer.decode(reply, to: request) == outcome)
    }

    /// Replies of a broken or foreign backend to two pictures.
    @Test(
        arguments: [
            (nil, []), ([0, 1], nil), ([0], []), ([], []), ([0, 1], [1]), ([0, 1, 2], []),
            ([0, 1], [2]), ([1, 0], []), ([0, 0], [1]), ([], [1, 0]), ([0, 1], [UInt32.max]),
            ([0, 0, 1], []),
        ] as [([UInt32]?, [UInt32]?)])
    func `indices that are not all pictures once are rejected`(
        remaining: [UInt32]?, removed: [UInt32]?
    ) throws {
        let request = try Self.call(Self.images, ["allow_remove": true.variant]).request
        var results: Vardict = [:]
        results["remaining"] = remaining?.variant
        results["removed"] = removed?.variant
        #expect(throws: PreviewAnswer.Garbage.self) {
            try PreviewAnswer.decode(Arguments(0, results), to: request)
        }
    }

    @Test func `nothing is removed without leave`() throws {
        let reply = PreviewAnswer.encode(.closed(removed: [0]), of: 2)
        #expect(throws: PreviewAnswer.Garbage.self) {
            try PreviewAnswer.decode(reply, to: Self.call().request)
        }
    }

    @Test(
        arguments: [(1, .cancelled), (2, .ended), (7, .ended)] as [(UInt32, PreviewOutcome)])
    func `other codes need no results`(code: UInt32, outcome: PreviewOutcome) throws {
        #expect(
            try PreviewAnswer.decode(Arguments(code, [:]), to: Self.call().request) == outcome)
    }
}
