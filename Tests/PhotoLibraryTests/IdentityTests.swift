// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// A photo keeps its id, whatever happens to its file.
@Suite(.serialized) struct IdentityTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `ids survive a restart`() async throws {
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "b.jpg", number: 2)
        let before = try await ids(files: 2)
        #expect(before.count == 2)
        #expect(try await ids(files: 2) == before)
    }

    @Test func `ids follow from the content, however many files are examined together`()
        async throws
    {
        // Shorter than one sample and than two, and longer.
        var expected: Set<AssetID> = []
        for number in 0..<20 {
            let rest = [UInt8](repeating: UInt8(number), count: number * 3000)
            let content = try Fixtures.bytes("jpeg/grey.jpg") + rest
            try home.write(content, to: home.pictures.appending("\(number).jpg"))
            let size = (0..<8).map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
            let head = Array(content.prefix(16_384))
            let tail = Array(content.dropFirst(head.count).suffix(16_384))
            expected.insert(try #require(AssetID(bytes: Digest.md5(size, head, tail))))
        }
        #expect(try await Set(ids(files: 20)) == expected)
    }

    @Test func `ids survive a rename and a move while no indexer runs`() async throws {
        let path = try home.add(as: "a.jpg")
        let before = try await ids(files: 1)
        try Directory.make(home.pictures.appending("Album"))
        try AtomicFile.rename(path, to: home.pictures.appending("Album").appending("b.jpg"))
        #expect(try await ids(files: 1) == before)
    }

    @Test func `a move to another file system is a copy and a deletion`() async throws {
        let path = try home.add(as: "a.jpg")
        let before = try await ids(files: 1)
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("b.jpg"))
        try AtomicFile.remove(path)
        #expect(try await ids(files: 1) == before)
    }

    @Test func `a file that comes back is the same photo`() async throws {
        let path = try home.add(as: "a.jpg")
        let before = try await ids(files: 1)
        let aside = home.scratch.appending("aside.jpg")
        try AtomicFile.rename(path, to: aside)
        #expect(try await ids(files: 0) == [])
        try AtomicFile.rename(aside, to: path)
        #expect(try await ids(files: 1) == before)
    }

    @Test func `an edit in place keeps the id`() async throws {
        let path = try home.add(as: "a.jpg", at: 1_000_000)
        let before = try await ids(files: 1)
        try home.write(Fixtures.bytes("orientation/6.jpg"), to: path)
        let library = try LiveLibrary(home)
        let photos = try await eventually("the new shape") {
            let photos = try await library.reader.photos(in: .all)
            return photos.aspectRatios == [1.5] ? photos : nil
        }
        #expect(photos.ids == before)
        await library.close()
    }

    @Test func `a photo that was edited and deleted comes back with its id`() async throws {
        let path = try home.add(as: "a.jpg")
        let before = try await ids(files: 1)
        try home.write(Fixtures.bytes("png/rgb.png"), to: path)
        #expect(try await ids(files: 1) == before)
        try AtomicFile.remove(path)
        #expect(try await ids(files: 0) == [])
        try home.add(as: "restored.jpg")
        #expect(try await ids(files: 1) == before)
    }

    @Test func `an edit of one of two copies makes two photos, and the other keeps its id`()
        async throws
    {
        try home.add(as: "a.jpg")
        let edited = try home.add(as: "b.jpg")
        let before = try await ids(files: 2)
        #expect(before.count == 1)
        try home.write(Fixtures.bytes("png/rgb.png"), to: edited)
        let after = try await ids(files: 2)
        #expect(after.count == 2)
        #expect(after.contains(before[0]))
    }

    @Test func `uncompressed pictures that differ in the middle return together as two photos`()
        async throws
    {
        var picture = Array("BM".utf8) + [UInt8](repeating: 0, count: 100_000)
        let first = home.pictures.appending("a.bmp")
        let second = home.pictures.appending("b.bmp")
        try home.write(picture, to: first)
        picture[50_000] = 1
        try home.write(picture, to: second)
        let before = try await ids(files: 2)
        #expect(before.count == 2)
        try AtomicFile.rename(first, to: home.scratch.appending("a.bmp"))
        try AtomicFile.rename(second, to: home.scratch.appending("b.bmp"))
        #expect(try await ids(files: 0) == [])
        try AtomicFile.rename(home.scratch.appending("a.bmp"), to: first)
        try AtomicFile.rename(home.scratch.appending("b.bmp"), to: second)
        #expect(Set(try await ids(files: 2)) == Set(before))
    }

    @Test func `two photos that exchange their names keep their ids`() async throws {
        let first = try home.add(as: "a.jpg", number: 1)
        let second = try home.add(as: "b/b.jpg", number: 2)
        let third = try home.add(as: "b/c.jpg", number: 3)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let ids = try await [first, second, third].asyncMap { try await library.id(of: $0) }
        // Within a folder, while the library runs.
        try exchange(second, third)
        try await eventually("the exchange of names in a folder") {
            let now = try await [second, third].asyncMap { try await library.id(of: $0) }
            return now == [ids[2], ids[1]]
        }
        await library.close()
        // Between folders, while it does not run.
        try exchange(first, third)
        let later = try LiveLibrary(home)
        _ = try await later.settle(files: 3)
        #expect(
            try await [first, second, third].asyncMap { try await later.id(of: $0) }
                == [ids[1], ids[2], ids[0]])
        await later.close()
    }

    @Test func `photos that are renamed in a row keep their ids`() async throws {
        let paths = try (0..<5).map { try home.add(as: "\($0).jpg", number: UInt8($0 + 1)) }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let ids = try await paths.asyncMap { try await library.id(of: $0) }
        await library.close()
        // Each takes the name of the next one; the last gets a new name.
        let last = home.pictures.appending("5.jpg")
        for (old, new) in zip(paths, paths.dropFirst() + [last]).reversed() {
            try AtomicFile.rename(old, to: new)
        }
        try home.write(Fixtures.bytes("png/rgb.png"), to: paths[0])
        let later = try LiveLibrary(home)
        _ = try await later.settle(files: 6)
        #expect(
            try await (paths.dropFirst() + [last]).asyncMap { try await later.id(of: $0) } == ids)
        let new = try await later.id(of: paths[0])
        #expect(!ids.contains(new))
        await later.close()
    }

    /// Exchanges the names of two files.
    private func exchange(_ first: FilePath, _ second: FilePath) throws {
        let aside = home.scratch.appending("aside")
        try AtomicFile.rename(first, to: aside)
        try AtomicFile.rename(second, to: first)
        try AtomicFile.rename(aside, to: second)
    }

    @Test func `a new library gives the same ids`() async throws {
        for number in UInt8(1)...5 { try home.add(as: "\(number).jpg", number: number) }
        let before = try await ids(files: 5)
        removeTree(home.data.appending("photo-portal"))
        #expect(Set(try await ids(files: 5)) == Set(before))
    }

    /// Runs a library until it has settled, and returns the ids of all photos.
    private func ids(files: Int) async throws -> [AssetID] {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: files)
        let ids = try await library.reader.photos(in: .all).ids
        await library.close()
        return ids
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ value: (Element) async throws -> Value) async rethrows
        -> [Value]
    {
        var values: [Value] = []
        for element in self { values.append(try await value(element)) }
        return values
    }
}
