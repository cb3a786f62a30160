// SPDX-License-Identifier: MIT

import Files
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// The dominant colours of photos, as lists have them.
@Suite(.serialized) struct ColourTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    private func colours(_ library: LiveLibrary) async throws -> [PhotoColour?] {
        let list = try await library.reader.photos(in: .all)
        let page = try await library.reader.page(
            of: .all, .everything, in: .everything, from: 0, limit: 100)
        #expect(page?.assets.map(\.colour) == list.colours)
        return list.colours
    }

    @Test func `lists have the colours that are known`() async throws {
        try home.add("preview/matching.jpg", as: "a.jpg", at: 1_000_002)
        try home.add("png/rgb.png", as: "b.png", at: 1_000_001)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let colours = try await colours(library)
        #expect(colours.map { $0?.red ?? 0 > 240 } == [true, false])
        #expect(colours.last == .some(nil))
        await library.close()
    }

    @Test func `a photo that is edited in place has the colour of what it shows now`()
        async throws
    {
        let path = try home.add("preview/matching.jpg", as: "a.jpg", at: 1_000_002)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        let id = try #require(try await library.id(of: path))
        #expect(try await colours(library).first != .some(nil))
        try home.add("jpeg/grey.jpg", as: "a.jpg", at: 1_000_003)
        try await eventually("the new colour") {
            try await library.reader.photos(in: .all).colours == [nil]
        }
        #expect(try await library.reader.photos(in: .all).ids == [id])
        await library.close()
    }

    @Test func `the photo of a raw file and its picture has the colour of the picture`()
        async throws
    {
        let picture = try home.add("preview/matching.jpg", as: "a.jpg", at: 1_000_002)
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_002)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        _ = try await library.settle(photos: 1)
        let both = try await colours(library).first ?? nil
        #expect(both.map { $0.red > 240 && $0.green < 15 } == true)
        try AtomicFile.remove(picture)
        _ = try await library.settle(files: 1)
        let raw = try await colours(library).first ?? nil
        #expect(raw != nil && raw != both)
        await library.close()
    }
}
