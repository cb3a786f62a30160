// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Photos that change while their thumbnail is made, and files that are not photos.
@Suite(.serialized) struct ChangingFileTests {
    private let home: TestHome
    private let cache: ThumbnailCache
    private let decoder: GatedDecoder
    private let loader: ThumbnailLoader
    private let photo: FilePath
    private let uri: String

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        decoder = try GatedDecoder(in: home)
        loader = ThumbnailLoader(cache: cache, decoders: decoder.pool)
        photo = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        uri = try #require(FileURI.make(photo))
    }

    /// The changes to a file between opening and decoding it.
    enum Change: String, CaseIterable {
        case grows, isEmptied, isHalved, isOverwritten, isReplaced, isReplacedByAnOlderOne,
            isDeleted
    }

    @Test(arguments: Change.allCases, [true, false])
    func `a photo that changes is shown or rejected, and not stored`(
        change: Change, isServed: Bool
    ) async throws {
        let end = Task {
            if isServed {
                do throws(ThumbnailFailure) {
                    try await loader.provide(uri, .large, priority: .visible, client: "")
                    return "there"
                } catch {
                    return "\(error)"
                }
            }
            do throws(DecodeError) {
                return "\(try await loader.thumbnail(of: photo, .large, priority: .visible).size)"
            } catch {
                return "\(error)"
            }
        }
        try await eventually("the decoder") { decoder.hasStarted }
        try apply(change)
        try decoder.open()
        let said = await end.value
        switch (change, isServed) {
        case (.isEmptied, _): #expect(["damaged", "unsupported"].contains(said))
        case (_, true): #expect(said == "notStored")
        case (.isOverwritten, false): #expect(said == "\(PixelSize(width: 64, height: 48))")
        case (_, false): #expect(said == "\(PixelSize(width: 256, height: 192))")
        }
        for path in cache.paths(of: uri) { #expect((try? path.stat()) == nil, "\(path)") }
        guard change != .isDeleted, change != .isEmptied else { return }
        // The next thumbnail shows the current photo.
        let now = try await loader.thumbnail(of: photo, .large, priority: .visible).size
        let isSmall = [.isOverwritten, .isReplaced, .isReplacedByAnOlderOne].contains(change)
        #expect(
            now == (isSmall ? PixelSize(width: 64, height: 48) : PixelSize(width: 256, height: 192))
        )
        #expect(try cache.path(of: uri, .large).stat().type == .regular)
    }

    private func apply(_ change: Change) throws {
        let size = try photo.stat().size
        switch change {
        case .grows:
            let file = try FileDescriptor.open(photo, .writeOnly, options: .append)
            try file.closeAfter { _ = try file.writeAll([UInt8](repeating: 0, count: 10_000)) }
        case .isEmptied: try #require(truncate(photo.string, 0) == 0)
        case .isHalved: try #require(truncate(photo.string, off_t(size / 2)) == 0)
        case .isOverwritten:
            // Has the same size, which its thumbnail would contain.
            var bytes = try Fixtures.bytes("jpeg/grey.jpg")
            bytes += [UInt8](repeating: 0, count: max(0, Int(size) - bytes.count))
            let file = try FileDescriptor.open(photo, .writeOnly)
            try file.closeAfter { _ = try file.writeAll(bytes) }
        case .isReplaced: try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        case .isReplacedByAnOlderOne:
            let other = home.scratch.appending("older.jpg")
            try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: other)
            home.setDate(of: other, 1_000_000)
            try AtomicFile.rename(other, to: photo)
        case .isDeleted: try AtomicFile.remove(photo)
        }
    }

    // MARK: - Files that are not photos

    @Test(arguments: [
        "/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/proc/cpuinfo", "/proc/self/mem",
        "/proc/self/pagemap", "/proc/self/exe", "/sys/kernel/notes", "fifo", "folder", "socket",
        "loop",
    ])
    func `a file that is not a photo is an error at once, directly or through a link`(
        target: String
    ) async throws {
        try decoder.open()
        let path = target.hasPrefix("/") ? FilePath(target) : home.pictures.appending(target)
        try make(path)
        let link = home.pictures.appending("link.jpg")
        try #require(symlink(path.string, link.string) == 0)
        for path in [path, link] {
            let start = ContinuousClock.now
            let error = await #expect(throws: DecodeError.self) {
                try await loader.thumbnail(of: path, .large, priority: .visible)
            }
            #expect([.unreadable, .unsupported, .damaged].contains(error), "\(path)")
            let uri = try #require(FileURI.make(path))
            await #expect(throws: ThumbnailFailure.self) {
                try await loader.provide(uri, .large, priority: .visible, client: "")
            }
            #expect(ContinuousClock.now - start < .seconds(10), "\(path)")
            #expect((try? cache.path(of: uri, .large).stat()) == nil)
        }
    }

    private func make(_ path: FilePath) throws {
        switch path.lastComponent?.string {
        case "fifo": try #require(mkfifo(path.string, 0o600) == 0)
        case "folder": try Directory.make(path)
        case "loop": try #require(symlink(path.string, path.string) == 0)
        case "socket":
            try #require(mknod(path.string, mode_t(S_IFSOCK) | 0o600, 0) == 0)
        default: break
        }
    }

    @Test func `two gigabytes of zeros are an error within the time of a photo`() async throws {
        try decoder.open()
        try home.write([0xFF, 0xD8, 0xFF], to: photo)
        try #require(truncate(photo.string, 2 << 30) == 0)
        await #expect(throws: DecodeError.damaged) {
            try await loader.thumbnail(of: photo, .large, priority: .visible)
        }
        await #expect(throws: ThumbnailFailure.damaged) {
            try await loader.provide(uri, .large, priority: .visible, client: "")
        }
    }
}
