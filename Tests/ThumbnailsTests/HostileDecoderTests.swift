// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// What a decoder that was taken over can do to the thumbnail cache.
@Suite(.serialized) struct HostileDecoderTests {
    private let home: TestHome
    private let cache: ThumbnailCache
    private let photo: FilePath

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        photo = home.pictures.appending("photo.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
    }

    @Test(arguments: [
        "unsealed", "shrinkable", "writable", "regularFile", "pipe", "shortPixels", "longPixels",
        "largerThanAsked", "hugeSize", "emptySize", "overflowingSize", "entryUnsealed",
        "entryHuge", "entryText", "entryCut", "entryTail", "entryUnknownChunk",
        "entryOfOtherFile", "entryOfOtherTime", "entryOfOtherSize", "entryTwiceNamed",
        "noDescriptor", "extraDescriptor", "otherReply", "unknownCode", "unknownError",
        "trailingByte", "emptyPacket", "longPacket", "silent",
    ])
    func `a decoder that is not believed leaves nothing in the cache`(lie: String) async throws {
        let loader = try loader(lie)
        defer { loader.close() }
        let uri = try #require(FileURI.make(photo))
        await #expect(throws: (any Error).self) {
            _ = try await loader.loader.thumbnail(of: photo, .large, priority: .visible)
        }
        await #expect(throws: (any Error).self) {
            try await loader.loader.provide(uri, .large, priority: .visible, client: "")
        }
        #expect(files(below: home.cache).isEmpty)
    }

    @Test(arguments: [
        "unsealed", "shortPixels", "hugeSize", "entryText", "entryOfOtherFile", "entryOfOtherSize",
    ])
    func `a decoder that is not believed adopts no thumbnail`(lie: String) async throws {
        let old = try #require(FileURI.make(home.pictures.appending("old.jpg")))
        let uri = try #require(FileURI.make(photo))
        try home.write([1], to: cache.path(of: old, .large))
        let loader = try loader(lie)
        defer { loader.close() }
        await ThumbnailKeeper(loader.loader).adopt(from: old, as: uri)
        #expect(files(below: home.cache) == [cache.path(of: old, .large)])
    }

    @Test func `an entry that claims to show another file is not removed with that file`()
        async throws
    {
        // The decoder says that the entry is of a file that is gone.
        let uri = try #require(FileURI.make(photo))
        try home.write([1], to: cache.path(of: uri, .large))
        let loader = try loader("honest")
        defer { loader.close() }
        await ThumbnailKeeper(loader.loader).cleanUp(below: ["file:///tmp"], since: 0)
        #expect(files(below: home.cache) == [cache.path(of: uri, .large)])
    }

    @Test func `a decoder that tells the truth fills the cache`() async throws {
        let loader = try loader("honest")
        defer { loader.close() }
        let uri = try #require(FileURI.make(photo))
        let picture = try await loader.loader.thumbnail(of: photo, .large, priority: .visible)
        #expect(picture.size == PixelSize(width: 64, height: 48))
        #expect(files(below: home.cache) == [cache.path(of: uri, .large)])
    }

    // MARK: -

    private struct Loading {
        let loader: ThumbnailLoader
        let pool: DecoderPool

        func close() { pool.close() }
    }

    private func loader(_ lie: String) throws -> Loading {
        let pool = DecoderPool(
            program: try HostileDecoder.program(lie, in: home), workers: 1,
            timeout: .milliseconds(lie == "silent" ? 200 : 20_000))
        return Loading(loader: ThumbnailLoader(cache: cache, decoders: pool), pool: pool)
    }

    /// All files below a folder.
    private func files(below folder: FilePath) -> [FilePath] {
        names(in: folder).flatMap { name in
            let path = folder.appending(name)
            let isFolder = (try? path.stat(followTargetSymlink: false))?.type == .directory
            return isFolder ? files(below: path) : [path]
        }
    }
}
