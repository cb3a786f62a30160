// SPDX-License-Identifier: MIT

import Files
import Foundation
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What apps that see only what they were given see when the files of a photo come and go.
@Suite(.serialized) struct GrantTests {
    private static let app = "org.example.App"
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// A photo of two files.
    struct Shot: Sendable {
        let picture: String
        let other: String
        let type: MediaType

        static let all = [
            Shot(picture: "jpeg/grey.jpg", other: "raw/adobe.dng", type: .adobeDNG),
            Shot(picture: "live/photo.heic", other: "live/video.mov", type: .quickTime),
        ]
    }

    @Test(arguments: Shot.all)
    func `the file that a photo lives on with is not seen by apps that were given the picture`(
        shot: Shot
    ) async throws {
        try home.add(shot.other, as: "a.other", at: 1_000_000)
        let path = try home.add(shot.picture, as: "a.picture", at: 1_000_000)
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        let start = try await library.store.follow(.given(to: Self.app))
        #expect(try await seen(library) == [id])
        let aside = home.scratch.appending("aside")
        try AtomicFile.rename(path, to: aside)
        try await eventually("the other file") {
            try await library.reader.assets([id]).first?.mediaType == shot.type
        }
        #expect(try await seen(library) == [])
        let changes = try #require(
            try await library.reader.changes(
                since: start, in: .given(to: Self.app), limit: 10))
        #expect(changes.assets.removed == [id])
        #expect(changes.albums.updated == [.all])
        // The window still says that the app was given it before.
        #expect(try await library.reader.given([id], to: Self.app) == [id])
        // Nor is the picture seen again: who deletes one and restores it decides anew.
        try AtomicFile.rename(aside, to: path)
        _ = try await library.settle(files: 2)
        #expect(try await library.settle(photos: 1).ids == [id])
        #expect(try await seen(library) == [])
        await library.close()
        await library.store.finishUserData()
        #expect(try kept() == ["part": [id.description], "whole": []])
    }

    @Test func `a picture that comes beside a raw file is not seen by apps that were given that`()
        async throws
    {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        let library = try LiveLibrary(home)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        #expect(try await seen(library) == [id])
        try home.add(as: "a.jpg", at: 1_000_000)
        _ = try await library.settle(files: 2)
        #expect(try await library.settle(photos: 1).ids == [id])
        #expect(try await library.reader.assets([id]).first?.mediaType == .jpeg)
        #expect(try await seen(library) == [])
        await library.close()
    }

    @Test func `a raw file that comes back without its picture is not seen by apps that had that`()
        async throws
    {
        let raw = try home.add("raw/adobe.dng", as: "Trip/a.dng", at: 1_000_000)
        let library = try LiveLibrary(home)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try home.add(as: "Trip/a.jpg", at: 1_000_000)
        try await eventually("the picture") {
            try await library.reader.assets([id]).first?.resources == [.primary, .raw]
        }
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        #expect(try await seen(library) == [id])
        // Both at once.
        let aside = home.scratch.appending("aside")
        try AtomicFile.rename(home.pictures.appending("Trip"), to: aside)
        _ = try await library.settle(photos: 0)
        try home.write(Fixtures.bytes("raw/adobe.dng"), to: raw)
        #expect(try await library.settle(photos: 1).ids == [id])
        #expect(try await seen(library) == [])
        await library.close()
    }

    @Test func `apps keep a picture while its raw file comes and goes`() async throws {
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        let raw = try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try await eventually("the raw file") {
            try await library.reader.assets([id]).first?.resources == [.primary, .raw]
        }
        #expect(try await seen(library) == [id])
        try AtomicFile.remove(raw)
        try await eventually("the picture alone") {
            try await library.reader.assets([id]).first?.resources == [.primary]
        }
        #expect(try await seen(library) == [id])
        await library.close()
    }

    @Test(arguments: Shot.all)
    func `apps keep a picture that is looked at while a program is writing it`(shot: Shot)
        async throws
    {
        try home.add(shot.other, as: "a.other", at: 1_000_000)
        let path = try home.add(shot.picture, as: "a.picture", at: 1_000_000)
        var library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        await library.close()
        let picture = try Fixtures.bytes(shot.picture)
        // Some programs ask for the room first.
        for count in [0, picture.count] {
            try home.write([UInt8](repeating: 0, count: count), to: path)
            library = try LiveLibrary(home, readsVideos: true)
            _ = try await library.settle(files: 2)
            #expect(try await seen(library) == [id], "\(count) bytes")
            await library.close()
        }
        try home.write(picture, to: path)
        library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        #expect(try await seen(library) == [id])
        #expect(try await library.settle(photos: 1).ids == [id])
        await library.close()
    }

    @Test(arguments: Shot.all)
    func `apps do not see what stays when a picture remains damaged`(shot: Shot) async throws {
        try home.add(shot.other, as: "a.other", at: 1_000_000)
        let path = try home.add(shot.picture, as: "a.picture", at: 1_000_000)
        var library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        await library.close()
        try home.write(Array("no picture\n".utf8), to: path)
        home.setDate(of: path, 2_000_000)
        library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        #expect(try await library.reader.assets([id]).first?.mediaType == shot.type)
        #expect(try await seen(library) == [])
        await library.close()
    }

    @Test(arguments: Shot.all)
    func `what was damaged while the picture went is not seen by apps that had the picture`(
        shot: Shot
    ) async throws {
        let other = try home.add(shot.other, as: "a.other", at: 1_000_000)
        let path = try home.add(shot.picture, as: "a.picture", at: 1_000_000)
        var library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try await library.store.noteGiven([id], whole: [id], to: Self.app)
        await library.close()
        try home.write([], to: other)
        library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        #expect(try await seen(library) == [id])
        try AtomicFile.remove(path)
        _ = try await library.settle(files: 1)
        try home.write(Fixtures.bytes(shot.other), to: other)
        try await eventually("the other file") {
            try await library.reader.photos(in: .all, .everything).count == 1
        }
        #expect(try await seen(library) == [])
        await library.close()
    }

    private func seen(_ library: LiveLibrary) async throws -> [AssetID] {
        let page = try await library.reader.page(
            of: .all, .everything, in: .given(to: Self.app), from: 0, limit: 10)
        return page?.assets.map(\.asset.id) ?? []
    }

    /// What the file of what people did says the app was given.
    private func kept() throws -> [String: [String]]? {
        let file = home.database.removingLastComponent().appending("library.json")
        let content = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: file.string)))
        let given = (content as? [String: Any])?["given"] as? [String: Any]
        return given?[Self.app] as? [String: [String]]
    }
}
