// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Photos that apps add, while others change the folders that they go to.
@Suite(.serialized) struct ArrivalTests {
    private let home: TestHome
    private let store: LibraryStore
    private let roots: LibraryRoots
    private let intake: PhotoIntake

    init() throws {
        home = try TestHome()
        store = try LibraryStore(at: home.database, logger: Logger(label: "test"))
        roots = LibraryRoots(pictures: [home.pictures])
        intake = PhotoIntake(
            store: store, roots: roots,
            decoders: DecoderPool(
                program: FilePath(Programs.path("photo-portal-decoder")), workers: 1))
    }

    @Test func `a photo arrives in its folder although that is renamed meanwhile`() async throws {
        let arrival = try await receive()
        let moved = home.pictures.appending("Moved")
        try AtomicFile.rename(home.pictures.appending("App"), to: moved)
        _ = try await store.perform([.createAsset(file: 0)], adding: [arrival], in: roots)
        let files = names(in: moved).map(\.string)
        #expect(files.count == 1)
        #expect(files.first?.hasSuffix(".jpg") == true, "\(files)")
        #expect(names(in: home.pictures) == ["Moved"])
    }

    @Test func `a file that is not added is removed although its folder is renamed meanwhile`()
        async throws
    {
        let arrival = try await receive()
        let moved = home.pictures.appending("Moved")
        try AtomicFile.rename(home.pictures.appending("App"), to: moved)
        await store.discard([arrival])
        #expect(names(in: moved) == [])
    }

    @Test func `a photo whose file is removed meanwhile is not added`() async throws {
        let arrival = try await receive()
        let folder = home.pictures.appending("App")
        for name in names(in: folder) { try AtomicFile.remove(folder.appending(name)) }
        await #expect(throws: LibraryChangeError.self) {
            try await store.perform(
                [.createAlbum(title: "Sicily"), .createAsset(file: 0)], adding: [arrival],
                in: roots)
        }
        #expect(names(in: folder) == [])
        let albums = try await LibraryReader(store).albums()
        #expect(!albums.contains { $0.kind == .user })
    }

    @Test(arguments: ["Pictures", "Pictures/App"])
    func `nothing is added to a folder that the library leaves out`(name: String) async throws {
        let folder = home.home.appending(FilePath(name).components)
        try home.write([], to: folder.appending(".nomedia"))
        await #expect(throws: IntakeError.noFolder) { try await receive() }
        #expect(names(in: folder).filter { $0.string != ".nomedia" } == [])
    }

    @Test func `a photo in a link to a folder elsewhere is not added`() async throws {
        let outside = home.scratch.appending("outside")
        try Directory.make(outside)
        let link = home.pictures.appending("App")
        try #require(symlink(outside.string, link.string) == 0)
        await #expect(throws: IntakeError.noFolder) { try await receive() }
        // A link that is broken is none to follow either.
        removeTree(outside)
        await #expect(throws: IntakeError.self) { try await receive() }
        #expect(names(in: home.scratch) == [])
    }

    private func receive() async throws -> Arrival {
        try await intake.receive(
            Descriptor.openForReading(Fixtures.path("formats/blocks.jpg")),
            into: try #require(intake.folder(named: "App")), for: "test")
    }
}
