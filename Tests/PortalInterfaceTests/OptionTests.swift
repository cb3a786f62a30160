// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import Testing

@Suite struct OptionTests {
    @Test func `no options give the documented defaults`() throws {
        let one = try ParsedOptions([:], of: .openImage)
        #expect(one.token == .standard)
        #expect(one.pick.count == .one)
        #expect(one.pick.isModal)
        #expect(one.pick.mediaTypes == .images)
        #expect(!one.isDetached)
        let several = try ParsedOptions([:], of: .pickImages)
        #expect(several.pick.count == CountLimits(minimum: 1, maximum: nil))
    }

    @Test func `every option is taken over`() throws {
        let id = "00112233445566778899aabbccddeeff"
        let parsed = try ParsedOptions(
            [
                "handle_token": "tok_1".variant, "modal": false.variant,
                "accept_label": "Send".variant, "reason": "For you".variant,
                "media_types": ["image/png", "video/*"].variant, "album": "recent".variant,
                "preselected": [id, "gone"].variant, "immediate": true.variant,
                "detached": true.variant, "max_count": UInt32(5).variant,
                "min_count": UInt32(2).variant, "ordered": true.variant,
                "representation": "preview".variant, "include_location": true.variant,
                "formats": ["image/webp", "IMAGE/JPEG", "image/webp"].variant,
                "max_dimension": UInt32(800).variant, "max_bytes": UInt64(9000).variant,
                "quality": UInt32(50).variant, "clip_mode": "required".variant,
                "clip_aspect": PixelSize(width: 3, height: 2).variant,
                "clip_size": PixelSize(width: 60, height: 40).variant,
            ], of: .pickImages)
        #expect(parsed.token.rawValue == "tok_1")
        #expect(parsed.isDetached)
        let pick = parsed.pick
        #expect(!pick.isModal)
        #expect(pick.acceptLabel == "Send")
        #expect(pick.reason == "For you")
        #expect(pick.mediaTypes.patterns.map(\.description) == ["image/png", "video/*"])
        #expect(pick.album == .recent)
        #expect(pick.preselected.map(\.description) == [id])
        #expect(pick.isImmediate)
        #expect(pick.count == CountLimits(minimum: 2, maximum: 5))
        #expect(pick.isOrdered)
        #expect(pick.wishes == .location)
        #expect(pick.output.representation == .preview)
        #expect(pick.output.formats == [.webP, .jpeg])
        #expect(pick.output.maximumSide == 800)
        #expect(pick.output.maximumByteCount == 9000)
        #expect(pick.output.quality == 50)
        #expect(pick.clip.mode == .required)
        #expect(pick.clip.aspect == PixelSize(width: 3, height: 2))
        #expect(pick.clip.size == PixelSize(width: 60, height: 40))
    }

    @Test func `unknown options are ignored, also those of the other method`() throws {
        let parsed = try ParsedOptions(
            ["nonsense": .int16(1), "max_count": "many".variant], of: .openImage)
        #expect(parsed == (try ParsedOptions([:], of: .openImage)))
    }

