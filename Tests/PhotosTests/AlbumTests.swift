// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct AlbumTests {
    private let albums = ["all", "recent", "folder-1"].compactMap { AlbumID($0) }.map {
        Album(id: $0, kind: .smart, title: "", count: 1, cover: nil)
    }

    @Test func `a request opens the album that it names`() throws {
        let folder = try #require(AlbumID("folder-1"))
        #expect(albums.opened(for: folder) == folder)
    }

    @Test func `a request for an album that does not exist opens all photos`() {
        #expect(albums.opened(for: AlbumID("folder-2")) == .all)
        #expect([Album]().opened(for: AlbumID("recent")) == .all)
    }

    @Test func `a request that names no album opens all photos`() {
        #expect(albums.opened(for: nil) == .all)
    }
}
