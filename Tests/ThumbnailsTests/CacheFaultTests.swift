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

/// A cache that is not writable, or that other programs write to: thumbnails are shown all the
/// same, other files are kept, and no temporary file remains.
@Suite(.serialized) struct CacheFaultTests {
    private let home: TestHome
    private let cache: ThumbnailCache
    private let photo: FilePath
    private let small: FilePath
    private let uri: String

    init() throws {
        home = try TestHome()
        cache = ThumbnailCache(folder: home.cache.appending("thumbnails"))
        photo = home.pictures.appending("photo.jpg")
        small = home.pictures.appending("small.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: small)
        uri = try #require(FileURI.make(photo))
        try Directory.make(cache.folder)
    }

    // MARK: - Disks

    @Test(
        .enabled(
            if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.skipReason)),
        arguments: ["size=4k", "nr_inodes=2", "nr_inodes=1"])
    func `on a full disk the thumbnail is shown but not stored`(limit: String) async throws {
        let broken = home.pictures.appending("broken.jpg")
        try home.write(Fixtures.bytes("broken/header-only.jpg"), to: broken)
        let lines = try await probe(
            "mount -t tmpfs -o mode=700,\(limit) none \(cache.folder)", photo, broken)
        #expect(lines.prefix(4) == ["256x192", "notStored", "damaged", "damaged"])
        // A failure entry is small.
        let note = cache.failurePath(of: try #require(FileURI.make(broken)))
        #expect(lines.dropFirst(4).allSatisfy { note.string.hasSuffix("/\($0)") }, "\(lines)")
    }

    @Test(
        .enabled(
            if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.skipReason)))
    func `thumbnails on a disk that has become full are kept`() async throws {
        let old = cache.path(of: uri, .large)
        let lines = try await probe(
            """
            mount -t tmpfs -o mode=700,size=64k none \(cache.folder)
            \(probeCommand(small)) > /dev/null
            echo old > \(old)
            head -c 1000000 /dev/zero > \(cache.folder)/fill 2> /dev/null || true
            """, small, photo)
        let other = cache.path(of: try #require(FileURI.make(small)), .large)
        let kept = ["fill"] + [old, other].map { "large/\($0.lastComponent?.string ?? "")" }
        #expect(lines == ["64x48", "there", "256x192", "notStored"] + kept.sorted())
    }

    @Test(
        .enabled(
            if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.skipReason)))
    func `a cache on a disk that is mounted read-only is read`() async throws {
        _ = try await loader().thumbnail(of: small, .large, priority: .visible)
        let before = entries()
        let lines = try await probe(
            """
            mount --bind \(cache.folder) \(cache.folder)
            mount -o remount,bind,ro \(cache.folder)
            """, small, photo)
        #expect(lines == ["64x48", "there", "256x192", "notStored"] + before)
        #expect(entries() == before)
    }

    // MARK: - Permissions

    @Test func `the cache is not used for a file that may not be read`() async throws {
        _ = try await loader().thumbnail(of: small, .large, priority: .visible)
        let before = entries()
        for path in [photo, small] {
            try #require(path.withPlatformString { chmod($0, 0) } == 0)
        }
        // Root without the privilege to read every file.
        let program = getuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : ""
        let lines = try await run(["sh", "-c", program + probeCommand(small, photo)])
        #expect(lines == Array(repeating: "unreadable", count: 4))
        #expect(entries() == before)
    }

    // MARK: - Other files in the way

    /// The ways in which another file can take the place of a folder or file of the cache.
    enum Obstacle: String, CaseIterable {
        case file, danglingLink, linkToItself, linkToFile, fifo
    }

