// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Logging
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Photos that apps add, while others change the folders that they go to.
@Suite(.serialized) struct ArrivalTests {
    private let home: TestHome
    private let store: LibraryStore
    private let roots: LibraryRoots
    private let decoders: DecoderPool
    private let intake: PhotoIntake

    init() throws {
        home = try TestHome()
        store = try LibraryStore(at: home.database, logger: Logger(label: "test"))
        roots = LibraryRoots(pictures: [home.pictures])
        decoders = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        intake = PhotoIntake(
            store: store, roots: roots, decoders: decoders, nameKey: [1])
    }

    @Test func `a photo arrives in its folder although that is renamed meanwhile`() async throws {
        let arrival = try await receive()
        let moved = home.pictures.appending("Moved")
        try AtomicFile.rename(home.pictures.appending("App"), to: moved)
        _ = try await store.perform([.createAsset(file: 0)], adding: [arrival], in: roots)
        let files = names(in: moved).map(\.string)
        #expect(files.count == 1)
        #expect(files.first?.hasSuffix(".jpg") == true, "\(files)")
        #expect(names(in: home.pictures) == ["Moved"])
    }

    @Test func `a file that is not added is removed although its folder is renamed meanwhile`()
        async throws
    {
        let arrival = try await receive()
        let moved = home.pictures.appending("Moved")
        try AtomicFile.rename(home.pictures.appending("App"), to: moved)
        await store.discard([arrival])
        #expect(names(in: moved) == [])
    }

    @Test func `a folder goes with the photo that it was made for, if that is not added`()
        async throws
    {
        let arrivals = [try await receive(), try await receive()]
        await store.discard(arrivals)
        #expect(names(in: home.pictures) == [])
        // One of somebody else stays.
        let folder = home.pictures.appending("App")
        try Directory.make(folder)
        await store.discard([try await receive()])
        #expect(names(in: home.pictures) == ["App"])
    }

