// SPDX-License-Identifier: MIT

import Photos
import PortalClient
import PortalInterface
import SDBus
import TestSupport
import Testing

/// People who denied an app their photos and are reminded of that; the names begin with the ids of the
/// behaviours.
@Suite(.serialized) struct LibraryReminderTests {
    @Test(arguments: CallerKind.allCases)
    func `S3.14 only a repeated attempt reminds, once, and the person can change their mind`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let backend = try await session.picker.session.startBackend("deny", "deny", "allow")
        let remind: Vardict = ["remind": true.variant]
        // The first question is an ordinary one.
        #expect(try await session.ask(.readWrite, remind) == (.success, 2))
        #expect(backend.events.count == 1)
        #expect(backend.events.first?.contains("remind") == false)
        // Asking again without the option shows no window.
        #expect(try await session.ask() == (.success, 2))
        #expect(backend.events.count == 1)
        #expect(try await session.ask(.readWrite, remind) == (.success, 2))
        #expect(backend.events.count == 2)
        #expect(backend.events.last?.contains(#""remind":true"#) == true)
        // And no more of them.
        #expect(try await session.ask(.readWrite, remind) == (.success, 2))
        #expect(backend.events.count == 2)
        // The other level is another question.
        let app = session.picker.app?.appID ?? ""
        try await session.setPermission("no", of: app, for: "add")
        #expect(try await session.ask(.add, remind) == (.success, 3))
        #expect(backend.events.count == 3)
        #expect(try await session.library.authorization(for: .add) == .authorized)
    }

    @Test func `S3.14 a reminder that is closed changes nothing`() async throws {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("cancel", "allow")
        try await session.setPermission("no", of: "")
        let remind: Vardict = ["remind": true.variant]
        #expect(try await session.ask(.readWrite, remind) == (.success, 2))
        #expect(backend.events.count == 1)
        #expect(try await session.library.authorization(for: .readWrite) == .denied)
        for word in ["yes", "limited"] {
            try await session.setPermission(word, of: "")
            #expect(
                try await session.ask(.readWrite, remind) == (.success, word == "yes" ? 3 : 4))
        }
        #expect(backend.events.count == 1)
    }

    @Test func `S3.14 a wrong value of the option is refused, and SaveImage never reminds`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("allow")
        let error = await #expect(throws: DBusError.self) {
            try await session.ask(.readWrite, ["remind": "yes".variant])
        }
        #expect(error?.name == .portalInvalidArgument)
        try await session.setPermission("no", of: "", for: "add")
        let denied = await #expect(throws: DBusError.self) {
            try await RequestClient(on: session.picker.client.connection).save(
                try Fixtures.open("formats/blocks.jpg"), options: ["remind": true.variant])
        }
        #expect(denied?.name == .portalNotAllowed)
        #expect(backend.events.isEmpty)
    }
}
