// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Albums by day and month; the names begin with the ids of the behaviours.
@Suite(.serialized) struct MomentAlbumTests {
    private let home: TestHome
    private static let day = 86_400
    /// Noon on 28 November 2026, in universal time, which is the zone of the tests or close to it.
    private static let noon = 1_795_867_200

    init() throws {
        home = try TestHome()
    }

    /// Adds three photos of a day, two of an earlier one in the same month, and one of an earlier year.
    private func addPhotos() throws {
        for (index, days) in [0, 0, 0, 5, 5, 400].enumerated() {
            try home.add(
                as: "\(index).jpg", number: UInt8(index + 1),
                at: Self.noon - days * Self.day - index)
        }
    }

    private func moments(
        _ unit: Moment.Unit, in library: LiveLibrary, _ view: LibraryView = .everything,
        _ filter: MediaFilter = .everything
    ) async throws -> [Album] {
        let (moments, total) = try await library.reader.moments(
            unit, filter, in: view, from: 0, limit: 1000)
        #expect(total == moments.count)
        return moments
    }

    /// Compares what is stored of all moments with their photos.
    private func expectCorrect(_ library: LiveLibrary) async throws {
        let all = try await library.reader.photos(in: .all, .everything).count
        for unit in Moment.Unit.allCases {
            let moments = try await moments(unit, in: library)
            #expect(moments.reduce(0) { $0 + $1.count } == all)
            for moment in moments {
                let photos = try await library.reader.photos(in: moment.id, .everything)
                #expect(moment.count == photos.count, "\(moment.id)")
                #expect(moment.count > 0)
                #expect(moment.cover == photos.ids.first, "\(moment.id)")
            }
        }
    }