    @Test func `photos arrive while their folder is made and removed by others`() async throws {
        let folder = try #require(intake.folder(named: "App"))
        let folders = Recorder<FileIdentity>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let source = try Fixtures.open("formats/blocks.jpg")
                    for _ in 0..<200 {
                        let copy = try await intake.copy(source, into: folder, nil)
                        #expect(copy.draft.folder.contains(copy.draft.hidden))
                        folders.note(FileIdentity(try copy.draft.folder.information()))
                        await store.discard([copy.draft])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(names(in: home.pictures) == [])
        #expect(Set(folders.all).count > 1)
    }

    @Test func `a folder goes with the last photo that was to be in it`() async throws {
        let folder = try #require(intake.folder(named: "App"))
        let source = try Fixtures.open("formats/blocks.jpg")
        let first = try await intake.copy(source, into: folder, nil)
        let second = try await intake.copy(source, into: folder, nil)
        await store.discard([first.draft])
        #expect(names(in: folder) == [second.draft.hidden])
        await store.discard([second.draft])
        #expect(names(in: home.pictures) == [])
    }

    @Test func `the name of a new file tells nothing about its content to who lacks the key`()
        async throws
    {
        var stems: Set<String> = []
        for key in UInt8(1)...3 {
            let intake = PhotoIntake(
                store: store, roots: roots, decoders: decoders, nameKey: [key])
            let file = try Fixtures.open("dates/canon.jpg")
            let arrival = try await intake.receive(
                file, into: try #require(intake.folder(named: "App")), for: "test")
            let digest = arrival.fingerprint.bytes
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let digits = arrival.name[1].string.split(separator: "-").last?.prefix(8) ?? ""
            #expect(digits.count == 8)
            #expect(!digest.contains(digits))
            stems.insert(arrival.name[1].string)
            await store.discard([arrival])
        }
        #expect(stems.count == 3)
    }

    @Test func `a library that is opened again loses no lock of the one that is open`() async throws
    {
        let path = home.database
        try store.write("hold the lock") { database in
            // It may have to wait for us, and give up.
            _ = try? LibraryStore(at: path, logger: Logger(label: "test"))
            let shell = try ChildProcess(
                "sqlite3", [path.string, "BEGIN IMMEDIATE"], environment: home.environment,
                scratch: home.scratch)
            shell.waitForEnd()
            #expect(shell.errorText.contains("locked"), "\(shell.errorText)")
        }
    }

    @Test func `a photo whose file is removed meanwhile is not added`() async throws {
        let arrival = try await receive()
        let folder = home.pictures.appending("App")
        for name in names(in: folder) { try AtomicFile.remove(folder.appending(name)) }
        await #expect(throws: LibraryChangeError.self) {
            try await store.perform(
                [.createAlbum(title: "Sicily"), .createAsset(file: 0)], adding: [arrival],
                in: roots)
        }
        #expect(names(in: folder) == [])
        let albums = try await LibraryReader(store).albums()
        #expect(!albums.contains { $0.kind == .user })
    }

    @Test(arguments: ["Pictures", "Pictures/App"])
    func `nothing is added to a folder that the library leaves out`(name: String) async throws {
        let folder = home.home.appending(FilePath(name).components)
        try home.write([], to: folder.appending(".nomedia"))
        await #expect(throws: IntakeError.noFolder) { try await receive() }
        #expect(names(in: folder).filter { $0.string != ".nomedia" } == [])
    }

    @Test func `a photo in a link to a folder elsewhere is not added`() async throws {
        let outside = home.scratch.appending("outside")
        try Directory.make(outside)
        let link = home.pictures.appending("App")
        try #require(symlink(outside.string, link.string) == 0)
        await #expect(throws: IntakeError.noFolder) { try await receive() }
        // A link that is broken is none to follow either.
        removeTree(outside)
        await #expect(throws: IntakeError.self) { try await receive() }
        #expect(names(in: home.scratch) == [])
    }

    @Test func `a photo whose row the index has just taken away is not stored twice`() async throws
    {
        // Alike, so that the second one has a name of its own.
        let photo = try Fixtures.bytes("dates/canon.jpg") + [UInt8](repeating: 0, count: 200_000)
        var other = photo
        other[photo.count - 100_000] = 1
        let first = try await add(photo)
        let second = try await add(other)
        #expect(first != second)
        try await change("DELETE FROM file WHERE CAST(name AS TEXT) LIKE '%-2.jpg'", of: home)
        #expect(try await add(other) == second)
        #expect(names(in: home.pictures.appending("App")).count == 2)
    }

    @Test func `a photo on its way stays while its folder is looked through`() async throws {
        // The library of the other tests is open, so its folders are not looked through.
        let home = try TestHome()
        var library = try LiveLibrary(home)
        let photo = try await add(Fixtures.bytes("dates/canon.jpg"), to: library.store, of: home)
        let folder = home.pictures.appending("App")
        let name = try #require(names(in: folder).first)
        // As it is between the change set and the name, in a service that has not come to an end.
        try await change(
            """
            INSERT INTO arrival (folder, hidden, settled, name, file)
            SELECT CAST('\(folder)' AS BLOB), CAST('.arriving' AS BLOB), 1, name, id FROM file
            """, of: home)
        var lock: FileLock? = try await eventually("the lock of the photo") {
            try FileLock(Descriptor.openForLocking(folder.appending(name)))
        }
        #expect(lock != nil)
        try AtomicFile.rename(folder.appending(name), to: folder.appending(".arriving"))
        try home.add(as: "App/other.jpg")
        #expect(try await library.settle(photos: 2).ids.contains(photo))
        await library.close()

        lock = nil
        library = try LiveLibrary(home)
        _ = try await eventually("the name of the photo") {
            names(in: folder).contains(name) ? true : nil
        }
        #expect(try await library.settle(photos: 2).ids.contains(photo))
        #expect(names(in: folder).count == 2)
        await library.close()
    }

    /// An app may open the photo that it has just added.
    @Test func `the version of a photo is known as soon as an app is told of it`() async throws {
        let reader = LibraryReader(store)
        let folder = home.pictures.appending("App")
        var known: Set<FilePath.Component> = []
        for number in 1...30 {
            let photo = try await add(
                Fixtures.bytes("dates/canon.jpg") + [UInt8](repeating: 0, count: number))
            // Each of them has to wait by itself.
            let version = number % 2 == 0 ? try await reader.versions(of: [photo])[photo] : nil
            let name = try #require(names(in: folder).first { !known.contains($0) })
            known.insert(name)
            let file = try Descriptor.openForReading(folder.appending(name))
            let actual = FileVersion(try file.information())
            #expect(try await reader.assets(ofFiles: [actual]).map { $0?.id } == [photo])
            if let version { #expect(version == actual) }
        }
    }

    @Test func `a frame of a burst stays in the lists if an app adds the same picture`()
        async throws
    {
        let home = try TestHome()
        let picture = try Fixtures.bytes("dates/canon.jpg")
        for name in ["001_COVER", "002"] {
            try home.write(
                picture + Array(name.utf8),
                to: home.pictures.appending("IMG_20240101_120000_BURST\(name).jpg"))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        _ = try await library.settle(photos: 1)
        let photo = try await add(picture + Array("002".utf8), to: library.store, of: home)
        #expect(try await library.reader.versions(of: [photo])[photo] != nil)
        let listed = try await library.reader.photos(in: .all).ids
        let all = try await library.reader.albums().first { $0.id == .all }
        #expect(all?.count == listed.count)
        // It is there by itself, or for it the picture that is shown of the burst.
        #expect(listed.contains(photo) || listed.count == 1)
        await library.close()
    }

    /// An app is told of a photo before the library has noted that its file is no longer on its way.
    @Test func `a photo stays if the service ends just after its file got its name`() async throws {
        let home = try TestHome()
        var library = try LiveLibrary(home)
        let photo = try await add(Fixtures.bytes("dates/canon.jpg"), to: library.store, of: home)
        let folder = home.pictures.appending("App")
        let before = names(in: folder)
        _ = try await library.settle(photos: 1)
        await library.close()
        // The file had another time of its status before it got its name.
        try await change(
            """
            INSERT INTO arrival (folder, hidden, settled, name, file)
            SELECT CAST('\(folder)' AS BLOB), CAST('.arriving' AS BLOB), 1, name, id FROM file;
            UPDATE file SET changed = changed - 1000;
            """, of: home)
        library = try LiveLibrary(home)
        try await eventually("the end of the arrival") {
            !library.store.hasArrivals
        }
        #expect(try await library.settle(photos: 1).ids == [photo])
        #expect(names(in: folder) == before)
        await library.close()
    }

    @Test func `photos that an app adds stay while their large folder is looked through`()
        async throws
    {
        let home = try TestHome()
        // It takes a while to list, so that photos arrive while it is.
        let photo = try home.add("dates/canon.jpg", as: "App/0.jpg")
        let folder = home.pictures.appending("App")
        for number in 1..<1500 {
            try #require(link(photo.string, folder.appending("\(number).jpg").string) == 0)
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1500)
        let bytes = try Fixtures.bytes("dates/canon.jpg")
        var added: Set<AssetID> = []
        for number in 1...60 {
            added.insert(
                try await add(
                    bytes + [UInt8](repeating: UInt8(number), count: number), to: library.store,
                    of: home))
            // Whatever the index does at this moment.
            let missing = added.subtracting(try await library.reader.photos(in: .all).ids)
            #expect(missing.isEmpty, "\(number)")
            guard missing.isEmpty else { break }
        }
        #expect(added.count == 60)
        await library.close()
    }

    /// The photo of the adjusted version is free for others of its shot when the version ends.
    @Test(arguments: [("dates/canon.jpg", "raw/adobe.dng"), ("raw/adobe.dng", "dates/canon.jpg")])
    func
        `a photo keeps its id although an adjusted version beside it ends with the same change set`(
            added: String, known: String
        ) async throws
    {
        for addsFirst in [true, false] {
            let home = try TestHome()
            let library = try LiveLibrary(home)
            let roots = LibraryRoots(pictures: [home.pictures])
            let intake = PhotoIntake(
                store: library.store, roots: roots, decoders: decoders, nameKey: [1])
            let arrival = try await intake.receive(
                Descriptor.openForReading(Fixtures.path(added)),
                into: try #require(intake.folder(named: "App")), for: "test")
            var path = home.pictures.appending("App").appending(arrival.name[1])
            path.extension = FilePath(known).extension
            try home.write(Fixtures.bytes(known), to: path)
            let other = try #require(try await library.settle(photos: 1).ids.first)
            let version = try await intake.receive(
                Descriptor.openForReading(Fixtures.path("png/rgb.png")), adjusting: "a.jpg",
                AdjustmentData(format: "org.example", version: "1", data: []), for: "test")
            _ = try await library.store.perform(
                [.setAdjustment(.asset(other), version: 0)], adding: [], adjusting: [version],
                in: roots)
            let changes: [LibraryChange] = [
                .createAsset(file: 0), .revertAdjustment([.asset(other)]),
            ]
            let results = try await library.store.perform(
                addsFirst ? changes : changes.reversed(), adding: [arrival], in: roots)
            let asset = try #require(results.compactMap(\.asset).first)
            #expect(asset != other)
            let assets = try await library.reader.assets([asset, other])
            #expect(assets.map(\.id) == [asset, other])
            #expect(assets.map(\.resources) == [[.primary], [.primary]])
            #expect(try await library.reader.paths(of: other) == [path])
            await library.close()
        }
    }

    @Test func `photos arrive while another service looks for leftovers`() async throws {
        let other = try LibraryStore(at: home.database, logger: Logger(label: "test"))
        let isDone = Recorder<Bool>()
        let looking = Task.detached {
            while isDone.all.isEmpty { other.finishLeftovers { _ in true } }
        }
        let folder = try #require(intake.folder(named: "App"))
        try Directory.make(folder)
        let opened = try Descriptor.openFolder(folder)
        for number in 0..<2000 {
            let (draft, _) = try intake.makeDraft(in: opened, folder)
            let isThere = opened.contains(draft.hidden)
            #expect(isThere, "\(number)")
            store.finishNow([draft])
            guard isThere else { break }
        }
        isDone.note(true)
        await looking.value
    }

    private func add(
        _ photo: [UInt8], to other: LibraryStore? = nil, of otherHome: TestHome? = nil
    ) async throws -> AssetID {
        let store = other ?? store
        let roots = LibraryRoots(pictures: [(otherHome ?? home).pictures])
        let intake = PhotoIntake(
            store: store, roots: roots, decoders: decoders, nameKey: [1])
        let arrival = try await intake.receive(
            MemoryFile.make(named: "photo", holding: photo),
            into: try #require(intake.folder(named: "App")), for: "test")
        let results = try await store.perform(
            [.createAsset(file: 0)], adding: [arrival], in: roots)
        return try #require(results.first?.asset)
    }

    private func change(_ statement: String, of home: TestHome) async throws {
        let shell = try ChildProcess(
            "sqlite3", ["-cmd", ".timeout 10000", home.database.string, statement],
            environment: home.environment, scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
    }

    private func receive() async throws -> Arrival {
        try await intake.receive(
            Descriptor.openForReading(Fixtures.path("formats/blocks.jpg")),
            into: try #require(intake.folder(named: "App")), for: "test")
    }
}