    /// Each option with each wrong type: an error that names the key and the expected type.
    @Test(arguments: PickOption.all.map(\.key))
    func `a wrong type is refused`(key: String) throws {
        let option = try #require(PickOption.all.first { $0.key == key })
        let values: [Variant] = [
            .byte(1), .boolean(true), .int32(1), .uint32(1), .int64(1), .uint64(1), .double(1),
            .string("x"), .objectPath("/x"), .array(element: "s", [.string("x")]),
            .array(element: "u", []), .structure([.uint32(1), .uint32(1)]), .variant(.uint32(1)),
            .dictionary(key: "s", value: "v", []),
        ]
        for value in values where value.signature != option.signature {
            let error = #expect(throws: DBusError.self) {
                try ParsedOptions([key: value], of: .pickImages)
            }
            #expect(error?.name == "org.freedesktop.portal.Error.InvalidArgument")
            #expect(
                error?.message.hasPrefix(
                    "Expected type '\(option.signature)' for option '\(key)', got ") == true)
        }
    }

    @Test(
        arguments: [
            ("handle_token", "".variant), ("handle_token", "a-b".variant),
            ("handle_token", "a/b".variant), ("handle_token", "ä".variant),
            ("handle_token", String(repeating: "a", count: 256).variant),
            ("reason", String(repeating: "a", count: 257).variant),
            ("representation", "".variant), ("representation", "Original".variant),
            ("formats", [String]().variant), ("formats", ["image/gif"].variant),
            ("formats", ["image/png", "png"].variant), ("quality", UInt32(0).variant),
            ("quality", UInt32(101).variant),
            ("clip_mode", "".variant), ("clip_mode", "Required".variant),
            ("clip_aspect", PixelSize(width: 0, height: 1).variant),
            ("clip_size", PixelSize(width: 100, height: 0).variant),
            ("clip_size", PixelSize(width: 8193, height: 1).variant),
            ("accept_label", String(repeating: "a", count: 4097).variant),
            ("media_types", [String]().variant), ("media_types", ["text/plain"].variant),
            ("media_types", ["image"].variant), ("media_types", ["*/*"].variant),
            ("media_types", ["image/x-nobody-knows"].variant),
            ("media_types", Array(repeating: "image/png", count: 1025).variant),
            ("preselected", Array(repeating: "x", count: 1025).variant),
            ("preselected", [String(repeating: "x", count: 4097)].variant),
            ("album", "../etc".variant), ("album", "".variant),
        ] as [(String, Variant)])
    func `a wrong value is refused`(key: String, value: Variant) throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions([key: value], of: .pickImages)
        }
        #expect(error?.name == "org.freedesktop.portal.Error.InvalidArgument")
        #expect(error?.message.contains("'\(key)'") == true)
        #expect((error?.message.utf8.count ?? 0) < 1000)
    }

    @Test func `a minimum above the maximum is refused, and the error names both`() throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions(
                ["max_count": UInt32(2).variant, "min_count": UInt32(3).variant],
                of: .pickImages)
        }
        #expect(error?.message == "Expected at most 2 (max_count) for option 'min_count', got 3")
    }

    @Test func `a token may have 255 characters`() throws {
        let token = String(repeating: "Z", count: 255)
        let parsed = try ParsedOptions(["handle_token": token.variant], of: .openImage)
        #expect(parsed.token.rawValue == token)
    }

    @Test(arguments: PickMethod.allCases)
    func `what the backend gets says the same as what came`(method: PickMethod) throws {
        var vardict: Vardict = [
            "reason": "Why".variant, "immediate": true.variant, "album": "all".variant,
            "media_types": ["image/jpeg"].variant, "handle_token": "t1".variant,
            "detached": true.variant, "clip_mode": "optional".variant,
            "clip_aspect": PixelSize(width: 3, height: 2).variant,
        ]
        if method == .pickImages {
            vardict["max_count"] = UInt32(9).variant
            vardict["ordered"] = true.variant
        }
        let parsed = try ParsedOptions(vardict, of: method)
        let passed = parsed.pick.vardict(for: method)
        #expect(passed["handle_token"] == nil)
        #expect(passed["detached"] == nil)
        #expect(try ParsedOptions(passed, of: method).pick == parsed.pick)
    }

    @Test(
        arguments: [
            (":1.42", "t", nil, "/org/freedesktop/portal/desktop/request/1_42/t"),
            (":1.42", "tok", 7, "/org/freedesktop/portal/desktop/request/1_42/tok/7"),
        ] as [(String, String, UInt32?, String)])
    func `handles follow the portals' rule`(
        sender: String, token: String, distinction: UInt32?, path: String
    ) throws {
        let name = try #require(BusName(sender))
        let token = try #require(HandleToken(token))
        let handle = RequestHandle.path(of: name, token: token, distinction: distinction)
        #expect(handle?.rawValue == path)
    }
}
