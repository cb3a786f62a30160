// SPDX-License-Identifier: MIT

import PortalClient
import SystemPackage
import TestSupport
import Testing

/// The photo app in `examples`, which is written from the documentation alone.
@Suite(.serialized) struct ExampleTests {
    private static let program =
        Programs.source.appending("examples").appending("photo_album.py").string

    @Test func `the example lists albums, saves photos, makes an album and follows changes`()
        async throws
    {
        let session = try await LibrarySession(.host)
        _ = try await session.picker.session.startBackend("allow")
        func run(_ words: String...) async throws -> (Int32, [String], String) {
            let (status, output, errors) = try await session.picker.session.run(
                "/usr/bin/python3", [Self.program, "--once"] + words)
            return (status, output.split(separator: "\n").map(String.init), errors)
        }
        let following = try session.picker.session.start(
            "/usr/bin/python3", [Self.program, "--once", "follow"])
        try await eventually("the watch: \(following.errorText)") {
            following.outputText.contains("following")
        }
        let (status, albums, errors) = try await run("albums")
        #expect(status == 0, "\(errors)")
        #expect(albums.prefix(2) == ["all\t5\tAll photos", "recent\t5\tRecent"])
        let (_, saved, _) = try await run("save", Fixtures.path("formats/blocks.png").string)
        try await eventually("the saved photo: \(following.outputText)") {
            following.outputText.contains(saved.first ?? "?")
        }
        let (_, added, problem) = try await run(
            "add", "Sicily", Fixtures.path("formats/blocks.gif").string,
            Fixtures.path("formats/blocks.jpg").string)
        let album = try #require(added.first, "\(problem)")
        try await eventually("the album: \(following.outputText)") {
            following.outputText.contains(album)
        }
        let (_, photos, _) = try await run("list", album)
        #expect(photos.map { $0.split(separator: "\t")[1] } == ["image/gif", "image/jpeg"])
        #expect(try await run("albums").1.contains("\(album)\t2\tSicily"))
        // What goes wrong is said in a line.
        let (failure, _, message) = try await run("list", "nope")
        #expect(failure == 1)
        #expect(message == "photo_album.py: There is no album with the id 'nope'\n")
        following.signal(2)
        _ = try await following.exitStatus()
    }
}
