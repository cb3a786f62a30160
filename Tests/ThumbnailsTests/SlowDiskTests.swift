// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// A disk that takes longer to answer than a decoder may take: one that has to start to turn, or one in
/// a network that is busy.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct SlowDiskTests {
    @Test func `a photo whose disk answered late is shown once the disk answers in time`()
        async throws
    {
        let home = try TestHome()
        let place = home.pictures.appending("Slow")
        let disk = try await StalledDisk.mount(at: place, of: home) { folder in
            try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: folder.appending("a.jpg"))
        }
        let photo = place.appending("a.jpg")
        let uri = try #require(FileURI.make(photo))
        let cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        let decoders = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1,
            timeout: .milliseconds(500))
        defer { decoders.close() }
        let loader = ThumbnailLoader(cache: cache, decoders: decoders)

        try disk.stall(.read)
        await #expect(throws: DecodeError.self) {
            try await loader.thumbnail(of: photo, .large, priority: .visible)
        }
        // Nobody knows yet whether the photo is damaged.
        await #expect(throws: ThumbnailFailure.unreadable) {
            try await loader.provide(uri, .large, priority: .visible, client: "")
        }
        try disk.answer()
        #expect(
            try await loader.thumbnail(of: photo, .large, priority: .visible).size
                == PixelSize(width: 256, height: 192))
        try await loader.provide(uri, .normal, priority: .visible, client: "")
    }
}
