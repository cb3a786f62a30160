// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Albums that people fill, favorites, and the change sets that change them.
@Suite(.serialized) struct ChangeSetTests {
    private let home: TestHome
    private let library: LiveLibrary
    /// The photos from the oldest to the newest.
    private let photos: [AssetID]

    init() async throws {
        home = try TestHome()
        for number in 1...6 {
            try home.add(as: "\(number).jpg", number: UInt8(number), at: 1_000_000 * number)
        }
        library = try LiveLibrary(home)
        _ = try await library.settle(files: 6)
        photos = try await library.reader.photos(in: .all).ids.reversed()
    }

    // MARK: - Albums

    @Test func `an album has its photos in the order in which they were inserted`() async throws {
        let album = try await makeAlbum("Sicily", [photos[3], photos[0], photos[5]])
        try await expect(album, [3, 0, 5])
        try await perform(.insert([.asset(photos[1])], into: .album(album), index: nil))
        try await expect(album, [3, 0, 5, 1])
        try await perform(
            .insert([.asset(photos[2]), .asset(photos[4])], into: .album(album), index: 1))
        try await expect(album, [3, 2, 4, 0, 5, 1])
        await library.close()
    }

    @Test(arguments: 1...8)
    func `any operations of one change set leave the order that they say`(seed: UInt64) async throws
    {
        var random = Lottery(state: seed)
        let album = try await makeAlbum("Sicily", [])
        var expected: [AssetID] = []
        for _ in 1...4 {
            var changes: [LibraryChange] = []
            for _ in 1...60 {
                let chosen = photos.shuffled(using: &random).prefix(
                    Int.random(in: 1...3, using: &random))
                let assets = chosen.map { LibraryChange.Photo.asset($0) }
                switch Int.random(in: 1...4, using: &random) {
                case 1:
                    changes.append(.remove(assets, from: .album(album)))
                    expected.removeAll { chosen.contains($0) }
                case 2:
                    changes.append(.insert(assets, into: .album(album), index: nil))
                    expected += chosen.filter { !expected.contains($0) }
                default:
                    let others = expected.filter { !chosen.contains($0) }
                    let index = Int.random(in: 0...others.count, using: &random)
                    changes.append(.insert(assets, into: .album(album), index: index))
                    expected = Array(others[..<index] + chosen + others[index...])
                }
            }
            _ = try await library.store.perform(changes)
            #expect(try await library.reader.photos(in: album).ids == expected)
        }
        await library.close()
    }

