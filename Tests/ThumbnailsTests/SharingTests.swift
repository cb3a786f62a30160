// SPDX-License-Identifier: MIT

import Desktop
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Callers that request the same thumbnail at the same time, with a decoder that starts its work
/// only when the test allows it.
@Suite(.serialized) struct SharingTests {
    private let home: TestHome
    private let decoder: GatedDecoder
    private let pool: DecoderPool
    private let loader: ThumbnailLoader
    private let cache: ThumbnailCache
    private let photo: FilePath
    private let uri: String

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        decoder = try GatedDecoder(in: home)
        pool = decoder.pool
        loader = ThumbnailLoader(cache: cache, decoders: pool)
        photo = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        uri = try #require(FileURI.make(photo))
    }

    @Test(arguments: [true, false])
    func `a thumbnail that several callers request is made once`(startsWithPicker: Bool)
        async throws
    {
        var pickers: [Task<RawPicture, any Error>] = []
        if startsWithPicker { pickers.append(picture(.visible)) }
        let client = startsWithPicker ? nil : provision(.visible)
        try await eventually("the first one's decoder") { decoder.hasStarted }
        let other = client ?? provision(.background)
        while pickers.count < 3 { pickers.append(picture(.background)) }
        try await eventually("three who wait") { loader.sharingCount == 3 }
        #expect(pool.waitingCount == 0)
        try decoder.open()
        let pictures = try await pickers.asyncMap { try await $0.value }
        try await other.value
        for picture in pictures { #expect(picture.file == pictures[0].file) }
        #expect(names(in: cache.path(of: uri, .large).removingLastComponent()).count == 1)
        // A later caller finds it in the cache.
        #expect(try await picture(.visible).value.file != pictures[0].file)
        #expect(loader.sharingCount == 0)
        pool.close()
    }

    @Test func `cancelling affects only the caller that cancels`() async throws {
        let other = try await occupyDecoder()
        let first = picture(.visible)
        try await eventually("a job in the queue") { pool.waitingCount == 1 }
        let second = picture(.visible)
        let third = picture(.visible)
        try await eventually("two who wait") { loader.sharingCount == 2 }
        third.cancel()
        await #expect(throws: DecodeError.cancelled) { try await third.value }
        #expect(pool.waitingCount == 1)
        first.cancel()
        await #expect(throws: DecodeError.cancelled) { try await first.value }
        try await eventually("the second one's own job") {
            pool.waitingCount == 1 && loader.sharingCount == 0
        }
        try decoder.open()
        #expect(try await second.value.size == PixelSize(width: 256, height: 192))
        _ = await other.value
        pool.close()
    }

    @Test func `when the last caller cancels nothing is made`() async throws {
        let other = try await occupyDecoder()
        let both = [picture(.visible), picture(.background)]
        try await eventually("both") { pool.waitingCount == 1 && loader.sharingCount == 1 }
        for one in both { one.cancel() }
        for one in both { await #expect(throws: DecodeError.cancelled) { try await one.value } }
        #expect(pool.waitingCount == 0)
        try decoder.open()
        _ = await other.value
        #expect(names(in: cache.folder).isEmpty)
        pool.close()
    }

    @Test func `a visible thumbnail does not wait for background jobs`()
        async throws
    {
        let other = try await occupyDecoder()
        let order = Recorder<String>()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<60 {
            let path = home.pictures.appending("\(number).jpg")
            try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: path)
            tasks.append(
                Task {
                    _ = try await loader.thumbnail(of: path, .large, priority: .background)
                    order.note("\(number)")
                })
        }
        try await eventually("the background") { pool.waitingCount == 60 }
        tasks.append(
            Task {
                try await provision(.background).value
                order.note("wanted in the background")
            })
        try await eventually("one more") { pool.waitingCount == 61 }
        tasks.append(
            Task {
                _ = try await picture(.visible).value
                order.note("seen")
            })
        try await eventually("somebody who waits") { loader.sharingCount == 1 }
        try decoder.open()
        for task in tasks { try await task.value }
        _ = await other.value
        // A quarter of all: the tasks go on in an order of their own, close to that of the decoder.
        let first = Set(order.all.prefix(16))
        #expect(first.isSuperset(of: ["seen", "wanted in the background"]), "\(order.all)")
        pool.close()
    }

    // MARK: -

    /// Gives the only decoder a job that it does not start.
    private func occupyDecoder() async throws -> Task<ImageFacts?, Never> {
        let file = try Fixtures.open("jpeg/grey.jpg")
        let task = Task { try? await pool.run(.probe, on: file, priority: .visible) }
        try await eventually("a decoder") { decoder.hasStarted && pool.waitingCount == 0 }
        return task
    }

    private func picture(_ priority: DecoderPool.Priority) -> Task<RawPicture, any Error> {
        Task { try await loader.thumbnail(of: photo, .large, priority: priority) }
    }

    private func provision(_ priority: DecoderPool.Priority) -> Task<Void, any Error> {
        Task { try await loader.provide(uri, .large, priority: priority, client: ":1.1") }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