    @Test func `S3.2 days and months have their photos, newest first, with counts and covers`()
        async throws
    {
        try addPhotos()
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 6)
        let days = try await moments(.day, in: library)
        #expect(
            days.map(\.id.rawValue)
                == ["moment-2026-11-28", "moment-2026-11-23", "moment-2025-10-24"])
        #expect(days.map(\.count) == [3, 2, 1])
        #expect(days.allSatisfy { $0.kind == .day && $0.title.isEmpty })
        let months = try await moments(.month, in: library)
        #expect(months.map(\.id.rawValue) == ["moment-2026-11", "moment-2025-10"])
        #expect(months.map(\.count) == [5, 1])
        #expect(months.allSatisfy { $0.kind == .month })
        try await expectCorrect(library)
        let all = try await library.reader.photos(in: .all).ids
        let page = try await library.reader.page(
            of: months[0].id, .everything, in: .everything, from: 1, limit: 2)
        #expect(page?.total == 5)
        #expect(page?.assets.map(\.asset.id) == Array(all[1...2]))
        // The ordinary list does not have them.
        let albums = try await library.reader.albums(.everything, in: .everything)
        #expect(albums.allSatisfy { $0.kind != .day && $0.kind != .month })
        await library.close()
    }

    @Test func `a part of the moments comes with the number of all of them`() async throws {
        try addPhotos()
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 6)
        let all = try await moments(.day, in: library)
        for offset in 0...4 {
            let (part, total) = try await library.reader.moments(
                .day, .everything, in: .everything, from: offset, limit: 2)
            #expect(part == Array(all.dropFirst(offset).prefix(2)))
            #expect(total == 3)
        }
        await library.close()
    }

    @Test func `moments follow the files, and go with their last photo`() async throws {
        try addPhotos()
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 6)
        try AtomicFile.remove(home.pictures.appending("0.jpg"))
        try AtomicFile.remove(home.pictures.appending("5.jpg"))
        _ = try await library.settle(files: 4)
        #expect(try await moments(.day, in: library).map(\.count) == [2, 2])
        #expect(try await moments(.month, in: library).map(\.count) == [4])
        try await expectCorrect(library)
        let gone = try #require(AlbumID("moment-2025-10-24"))
        #expect(
            try await library.reader.page(
                of: gone, .everything, in: .everything, from: 0, limit: 9) == nil)
        // Another picture with the same name, taken on another day.
        try home.add(as: "1.jpg", number: 99, at: Self.noon - 5 * Self.day)
        try await eventually("the other day") {
            try await moments(.day, in: library).map(\.count) == [1, 3]
        }
        try await expectCorrect(library)
        for number in 1...4 { try AtomicFile.remove(home.pictures.appending("\(number).jpg")) }
        _ = try await library.settle(files: 0)
        #expect(try await moments(.day, in: library).isEmpty)
        #expect(try await moments(.month, in: library).isEmpty)
        await library.close()
    }

    @Test func `stored moments are the same as those that are counted again`() async throws {
        try addPhotos()
        for number in 1...3 {
            try home.add(
                as: "IMG_20240101_120000_BURST00\(number).jpg", number: UInt8(number + 20),
                at: 900_000)
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 9)
        try await expectCorrect(library)
        let stored = try await moments(.day, in: library) + moments(.month, in: library)
        await library.close()
        let shell = try ChildProcess(
            "sqlite3",
            [home.database.string, "UPDATE state SET value = 0 WHERE key = 'albumRules'"],
            environment: home.environment, scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
        let again = try LiveLibrary(home)
        #expect(try await moments(.day, in: again) + moments(.month, in: again) == stored)
        await again.close()
    }

    @Test func `only photos of the folders for pictures are in moments, as in all photos`()
        async throws
    {
        try home.add(as: "a.jpg", number: 1, at: Self.noon)
        let download = home.downloads.appending("b.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [2], to: download)
        home.setDate(of: download, Self.noon + 1)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        #expect(try await moments(.day, in: library).map(\.count) == [1])
        await library.close()
    }

    @Test func `a filter counts the photos of its types, and leaves out days without any`()
        async throws
    {
        try home.add(as: "a.jpg", number: 1, at: Self.noon)
        try home.add("png/rgb.png", as: "b.png", at: Self.noon + 1)
        try home.add(as: "c.jpg", number: 2, at: Self.noon - Self.day)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        #expect(try await moments(.day, in: library).map(\.count) == [2, 1])
        let png = try #require(MediaFilter([.exactly(.png)]))
        let found = try await moments(.day, in: library, .everything, png)
        #expect(found.map(\.count) == [1])
        #expect(found.first?.cover != nil)
        let videos = try #require(MediaFilter([.anyVideo]))
        #expect(try await moments(.day, in: library, .everything, videos).isEmpty)
        await library.close()
    }

    @Test func `an app that sees what it was given has moments of these photos alone`()
        async throws
    {
        try addPhotos()
        let download = home.downloads.appending("b.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [77], to: download)
        home.setDate(of: download, Self.noon - 5 * Self.day + 60)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 7)
        let ids = try await library.reader.photos(in: SmartAlbum.recent.id).ids
        let names = try await library.names(in: SmartAlbum.recent.id)
        let app = "org.example.App"
        let view = LibraryView.given(to: app)
        #expect(try await moments(.day, in: library, view).isEmpty)
        let given = ["1.jpg", "4.jpg", "b.jpg"].compactMap { name in
            names.firstIndex(of: name).map { ids[$0] }
        }
        try await library.store.noteGiven(given, whole: Set(given), to: app)
        let days = try await moments(.day, in: library, view)
        #expect(days.map(\.id.rawValue) == ["moment-2026-11-28", "moment-2026-11-23"])
        #expect(days.map(\.count) == [1, 2])
        #expect(days.map(\.cover) == [given[0], given[2]])
        #expect(try await moments(.month, in: library, view).map(\.count) == [3])
        func page(_ id: String, _ search: String? = nil) async throws -> [AssetID]? {
            try await library.reader.page(
                of: try #require(AlbumID(id)), .everything, in: view,
                matching: search.map { SearchQuery($0, today: .today) }, from: 0, limit: 9
            )?.assets.map(\.asset.id)
        }
        #expect(try await page("moment-2026-11-23") == [given[2], given[1]])
        #expect(try await page("moment-2026-11-23", "b") == [given[2]])
        #expect(try await page("moment-2026-11") == [given[0], given[2], given[1]])
        // There are photos of that day, which the app was not given.
        #expect(try await page("moment-2025-10-24") == nil)
        await library.close()
    }

    @Test(
        arguments: [
            (23, -600, 20_261_128), (1, 840, 20_261_128), (12, nil, 20_261_128),
        ] as [(Int, Int?, Int)])
    func `a photo belongs to the day that the clock of its place showed`(
        hour: Int, offset: Int?, number: Int
    ) throws {
        let taken = try #require(
            CaptureDate(
                year: 2026, month: 11, day: 28, hour: hour, minute: 30, second: 0, offset: offset))
        #expect(PhotoDay.number(taken: taken, at: taken.secondsSince1970) == number)
        #expect(PhotoDay.day(number) == CalendarDay(year: 2026, month: 11, day: 28))
    }

    @Test func `universal time, and the date of a file, count by the clock of this machine`() throws
    {
        let taken = try #require(CaptureDate(secondsInUTC: Int64(Self.noon)))
        #expect(
            PhotoDay.number(taken: taken, at: Int64(Self.noon))
                == PhotoDay.number(taken: nil, at: Int64(Self.noon)))
        // The first and the last moment of the day have different dates.
        let beginning = try #require(LocalTime.beginningOfDay(at: Int64(Self.noon)))
        #expect(PhotoDay.number(taken: nil, at: beginning) == 20_261_128)
        #expect(PhotoDay.number(taken: nil, at: beginning - 1) == 20_261_127)
    }

    @Test(arguments: [Int64.min, .max, -1_000_000_000_000_000])
    func `a file with a date that does not exist has no day`(date: Int64) {
        #expect(PhotoDay.number(taken: nil, at: date) == PhotoDay.none)
        #expect(PhotoDay.day(PhotoDay.none) == nil)
    }

    @Test func `SQLite finds the photos of a day by an index`() async throws {
        try LibraryStore(at: home.database, logger: Logger(label: "test")).checkpoint()
        let moment = try #require(
            CalendarDay(year: 2026, month: 11, day: 28).map { Moment(.day, of: $0) })
        let condition = AlbumContents.moment(moment).condition.replacing("?", with: "20261128")
        let shell = try ChildProcess(
            "sqlite3",
            [
                home.database.string,
                "EXPLAIN QUERY PLAN SELECT id FROM asset WHERE \(condition) "
                    + "ORDER BY date DESC, id DESC LIMIT 9; "
                    + "EXPLAIN QUERY PLAN SELECT * FROM album WHERE kind = 3 "
                    + "ORDER BY key DESC LIMIT 9",
            ], environment: home.environment, scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
        #expect(shell.outputText.contains("assetDay"), "\(shell.outputText)")
        #expect(shell.outputText.contains("albumOnKind"), "\(shell.outputText)")
        #expect(!shell.outputText.contains("SCAN"), "\(shell.outputText)")
    }
}