    @Test func `a photo's albums are told by title, in alphabetical order`() async throws {
        for title in ["Sicily", "Apples", "Boats"] { _ = try await makeAlbum(title, [photos[2]]) }
        _ = try await makeAlbum("Other", [photos[1]])
        #expect(
            try await library.reader.titles(ofAlbumsWith: photos[2]) == [
                "Apples", "Boats", "Sicily",
            ])
        #expect(try await library.reader.titles(ofAlbumsWith: photos[3]) == [])
        await library.close()
    }

    @Test func `the photo inserted at 0 is the cover`() async throws {
        let album = try await makeAlbum("Sicily", [photos[5]])
        try await perform(.insert([.asset(photos[0])], into: .album(album), index: 0))
        #expect(try await listed(album)?.cover == photos[0])
        await library.close()
    }

    @Test func `inserted again, a photo moves to the index, and stays without one`() async throws {
        let album = try await makeAlbum("Sicily", Array(photos[0...3]))
        let stays = try await perform(.insert([.asset(photos[1])], into: .album(album), index: nil))
        #expect(stays.first?.count == 0)
        try await expect(album, [0, 1, 2, 3])
        try await perform(
            .insert([.asset(photos[0]), .asset(photos[0])], into: .album(album), index: 3))
        try await expect(album, [1, 2, 3, 0])
        try await perform(.insert([.asset(photos[3])], into: .album(album), index: 0))
        try await expect(album, [3, 1, 2, 0])
        await library.close()
    }

    @Test func `photos inserted between the same two neighbours stay in order`() async throws {
        let album = try await makeAlbum("Sicily", [photos[0], photos[1]])
        // Each halves the room between the first and the second, and 20 halves use it up.
        for _ in 0..<30 {
            for photo in [2, 3] {
                try await perform(.insert([.asset(photos[photo])], into: .album(album), index: 1))
            }
        }
        try await expect(album, [0, 3, 2, 1])
        await library.close()
    }

    @Test func `an index behind the end is refused`() async throws {
        let album = try await makeAlbum("Sicily", [photos[0], photos[1]])
        await expectRefusal(
            .noPosition(3), .insert([.asset(photos[2])], into: .album(album), index: 3))
        // Without the photo that moves, there is one.
        await expectRefusal(
            .noPosition(2), .insert([.asset(photos[1])], into: .album(album), index: 2))
        try await expect(album, [0, 1])
        await library.close()
    }

    @Test func `an album is renamed, emptied and deleted, and no photo with it`() async throws {
        let album = try await makeAlbum("Sicily", [photos[0], photos[1]])
        let results = try await perform(
            .renameAlbum(.album(album), title: "Sizilien"),
            .remove([.asset(photos[0]), .asset(photos[5])], from: .album(album)))
        #expect(results.map(\.count) == [0, 1])
        #expect(try await listed(album)?.title == "Sizilien")
        try await expect(album, [1])
        try await perform(.remove([.asset(photos[1])], from: .album(album)))
        // Apps see it, but nobody who wants to choose a photo.
        #expect(try await listed(album)?.count == 0)
        #expect(try await !library.reader.albums().contains { $0.id == album })
        try await perform(.deleteAlbum(.album(album)))
        #expect(try await listed(album) == nil)
        #expect(try await library.reader.photos(in: .all).count == 6)
        await library.close()
    }

    @Test func `a photo whose file is gone keeps its place until it is back`() async throws {
        let album = try await makeAlbum("Sicily", [photos[2], photos[0], photos[1]])
        let path = home.pictures.appending("3.jpg")
        let away = home.scratch.appending("3.jpg")
        try AtomicFile.rename(path, to: away)
        _ = try await library.settle(files: 5)
        try await expect(album, [0, 1])
        // Neither is it counted by those who insert.
        try await perform(.insert([.asset(photos[5])], into: .album(album), index: 1))
        try await expect(album, [0, 5, 1])
        try AtomicFile.rename(away, to: path)
        _ = try await library.settle(files: 6)
        try await expect(album, [2, 0, 5, 1])
        await library.close()
    }

    @Test func `albums come after those of rules and before folders, by title`() async throws {
        _ = try await makeAlbum("b", [photos[0]])
        _ = try await makeAlbum("A", [photos[1]])
        let albums = try await library.reader.albums()
        #expect(albums.map(\.kind) == [.smart, .smart, .user, .user, .folder])
        #expect(albums.map(\.title) == ["", "", "A", "b", "Pictures"])
        await library.close()
    }

    // MARK: - Sets

    @Test func `all operations are performed, or none`() async throws {
        let unknown = try #require(AssetID("00112233445566778899aabbccddeeff"))
        await expectRefusal(
            .noAsset(unknown), at: 2, .createAlbum(title: "Sicily"),
            .setFavorite([.asset(photos[0])], true),
            .insert([.asset(unknown)], into: .made(by: 0), index: nil))
        #expect(try await library.reader.albums(withEmpty: true).allSatisfy { $0.kind != .user })
        #expect(try await !library.reader.albums().contains { $0.id == SmartAlbum.favorites.id })
        await library.close()
    }

    @Test func `an operation uses the album that an earlier one makes`() async throws {
        let results = try await perform(
            .createAlbum(title: "Sicily"),
            .insert([.asset(photos[4])], into: .made(by: 0), index: nil),
            .insert([.asset(photos[2])], into: .made(by: 0), index: 0))
        let album = try #require(results.first?.album)
        #expect(results.map(\.album) == [album, album, album])
        try await expect(album, [2, 4])
        await library.close()
    }

    @Test func `eight who want an album of one title get the same one`() async throws {
        let store = library.store
        let results = try await withThrowingTaskGroup(of: LibraryChangeResult?.self) { group in
            for photo in photos {
                group.addTask {
                    try await store.perform([
                        .ensureAlbum(title: "Sicily"),
                        .insert([.asset(photo)], into: .made(by: 0), index: nil),
                    ]).first
                }
            }
            var results: [LibraryChangeResult] = []
            for try await result in group { if let result { results.append(result) } }
            return results
        }
        #expect(results.count { $0.isNew } == 1)
        #expect(Set(results.map(\.album)).count == 1)
        let album = try #require(results.first?.album)
        #expect(try await library.reader.photos(in: album).count == photos.count)
        // The title has to be the same to the letter.
        #expect(try await perform(.ensureAlbum(title: "sicily")).first?.isNew == true)
        await library.close()
    }

    @Test func `albums of folders and rules cannot be changed, and others have to exist`()
        async throws
    {
        let folder = try #require(
            try await library.reader.albums().first { $0.kind == .folder }?.id)
        for album in [folder, .all] {
            await expectRefusal(.notFilledByPeople, .deleteAlbum(.album(album)))
            await expectRefusal(
                .notFilledByPeople, .insert([.asset(photos[0])], into: .album(album), index: 0))
        }
        let unknown = try #require(AlbumID("user-0"))
        await expectRefusal(.noAlbum(unknown), .renameAlbum(.album(unknown), title: "x"))
        // An album that the same set deletes is gone.
        let album = try await makeAlbum("Sicily", [photos[0]])
        await expectRefusal(
            .noAlbum(album), at: 1, .deleteAlbum(.album(album)),
            .remove([.asset(photos[0])], from: .album(album)))
        try await expect(album, [0])
        await library.close()
    }

    // MARK: - Favorites

    @Test func `favorites are an album while there are any, newest first`() async throws {
        let marked = try await perform(.setFavorite([.asset(photos[1]), .asset(photos[3])], true))
        #expect(marked.first?.count == 2)
        try await expect(SmartAlbum.favorites.id, [3, 1])
        // Again, nothing changes.
        #expect(try await perform(.setFavorite([.asset(photos[1])], true)).first?.count == 0)
        let again = try await library.reader.listed(
            [photos[1], photos[2]], in: .everything)
        #expect(again.map(\.isFavorite) == [true, false])
        // Edited in place, it is the same photo.
        try home.add("jpeg/baseline.jpg", as: "2.jpg", number: 77, at: 9_000_000)
        try await eventually("the edited photo") {
            try await library.reader.photos(in: SmartAlbum.favorites.id).ids.first == photos[1]
        }
        try await expect(SmartAlbum.favorites.id, [1, 3])
        try await perform(.setFavorite(photos.map { .asset($0) }, false))
        #expect(try await !library.reader.albums().contains { $0.id == SmartAlbum.favorites.id })
        await library.close()
    }

    // MARK: -

    @discardableResult
    private func perform(_ changes: LibraryChange...) async throws -> [LibraryChangeResult] {
        try await library.store.perform(changes)
    }

    private func expectRefusal(
        _ reason: LibraryChangeError.Reason, at index: Int = 0, _ changes: LibraryChange...
    ) async {
        await #expect(throws: LibraryChangeError.refused(index: index, reason)) {
            try await library.store.perform(changes)
        }
    }

    private func makeAlbum(_ title: String, _ assets: [AssetID]) async throws -> AlbumID {
        let results = try await perform(
            .createAlbum(title: title),
            .insert(assets.map { .asset($0) }, into: .made(by: 0), index: nil))
        return try #require(results.first?.album)
    }

    /// The album, as apps see it.
    private func listed(_ album: AlbumID) async throws -> Album? {
        try await library.reader.albums(withEmpty: true).first { $0.id == album }
    }

    /// Checks photos, count and cover of an album, which every kind of reader sees.
    private func expect(_ album: AlbumID, _ numbers: [Int]) async throws {
        let expected = numbers.map { photos[$0] }
        #expect(try await library.reader.photos(in: album).ids == expected)
        let page = try await library.reader.page(
            of: album, .everything, in: .everything, from: 1, limit: 2)
        #expect(page?.assets.map(\.asset.id) == Array(expected.dropFirst().prefix(2)))
        #expect(page?.total == expected.count)
        let listing = try await library.reader.listing(in: album, .images)
        #expect(
            try await library.reader.listing(in: album, .images, completing: listing).photos.ids
                == expected)
        let stored = try #require(try await listed(album))
        #expect(stored.count == expected.count)
        #expect(stored.cover == expected.first)
    }
}
