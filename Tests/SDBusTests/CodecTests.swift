// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import Testing

@testable import SDBus

/// Appended values are read back, with the signature of their type.
@Suite struct CodecTests {
    @Test func `numbers at their limits are preserved`() async throws {
        try await roundTrip(UInt8.max)
        try await roundTrip(Int16.min)
        try await roundTrip(UInt16.max)
        try await roundTrip(Int32.min)
        try await roundTrip(UInt32.max)
        try await roundTrip(Int64.min)
        try await roundTrip(UInt64.max)
        try await roundTrip(-0.5)
        try await roundTrip(Double.greatestFiniteMagnitude)
        try await roundTrip(true)
        try await roundTrip(false)
    }

    @Test(arguments: ["", "a", "漢字 🎉", String(repeating: "x", count: 100_000)])
    func `strings are preserved`(text: String) async throws {
        try await roundTrip(text)
        try await roundTrip([text, text])
    }

    @Test func `object paths are preserved`() async throws {
        try await roundTrip("/org/freedesktop/portal/desktop" as ObjectPath)
    }

    @Test func `empty arrays keep their type`() async throws {
        try await roundTrip([UInt32]())
        try await roundTrip([[String]]())
        try await roundTrip([String: [String]]())
        #expect([[String: UInt32]].signature == "aa{su}")
    }

    @Test func `dictionaries are preserved`() async throws {
        try await roundTrip(["a": ["x"], "b": []] as [String: [String]])
        let vardict: Vardict = [
            "count": .uint32(3), "uris": ["file:///a", "file:///b"].variant,
            "nested": (["deep": .boolean(true)] as Vardict).variant,
            "items": [["id": .string("1")], [:]].variant,
        ]
        try await roundTrip(vardict)
    }

    @Test(
        arguments: [
            .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6),
            .uint64(7), .double(8.5), .string("nine"), .objectPath("/ten"), .signature("a{sv}"),
            .array(element: "(uu)", [.structure([.uint32(1), .uint32(2)])]),
            .array(element: "aas", []),
            .structure([.string("a"), .array(element: "s", [.string("b")]), .variant(.int32(1))]),
            .dictionary(
                key: "u", value: "v",
                [.init(key: .uint32(1), value: .variant(.variant(.string("deep"))))]),
            .variant(.variant(.byte(0))),
        ] as [Variant])
    func `variants of every type are preserved`(variant: Variant) async throws {
        try await roundTrip(variant)
    }

    @Test func `a descriptor arrives as a duplicate`() async throws {
        let file = try MemoryFile.make(named: "test", holding: Array("content".utf8))
        let received: Descriptor = try await through(file)
        #expect(received.rawValue != file.rawValue)
        #expect(try received.read(upTo: 100) == Array("content".utf8))
    }

    @Test func `several arguments are read in order`() async throws {
        let message = try await Message.detached(Arguments("title", UInt32(7), ["a"]))
        let read = try await message.read(Arguments<String, UInt32, [String]>.self).values
        #expect(read == ("title", 7, ["a"]))
        #expect(await message.signature == "suas")
    }

    @Test func `reading another type is an error, and the message can be read again`() async throws
    {
        let message = try await Message.detached(Arguments("text"))
        await #expect(throws: WireError.self) {
            try await message.read(Arguments<UInt32>.self)
        }
        await #expect(throws: WireError.self) {
            try await message.read(Arguments<String, String>.self)
        }
        #expect(try await message.read(Arguments<String>.self).values == "text")
    }

    @Test(arguments: ["org.example", ":1.42", "a.b-c"])
    func `valid bus names are accepted`(name: String) {
        #expect(BusName(name)?.rawValue == name)
    }

    @Test(arguments: ["", "org", ".org.x", "org..x", "org.ex ample", "org.1x.y/"])
    func `invalid bus names are rejected`(name: String) {
        #expect(BusName(name) == nil)
    }

    @Test(arguments: ["", "a", "/a/", "//", "/a b", "/ä"])
    func `invalid object paths are rejected`(path: String) {
        #expect(ObjectPath(path) == nil)
    }

    private func roundTrip<Value: DBusValue & Equatable>(
        _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let message = try await Message.detached(Arguments(value))
        #expect(await message.signature == Value.signature, sourceLocation: sourceLocation)
        let read = try await message.read(Arguments<Value>.self).values
        #expect(read == value, sourceLocation: sourceLocation)
    }

    private func through<Value: DBusValue>(_ value: Value) async throws -> Value {
        try await Message.detached(Arguments(value)).read(Arguments<Value>.self).values
    }
}
