// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Changes on the disk appear while the library runs.
@Suite(.serialized) struct WatchingTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `a new file appears, and a deleted one disappears`() async throws {
        try home.add(as: "a.jpg", number: 1)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        let path = try home.add(as: "b.jpg", number: 2)
        _ = try await library.settle(photos: 2)
        try AtomicFile.remove(path)
        _ = try await library.settle(photos: 1)
        #expect(try await library.reader.albums().first?.count == 1)
        await library.close()
    }

    @Test func `a move keeps the id without a moment in which the photo is gone`() async throws {
        let path = try home.add(as: "a/one.jpg")
        try Directory.make(home.pictures.appending("b"))
        let library = try LiveLibrary(home)
        let before = try await library.settle(photos: 1)
        let target = home.pictures.appending("b").appending("two.jpg")
        try AtomicFile.rename(path, to: target)
        var counts: Set<Int> = []
        try await eventually("the move") {
            counts.insert(try await library.reader.photos(in: .all).count)
            return try await library.reader.paths(of: before.ids[0]) == [target]
        }
        #expect(counts == [1])
        await library.close()
    }

    @Test func `a photo that does not say when it was taken follows the time of its file`()
        async throws
    {
        let home = try TestHome()
        for number in 1...3 {
            try home.add(as: "\(number).jpg", number: UInt8(number), at: 1_500_000_000 + number)
        }
        let library = try LiveLibrary(home)
        let before = try await library.settle(photos: 3).ids
        // As a program does that copies the time of a file after its content.
        home.setDate(of: home.pictures.appending("1.jpg"), 1_600_000_000)
        try await eventually("the new order") {
            try await library.reader.photos(in: .all).ids == [before[2], before[0], before[1]]
        }
        let day = try #require(AlbumID("moment-2020-09-13"))
        #expect(try await library.reader.photos(in: day).ids == [before[2]])
        let page = try await library.reader.page(
            of: day, .everything, in: .everything, from: 0, limit: 10)
        #expect(page?.assets.map(\.asset.id) == [before[2]])
        await library.close()
    }

    @Test func `photos below a new folder appear`() async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 0)
        try home.write(
            Fixtures.bytes("jpeg/grey.jpg"),
            to: home.scratch.appending("made").appending("deep").appending("a.jpg"))
        try AtomicFile.rename(home.scratch.appending("made"), to: home.pictures.appending("made"))
        _ = try await library.settle(photos: 1)
        // It is watched from now on.
        try home.add(as: "made/deep/b.jpg", number: 1)
        _ = try await library.settle(photos: 2)
        await library.close()
    }

    @Test func `a folder that is renamed, moved out or deleted is followed`() async throws {
        try home.add(as: "one/a.jpg", number: 1)
        try home.add(as: "one/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        let before = try await library.settle(photos: 2)
        let two = home.pictures.appending("two")
        try AtomicFile.rename(home.pictures.appending("one"), to: two)
        try await eventually("the new names") {
            try await library.reader.paths(of: before.ids[0]).first?.starts(with: two) == true
        }
        #expect(try await Set(library.reader.photos(in: .all).ids) == Set(before.ids))
        try await eventually("the new album") {
            try await library.reader.albums().map(\.title).contains("two")
        }
        try AtomicFile.rename(two, to: home.scratch.appending("out"))
        _ = try await library.settle(photos: 0)
        try await eventually("the end of its albums") {
            try await library.reader.albums().allSatisfy { $0.kind == .smart }
        }
        await library.close()
    }

    @Test func `a folder below one that was renamed is followed further`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        try AtomicFile.rename(
            home.pictures.appending("one"), to: home.pictures.appending("two"))
        // At once, while the library knows the folder by its old name only.
        try home.add(as: "two/below/b.jpg", number: 2)
        _ = try await library.settle(photos: 2)
        let two = home.pictures.appending("two")
        try await eventually("the new names") {
            var paths: [FilePath] = []
            for id in try await library.reader.photos(in: .all).ids {
                paths += try await library.reader.paths(of: id)
            }
            return paths.count == 2 && paths.allSatisfy { $0.starts(with: two) }
        }
        try home.add(as: "two/below/c.jpg", number: 3)
        _ = try await library.settle(photos: 3)
        await library.close()
    }

    @Test func `a Pictures folder that is created later is found`() async throws {
        removeTree(home.pictures)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 0)
        try home.add(as: "a.jpg")
        _ = try await library.settle(photos: 1)
        await library.close()
    }

    @Test func `a new .nomedia file removes the folder`() async throws {
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "secret/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try home.write([], to: home.pictures.appending("secret").appending(".nomedia"))
        _ = try await library.settle(photos: 1)
        await library.close()
    }

    @Test func `a folder appears when its .nomedia file is removed`() async throws {
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "secret/b.jpg", number: 2)
        try home.add(as: "secret/deeper/c.jpg", number: 3)
        let mark = home.pictures.appending("secret").appending(".nomedia")
        try home.write([], to: mark)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        try AtomicFile.remove(mark)
        _ = try await library.settle(photos: 3)
        // It goes again, with what is below it, and comes back.
        try home.write([], to: mark)
        _ = try await library.settle(photos: 1)
        try home.add(as: "secret/deeper/d.jpg", number: 4)
        try home.add(as: "e.jpg", number: 5)
        _ = try await library.settle(photos: 2)
        try AtomicFile.remove(mark)
        _ = try await library.settle(photos: 5)
        await library.close()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a folder that cannot be read for a moment keeps its photos`() async throws {
        let disk = try await StalledDisk.mountPictures(of: home)
        try home.add(as: "a.jpg", number: 1)
        let path = try home.add(as: "b/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try disk.damage()
        try AtomicFile.rename(path, to: home.pictures.appending("b").appending("c.jpg"))
        try await eventually("the warning") {
            library.messages.all.contains { $0.contains("cannot be read at the moment") }
        }
        #expect(try await library.reader.photos(in: .all).count == 2)
        try disk.answer()
        // The next event finds the folder again.
        try home.add(as: "b/d.jpg", number: 3)
        _ = try await library.settle(photos: 3)
        await library.close()
        try await disk.end()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `folders that could not be read at the start are read with the next request`() async throws
    {
        let disk = try await StalledDisk.mountPictures(of: home)
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "b/b.jpg", number: 2)
        try disk.damage()
        let library = try LiveLibrary(home)
        func warnings() -> Int {
            library.messages.all.count { $0.contains("cannot be read at the moment") }
        }
        try await eventually("the warning") { warnings() > 0 }
        _ = try await library.settle(files: 0)
        // As long as it lasts, there is nothing new to say.
        await library.request()
        try disk.answer()
        try await eventually("the photos") {
            await library.request()
            return try await library.reader.photos(in: .all).count == 2
        }
        #expect(warnings() == 1)
        await library.close()
        try await disk.end()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `photos appear although their disk lists each name twice`() async throws {
        let disk = try await StalledDisk.mountPictures(of: home)
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "b/b.jpg", number: 2)
        try disk.listTwice()
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        await library.close()
        try await disk.end()
    }

    @Test func `many new files appear at once`() async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 0)
        for number in 0..<300 {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(number)".utf8),
                to: home.pictures.appending("\(number).jpg"))
        }
        _ = try await library.settle(photos: 300)
        await library.close()
    }

    @Test(arguments: [true, false])
    func `a reader in another process is notified of changes, also without inotify`(
        isWatchable: Bool
    ) async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 0)
        let reader = try LibraryReader(at: home.database)
        let told = Recorder<Void>()
        let limit = isWatchable ? nil : DescriptorLimit()
        var changes = LibraryChanges(of: home.database).makeAsyncIterator()
        limit?.lift()
        let listening = Task {
            while await changes.next() != nil { told.note(()) }
        }
        // The watch begins when the loop starts, so write until it has begun.
        var number: UInt8 = 0
        try await eventually("news") {
            number += 1
            try home.add(as: "\(number).jpg", number: number)
            _ = try await library.settle(photos: Int(number))
            return told.count > 0
        }
        #expect(try await reader.photos(in: .all).count == Int(number))
        listening.cancel()
        await library.close()
    }
}
