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

/// The desktop's cache, according to the Thumbnail Managing Standard.
@Suite(.serialized) struct CacheTests {
    private let home: TestHome
    private let cache: ThumbnailCache
    private let photo: FilePath
    private let uri: String

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        photo = home.pictures.appending("a b.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        uri = try #require(FileURI.make(photo))
    }

    @Test func `the name is the MD5 of the URI`() {
        let cache = ThumbnailCache(folder: "/c")
        // The example in the standard.
        #expect(
            cache.path(of: "file:///home/jens/photos/me.png", .large)
                == "/c/large/c6ee772d9e49320e97ec29a7eb5b1697.png")
    }

    @Test func `a thumbnail is written with the attributes that readers check`() async throws {
        let picture = try await load(.large)
        #expect(picture.size == PixelSize(width: 256, height: 192))
        let path = cache.path(of: uri, .large)
        let file = try Descriptor.openForReading(path)
        let chunks = PNGChunks(try FileBytes(file))
        let information = try photo.stat()
        #expect(chunks.size == picture.size)
        #expect(chunks.texts["Thumb::URI"] == uri)
        #expect(chunks.texts["Thumb::MTime"] == "\(information.modifiedSeconds)")
        #expect(chunks.texts["Thumb::Size"] == "\(information.size)")
        #expect(chunks.texts["Thumb::Mimetype"] == "image/jpeg")
        #expect(chunks.texts["Thumb::Image::Width"] == "640")
        #expect(try path.stat().permissions == .ownerReadWrite)
        #expect(try path.removingLastComponent().stat().permissions == .ownerReadWriteExecute)
        #expect(names(in: path.removingLastComponent()).count == 1)
    }

    @Test func `a valid thumbnail of another program is used, and not written again`() async throws
    {
        // A picture that differs from ours, so that it can be recognized.
        try plant(mtime: "\(photo.stat().modifiedSeconds)")
        let before = try cache.path(of: uri, .large).stat()
        #expect(try await load(.large).size == PixelSize(width: 2, height: 1))
        #expect(try cache.path(of: uri, .large).stat().inode == before.inode)
    }

    @Test func `a thumbnail with a fraction of a second is valid, as tumbler writes it`()
        async throws
    {
        try plant(mtime: "\(photo.stat().modifiedSeconds).000000")
        #expect(try await load(.large).size == PixelSize(width: 2, height: 1))
    }

    @Test(arguments: ["0", "99999999999", "", "x", "-1"])
    func `a thumbnail with another date is made again`(mtime: String) async throws {
        try plant(mtime: mtime)
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
    }

    @Test func `a thumbnail of another file under this name is made again`() async throws {
        try plant(mtime: "\(photo.stat().modifiedSeconds)", uri: "file:///other.jpg")
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
    }

    @Test func `a thumbnail of another size of the file is made again`() async throws {
        try plant(mtime: "\(photo.stat().modifiedSeconds)", byteCount: "1")
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
    }

    @Test func `a changed photo gets a new thumbnail`() async throws {
        _ = try await load(.large)
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        var times = [
            timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0),
        ]
        _ = photo.withPlatformString { utimes($0, &times) }
        #expect(try await load(.large).size == PixelSize(width: 64, height: 48))
        #expect(try await load(.large).size == PixelSize(width: 64, height: 48))
    }

    /// Each was shown in place of the other, and the other was delivered.
    @Test func `two photos of one second that swap their names swap their thumbnails`() async throws
    {
        let other = home.pictures.appending("other.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: other)
        for path in [photo, other] { home.setDate(of: path, 1_000_000) }
        // As a program writes it that does not tell the size of the file.
        try plant(mtime: "1000000")
        #expect(try await load(.large).size == PixelSize(width: 2, height: 1))
        let aside = home.pictures.appending("aside.jpg")
        try AtomicFile.rename(photo, to: aside)
        try AtomicFile.rename(other, to: photo)
        try AtomicFile.rename(aside, to: other)
        #expect(try await load(.large).size == PixelSize(width: 64, height: 48))
    }

    @Test func `a photo that is rewritten with its old date gets a new thumbnail`() async throws {
        home.setDate(of: photo, 1_000_000)
        try plant(mtime: "1000000")
        #expect(try await load(.large).size == PixelSize(width: 2, height: 1))
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        home.setDate(of: photo, 1_000_000)
        #expect(try await load(.large).size == PixelSize(width: 64, height: 48))
    }

    @Test func `an entry that is older than the photo's last change is made again, once`()
        async throws
    {
        try plant(mtime: "\(photo.stat().modifiedSeconds)")
        home.setDate(of: cache.path(of: uri, .large), 1)
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
        let made = try cache.path(of: uri, .large).stat()
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
        #expect(try cache.path(of: uri, .large).stat().inode == made.inode)
    }

    /// A clock was wrong when it was written, so nobody knows which photo had the name then.
    @Test func `an entry from the future is made again, once`() async throws {
        try plant(mtime: "\(photo.stat().modifiedSeconds)")
        home.setDate(of: cache.path(of: uri, .large), Int(FileClock.nowInSeconds) + 7200)
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
        let made = try cache.path(of: uri, .large).stat()
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
        #expect(try cache.path(of: uri, .large).stat().inode == made.inode)
    }

    /// When the photo changed, when the entry was written, and whether it counts.
    ///
    /// In nanoseconds; it is 10 s. On a disk with whole seconds, a photo of 5.9 s has the date 5 s.
    @Test(
        arguments: [
            (5_500_000_000, 5_499_999_999, false), (5_500_000_000, 5_500_000_000, true),
            (5_000_000_000, 5_800_000_000, false), (5_000_000_000, 6_900_000_000, false),
            (5_000_000_000, 7_000_000_000, true),
            // The photo's date, the entry's, and both are in the future.
            (15_000_000_000, 7_000_000_000, true), (5_500_000_000, 15_000_000_000, false),
            (15_000_000_000, 16_000_000_000, false),
        ] as [(Int64, Int64, Bool)])
    func `only an entry that is surely newer than the photo's last change counts`(
        changed: Int64, written: Int64, isShown: Bool
    ) {
        let version = FileVersion(
            device: 1, inode: 1, byteCount: 1, modified: 1, changed: changed)
        #expect(version.isShown(byEntryOf: written, now: 10_000_000_000) == isShown)
    }

    @Test func `garbage in the cache is made again`() async throws {
        let path = cache.path(of: uri, .large)
        for garbage: [UInt8] in [
            [], Array("no picture".utf8), try Fixtures.bytes("broken/short.png"),
        ] {
            try home.write(garbage, to: path)
            #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
        }
    }

    @Test func `a photo that cannot be shown gets a failure entry`() async throws {
        try home.write(Fixtures.bytes("broken/header-only.jpg"), to: photo)
        await #expect(throws: DecodeError.damaged) { try await load(.large) }
        let mark = cache.failurePath(of: uri)
        #expect(try mark.stat().permissions == .ownerReadWrite)
        let texts = PNGChunks(try FileBytes(Descriptor.openForReading(mark))).texts
        #expect(texts["Thumb::URI"] == uri)
        // Only the failure entry decides now.
        await #expect(throws: DecodeError.damaged) { try await load(.normal) }
        // Until the photo changes.
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        var times = [
            timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0),
        ]
        _ = photo.withPlatformString { utimes($0, &times) }
        #expect(try await load(.large).size == PixelSize(width: 64, height: 48))
    }

    @Test func `a video has a thumbnail like any photo`() async throws {
        try home.write(Fixtures.bytes("video/moving.mp4"), to: photo)
        let picture = try await load(.large)
        #expect(picture.size == PixelSize(width: 96, height: 64))
        let chunks = PNGChunks(
            try FileBytes(try Descriptor.openForReading(cache.path(of: uri, .large))))
        #expect(chunks.texts["Thumb::URI"] == uri)
        #expect(chunks.texts["Thumb::MTime"] == "\(try photo.stat().modifiedSeconds)")
    }

    @Test func `an unsupported kind of picture gets no failure entry`() async throws {
        let jpeg2000 = [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]
        try home.write(jpeg2000, to: photo)
        await #expect(throws: DecodeError.unsupported) { try await load(.large) }
        #expect((try? cache.failurePath(of: uri).stat()) == nil)
    }

    @Test func `a cache that is not writable loses no thumbnail`() async throws {
        // Root may write anywhere, but even root cannot use a file as a folder.
        removeTree(home.cache)
        try home.write([1], to: home.cache)
        #expect(try await load(.large).size == PixelSize(width: 256, height: 192))
    }

    @Test func `thumbnails have no thumbnails`() async throws {
        _ = try await load(.large)
        let path = cache.path(of: uri, .large)
        let loader = loader()
        _ = try await loader.thumbnail(of: path, .normal, priority: .visible)
        #expect(names(in: cache.folder).map(\.string) == ["large"])
    }

    @Test(arguments: [("a b.jpg", true), ("a%20b.jpg", true), ("other.jpg", false)])
    func `a shared thumbnail beside the photo is used, and never written`(
        name: String, isUsed: Bool
    ) async throws {
        let shared = cache.sharedPaths(of: photo, uri, .large)
        #expect(shared.map(\.uri) == ["a b.jpg", "a%20b.jpg"])
        let path = try #require(shared.first { $0.uri == name }?.path ?? shared.first?.path)
        #expect(path.starts(with: home.pictures.appending(".sh_thumbnails").appending("large")))
        try plant(mtime: "\(photo.stat().modifiedSeconds)", uri: name, at: path)
        let before = try path.stat().inode
        let width = try await load(.large).size.width
        #expect(width == (isUsed ? 2 : 256))
        #expect(try path.stat().inode == before)
        // It does not get a thumbnail of its own either.
        _ = try await loader().thumbnail(of: path, .normal, priority: .visible)
        #expect((try? cache.path(of: try #require(FileURI.make(path)), .normal).stat()) == nil)
    }

    @Test func `a file that is gone is an error`() async throws {
        try AtomicFile.remove(photo)
        await #expect(throws: DecodeError.unreadable) { try await load(.large) }
    }

    private func loader() -> ThumbnailLoader {
        ThumbnailLoader(
            cache: cache,
            decoders: DecoderPool(
                program: FilePath(Programs.path("photo-portal-decoder")),
                videos: FilePath(Programs.path("photo-portal-video")), workers: 1, idleTime: 0))
    }

    private func load(_ size: ThumbnailSize) async throws -> RawPicture {
        try await loader().thumbnail(of: photo, size, priority: .visible)
    }

    /// Puts a thumbnail of 2 × 1 pixels into the cache, like another program.
    private func plant(
        mtime: String, uri: String? = nil, byteCount: String? = nil, at path: FilePath? = nil
    ) throws {
        var texts = [("Thumb::URI", uri ?? self.uri), ("Thumb::MTime", mtime)]
        if let byteCount { texts.append(("Thumb::Size", byteCount)) }
        let bitmap = Bitmap(
            size: PixelSize(width: 2, height: 1), format: .rgb, bytes: [1, 2, 3, 4, 5, 6])
        try home.write(
            bitmap.png(texts: texts.map { ($0.0, $0.1) }),
            to: path ?? cache.path(of: self.uri, .large))
    }
}