    @Test(arguments: Obstacle.allCases, [0, 1])
    func `another file in place of a folder is kept, and loses no thumbnail`(
        obstacle: Obstacle, depth: Int
    ) async throws {
        let place = depth == 0 ? cache.folder : cache.folder.appending("large")
        removeTree(place)
        try put(obstacle, at: place)
        let before = try place.stat(followTargetSymlink: false)
        let loader = loader()
        #expect(try await size(with: loader) == PixelSize(width: 256, height: 192))
        await #expect(throws: ThumbnailFailure.notStored) {
            try await loader.provide(uri, .large, priority: .visible, client: "")
        }
        #expect(try place.stat(followTargetSymlink: false).inode == before.inode)
        #expect(names(in: home.scratch).filter { $0.string.hasPrefix(".") }.isEmpty)
    }

    @Test(arguments: [0, 1])
    func `a link to a folder elsewhere is as good as a folder`(depth: Int) async throws {
        let place = depth == 0 ? cache.folder : cache.folder.appending("large")
        let elsewhere = home.scratch.appending("elsewhere")
        try Directory.make(elsewhere)
        removeTree(place)
        try #require(symlink(elsewhere.string, place.string) == 0)
        let loader = loader()
        #expect(try await size(with: loader) == PixelSize(width: 256, height: 192))
        try await loader.provide(uri, .large, priority: .visible, client: "")
        #expect(try place.stat(followTargetSymlink: false).type == .symbolicLink)
        let folder = depth == 0 ? elsewhere.appending("large") : elsewhere
        #expect(names(in: folder) == [try #require(cache.path(of: uri, .large).lastComponent)])
        // A file that is reached through the other path is a thumbnail as well.
        await #expect(throws: ThumbnailFailure.isThumbnail) {
            let thumbnail = try #require(FileURI.make(cache.path(of: uri, .large)))
            try await loader.provide(thumbnail, .normal, priority: .visible, client: "")
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `another file in place of a thumbnail is replaced, and the target of a link is not`(
        obstacle: Obstacle
    ) async throws {
        let place = cache.path(of: uri, .large)
        try Directory.make(place.removingLastComponent())
        try put(obstacle, at: place)
        let target = try? Descriptor.openForReading(home.scratch.appending("target")).read(upTo: 9)
        let loader = loader()
        #expect(try await size(with: loader) == PixelSize(width: 256, height: 192))
        try await loader.provide(uri, .large, priority: .visible, client: "")
        #expect(try place.stat(followTargetSymlink: false).type == .regular)
        #expect(names(in: place.removingLastComponent()).count == 1)
        #expect(
            (try? Descriptor.openForReading(home.scratch.appending("target")).read(upTo: 9))
                == target)
    }

    @Test func `a folder in place of a thumbnail is kept, and loses no thumbnail`() async throws {
        let place = cache.path(of: uri, .large)
        try home.write([1], to: place.appending("file"))
        #expect(try await size(with: loader()) == PixelSize(width: 256, height: 192))
        #expect(names(in: place.removingLastComponent()).count == 1)
        #expect(names(in: place) == ["file"])
    }

    // MARK: - Others

    @Test func `while another program writes the same thumbnail every picture is complete`()
        async throws
    {
        let place = cache.path(of: uri, .large)
        try Directory.make(place.removingLastComponent())
        let modified = try photo.stat().modifiedSeconds
        for (name, date) in [("valid", modified), ("stale", 1)] {
            let bitmap = Bitmap(
                size: PixelSize(width: 2, height: 1), format: .rgb, bytes: [1, 2, 3, 4, 5, 6])
            let texts = [(keyword: "Thumb::URI", text: uri), ("Thumb::MTime", "\(date)")]
            try home.write(bitmap.png(texts: texts), to: home.scratch.appending(name))
        }
        let other = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.otherProgram, home.scratch.string, place.string],
            environment: home.environment, scratch: home.scratch)
        try await eventually("the other program's thumbnail") { (try? place.stat()) != nil }
        let loader = loader()
        var sizes: [PixelSize: Int] = [:]
        for _ in 0..<150 {
            sizes[try await size(with: loader), default: 0] += 1
            try await loader.provide(uri, .large, priority: .visible, client: "")
        }
        try home.write([], to: home.scratch.appending("stop"))
        #expect(try await other.exitStatus() == 0, "\(other.errorText)")
        #expect(other.outputText.hasPrefix("whole "))
        #expect(
            Set(sizes.keys) == [PixelSize(width: 2, height: 1), PixelSize(width: 256, height: 192)])
        #expect(names(in: place.removingLastComponent()) == [try #require(place.lastComponent)])
        _ = try await size(with: loader)
    }

    /// Writes valid and outdated thumbnails, removes them, reads the file in between, and returns
    /// how often it was a complete picture.
    private static let otherProgram = """
        import os, sys
        folder, place = sys.argv[1:]
        contents = [open(os.path.join(folder, name), "rb").read() for name in ("valid", "stale")]
        whole = count = 0
        while not os.path.exists(os.path.join(folder, "stop")):
            temporary = place + ".other"
            with open(temporary, "wb") as file:
                file.write(contents[count % 2])
            os.rename(temporary, place)
            count += 1
            for _ in range(20):
                try:
                    data = open(place, "rb").read()
                except FileNotFoundError:
                    continue
                if not data.startswith(b"\\x89PNG") or not data.endswith(b"IEND\\xaeB`\\x82"):
                    sys.exit(f"{len(data)} bytes that are no picture")
                whole += 1
            if count % 5 == 0:
                os.unlink(place)
        with open(place, "wb") as file:
            file.write(contents[0])
        print("whole", whole)
        """

    // MARK: -

    private func loader() -> ThumbnailLoader {
        ThumbnailLoader(
            cache: cache,
            decoders: DecoderPool(
                program: FilePath(Programs.path("photo-portal-decoder")), workers: 1, idleTime: 1))
    }

    private func size(with loader: ThumbnailLoader) async throws -> PixelSize {
        try await loader.thumbnail(of: photo, .large, priority: .visible).size
    }

    private func put(_ obstacle: Obstacle, at place: FilePath) throws {
        let target = home.scratch.appending("target")
        switch obstacle {
        case .file: try home.write([1], to: place)
        case .danglingLink: try #require(symlink(target.string, place.string) == 0)
        case .linkToItself: try #require(symlink(place.string, place.string) == 0)
        case .linkToFile:
            try home.write([1], to: target)
            try #require(symlink(target.string, place.string) == 0)
        case .fifo: try #require(place.withPlatformString { mkfifo($0, 0o600) } == 0)
        }
    }

    /// All files in the cache, by their paths in it, sorted.
    private func entries() -> [String] {
        names(in: cache.folder).flatMap { folder in
            names(in: cache.folder.appending(folder)).map { "\(folder.string)/\($0.string)" }
        }.sorted()
    }

    private func probeCommand(_ files: FilePath...) -> String {
        let words = [Programs.path("thumbnail-probe"), Programs.path("photo-portal-decoder")]
        return (words + ([cache.folder] + files).map(\.string)).joined(separator: " ")
    }

    /// Mounts a file system, requests thumbnails, and lists the files that are then in the cache.
    private func probe(_ mount: String, _ files: FilePath...) async throws -> [String] {
        let command = try #require(MountNamespace.command)
        let files = files.map(\.string).joined(separator: " ")
        return try await run(
            command + [
                "sh", "-ec",
                "\(mount)\n\(probeCommand()) \(files)\nfind \(cache.folder) ! -type d -printf '%P\\n' | sort",
            ])
    }

    /// Runs a program and returns the lines that it prints.
    private func run(_ words: [String]) async throws -> [String] {
        let child = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: home.environment,
            scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(60))
        try #require(status == 0, "\(child.errorText)")
        return child.outputText.split(separator: "\n").map(String.init)
    }
}
