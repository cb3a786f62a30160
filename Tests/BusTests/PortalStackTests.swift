// SPDX-License-Identifier: MIT

import Files
import Glibc
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The desktop's portals run in a test, and leave nothing behind.
@Suite(.serialized) struct PortalStackTests {
    @Test func `a document can be read at its mount, which ends with the test`() async throws {
        let session = try await Session.start()
        let mountPoint: FilePath
        do {
            let portals = try await PortalStack.start(on: session)
            mountPoint = portals.mountPoint
            let file = session.home.pictures.appending("a.jpg")
            try session.home.write(Array("content".utf8), to: file)
            let connection = try await session.connect()
            let reply = try await connection.call(
                Method<
                    Arguments<[Descriptor], UInt32, String, [String]>, Arguments<[String], Vardict>
                >(
                    "AddFull", takes: ["fds", "flags", "app_id", "permissions"],
                    returns: ["doc_ids", "extra"]),
                to: "org.freedesktop.portal.Documents", at: "/org/freedesktop/portal/documents",
                on: "org.freedesktop.portal.Documents",
                Arguments([try Descriptor.openForReading(file)], 0, "org.example.App", ["read"]))
            let (ids, _) = reply.values
            let id = try #require(ids.first.flatMap { FilePath.Component($0) })
            let document = mountPoint.appending(id).appending("a.jpg")
            #expect(
                try Descriptor.openForReading(document).read(upTo: 100) == Array("content".utf8))
            #expect(try isMounted(mountPoint))
            withExtendedLifetime(portals) {}
        }
        #expect(try !isMounted(mountPoint))
    }

    private func isMounted(_ path: FilePath) throws -> Bool {
        let mounts = try Descriptor.openForReading("/proc/self/mountinfo").read(upTo: 1 << 20)
        return String(decoding: mounts, as: UTF8.self).contains(" \(path) ")
    }
}
