// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import TestSupport
import Testing

/// A caller that sends names that no object, interface or property can have.
///
/// What we send waits in one socket, so a long error to one app delays the replies to all others.
@Suite(.serialized) struct LongNameTests {
    private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    private static let get = Method<Arguments<String, String>, Arguments<Variant>>(
        "Get", takes: ["interface", "property"], returns: ["value"])
    private static let getAll = Method<Arguments<String>, Arguments<Vardict>>(
        "GetAll", takes: ["interface"], returns: ["values"])
    private static let set = Method<Arguments<String, String, Variant>, Arguments<>>(
        "Set", takes: ["interface", "property", "value"])
    private static let introspect = Method<Arguments<>, Arguments<String>>(
        "Introspect", returns: ["xml"])

    @Test func `an error does not repeat a long name`() async throws {
        let picker = try await PickerSession(photos: 0)
        let client = picker.client
        let long = String(repeating: "x", count: 60_000)
        let own = PhotoPickerInterface.interface.name.rawValue
        let longPath = try #require(ObjectPath("/" + long))
        try await refuse(Self.get, Arguments(long, "version"))
        try await refuse(Self.get, Arguments(own, long))
        try await refuse(Self.getAll, Arguments(long))
        try await refuse(Self.set, Arguments(long, "version", true.variant))
        try await refuse(Self.set, Arguments(own, long, true.variant))
        try await refuse(Self.get, Arguments(own, "version"), at: longPath)
        try await refuse(
            Self.introspect, Arguments(), on: "org.freedesktop.DBus.Introspectable", at: longPath)
        try await refuse(
            PhotoPickerInterface.openImage, Arguments("", "", [:]),
            on: PhotoPickerInterface.interface.name, at: longPath)
        // One character of 3000 bytes.
        let character = "e" + String(repeating: "\u{301}", count: 1500)
        let modes = Array(repeating: Variant.string(character), count: 8)
        try await refuse(
            PhotoPickerInterface.openImage,
            Arguments("", "", ["clip_mode": .array(element: "s", modes)]),
            on: PhotoPickerInterface.interface.name)
        // What is not long is answered as before.
        let version = try await client.connection.call(
            Self.get, to: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
            on: Self.properties, Arguments(own, "version"))
        #expect(version.values == .uint32(1))

        func refuse<Input: ArgumentList, Output: ArgumentList>(
            _ method: Method<Input, Output>, _ input: Input,
            on interface: InterfaceName = Self.properties, at path: ObjectPath? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let error = await #expect(throws: DBusError.self, sourceLocation: sourceLocation) {
                try await client.connection.call(
                    method, to: PhotoPickerInterface.busName,
                    at: path ?? PhotoPickerInterface.path, on: interface, input)
            }
            let length = error?.message.utf8.count ?? 0
            #expect(0..<1100 ~= length, "\(length) bytes", sourceLocation: sourceLocation)
            #expect(
                error?.name != .noReply && error?.name != .limitsExceeded,
                sourceLocation: sourceLocation)
        }
    }
}
