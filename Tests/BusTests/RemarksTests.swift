// SPDX-License-Identifier: MIT

import Files
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What people say of a photo comes with it.
@Suite(.serialized) struct RemarksTests {
    @Test(arguments: CallerKind.allCases)
    func `a photo comes with its description, and whether it is a favorite`(kind: CallerKind)
        async throws
    {
        let session = try await session(kind, caption: "A boat")
        let id = try #require(try await session.open().first)
        _ = try await session.picker.session.startBackend("pick newest 1")
        let before = try await pick(session)
        #expect(before["favorite"] == false.variant)
        #expect(before.value("alt") == "A boat")
        _ = try await session.library.perform([
            ChangeOperation(
                "set-favorite", ["assets": [id].variant, "favorite": true.variant])
        ])
        #expect(try await pick(session)["favorite"] == true.variant)
        // That of a sidecar file counts more, and is one line.
        try session.picker.home.write(
            Array(
                """
                <x:xmpmeta xmlns:x="adobe:ns:meta/">
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>
                <rdf:li xml:lang="x-default">A red boat\u{202E}&#10;in Spain</rdf:li>
                </rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>
                """.utf8), to: session.picker.home.pictures.appending("a.xmp"))
        try await eventually("the sidecar file") {
            let asset = try await session.library.assets([id]).first
            return asset?.value("alt", as: String.self)?.hasPrefix("A red") == true
        }
        #expect(try await pick(session).value("alt") == "A red boat\u{FFFD} in Spain")
    }

    @Test(arguments: CallerKind.allCases)
    func `a description that tells coordinates is left out`(kind: CallerKind) async throws {
        let session = try await session(kind, caption: "A boat at 48.8584, 2.2945", told: "")
        _ = try await session.picker.session.startBackend("pick newest 1")
        #expect(try await pick(session)["alt"] == nil)
    }

    @Test func `a photo of which nobody has said anything has no description`() async throws {
        let session = try await PickerSession(.host, photos: 1)
        _ = try await session.session.startBackend("pick newest 1")
        let item = try #require(try await items(session).first)
        #expect(item["alt"] == nil && item["favorite"] == false.variant)
    }

    // MARK: - Helpers

    /// A session with one photo that says what it shows.
    private func session(
        _ kind: CallerKind, caption: String, told: String? = nil
    ) async throws -> LibrarySession {
        let home = try TestHome()
        let photo = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        let session = try await LibrarySession(kind, photos: 0, home: home)
        let tagged = try await session.picker.session.run(
            "/usr/bin/exiftool",
            ["-q", "-overwrite_original", "-XMP-dc:Description=\(caption)", photo.string])
        try #require(tagged.status == 0, "\(tagged.errors)")
        try await eventually("the description", is: told ?? caption) {
            guard let id = try await session.open().first else { return "no photo" }
            let asset = try await session.library.assets([id]).first
            guard asset?.value("size") == UInt64(try photo.stat().size) else { return "not read" }
            return asset?.value("alt") ?? ""
        }
        return session
    }

    private func pick(
        _ session: LibrarySession, _ options: Vardict = [:]
    ) async throws -> Vardict {
        try #require(try await items(session.picker, options).first)
    }

    private func items(
        _ picker: PickerSession, _ options: Vardict = [:]
    ) async throws -> [Vardict] {
        let response = try await picker.client.response(picker.client.pick(options))
        return try #require(
            response.results.value("items", as: [Vardict].self), "\(response.results)")
    }
}
