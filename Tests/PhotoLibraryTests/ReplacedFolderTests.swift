// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Folders that take the places of others while the library runs.
@Suite(.serialized) struct ReplacedFolderTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    private func folder(_ name: String) -> FilePath { home.pictures.appending(name) }

    /// Puts `two` in the place of `one`, which leaves the library.
    private func replace() throws {
        try AtomicFile.rename(folder("one"), to: home.scratch.appending("out"))
        try AtomicFile.rename(folder("two"), to: folder("one"))
    }

    @Test func `no photo stays that was deep below a folder another has replaced`() async throws {
        try home.add(as: "one/below/deep/a.jpg", number: 1)
        try home.add(as: "two/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        await library.close()
    }

    @Test func `no photo stays whose folder was replaced by one that is left out`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        try home.write([], to: folder("two").appending("below").appending(".nomedia"))
        try home.add(as: "two/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        await library.close()
    }

    @Test func `photos come back with the folder that was replaced`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        try home.add(as: "two/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        try AtomicFile.rename(folder("one"), to: folder("two"))
        try AtomicFile.rename(home.scratch.appending("out"), to: folder("one"))
        try await eventually("both photos") {
            try await Set(library.names()) == ["a.jpg", "b.jpg"]
        }
        await library.close()
    }
}
