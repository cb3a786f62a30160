// SPDX-License-Identifier: MIT

import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// `GetMoments` and what belongs to it, for apps with and without a sandbox; the names begin with the ids of
/// the behaviours.
@Suite(.serialized) struct LibraryMomentTests {
    /// Adds a photo for each of some days, beside those of the session.
    private func addPhotos(_ dates: [Int], to session: LibrarySession) async throws {
        let home = session.picker.home
        for date in dates {
            let path = home.pictures.appending("day\(date).jpg")
            try home.write(
                Fixtures.bytes("jpeg/baseline.jpg") + Array("\(date)".utf8), to: path)
            home.setDate(of: path, date)
        }
        try await eventually("the photos") {
            try await session.library.assets(in: "all").total == UInt64(dates.count)
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.2 an app lists days and months, and their photos`(kind: CallerKind) async throws {
        let session = try await LibrarySession(kind, photos: 0)
        _ = try await session.open()
        // Two in one day, one in another day of that month, and one in an earlier month.
        let noon = 1_795_867_200
        try await addPhotos(
            [noon, noon - 60, noon - 5 * 86_400, noon - 400 * 86_400], to: session)
        let (days, total) = try await session.library.moments()
        #expect(total == 3)
        #expect(
            days.compactMap { $0.value("date", as: String.self) }
                == ["2026-11-28", "2026-11-23", "2025-10-24"])
        // Nothing of a date is secret to an app that sees the photos.
        #expect(days.first?.value("id") == "moment-2026-11-28")
        #expect(days.compactMap { $0.value("count", as: UInt64.self) } == [2, 1, 1])
        #expect(days.allSatisfy { $0.value("kind") == "moment" && $0.value("title") == "" })
        for day in days {
            let id = try #require(day.value("id", as: String.self))
            let (assets, count) = try await session.library.assets(in: id)
            #expect(count == day.value("count"))
            #expect(assets.first?.value("id", as: String.self) == day.value("cover"))
        }
        let months = try await session.library.moments(["unit": "month".variant])
        #expect(months.total == 2)
        #expect(
            months.moments.compactMap { $0.value("date", as: String.self) }
                == ["2026-11", "2025-10"])
        let part = try await session.library.moments([
            "offset": UInt32(1).variant, "limit": UInt32(1).variant,
        ])
        #expect(part.moments == [days[1]])
        #expect(part.total == 3)
        #expect(try await session.library.moments(["offset": UInt32.max.variant]).moments.isEmpty)
        #expect(
            try await session.library.moments(["media_types": ["video/*"].variant]).total == 0)
        // Albums are listed without them.
        let kinds = try await session.library.albums().compactMap {
            $0.value("kind", as: String.self)
        }
        #expect(!kinds.contains("moment"))
    }

    @Test(
        arguments: [
            ("unit", "year".variant), ("unit", "".variant), ("unit", true.variant),
            ("limit", UInt32(0).variant), ("limit", UInt32(1001).variant), ("offset", "1".variant),
            ("media_types", [String]().variant),
        ] as [(String, Variant)])
    func `a value that is not allowed is refused`(key: String, value: Variant) async throws {
        let session = try await LibrarySession(.host, photos: 0)
        _ = try await session.open()
        let error = await #expect(throws: DBusError.self) {
            try await session.library.moments([key: value]).total
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains("'\(key)'") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["moment-1999-01-01", "moment-1999-01", "moment-", "moment-2026-11-31"])
    func `a day without photos, and what is no day, is no album`(id: String) async throws {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.open()
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: id).total
        }
        #expect(error?.name == .portalNotFound)
    }

    @Test func `portal-pick lists days and months on demand`() async throws {
        let session = try await LibrarySession(.host, photos: 0)
        _ = try await session.open()
        let noon = 1_795_867_200
        try await addPhotos([noon, noon - 60, noon - 5 * 86_400], to: session)
        func albums(_ arguments: String...) async throws -> (status: Int32, output: String) {
            let result = try await session.picker.session.run(
                "portal-pick", ["albums"] + arguments)
            return (result.status, result.output)
        }
        let lines = [
            "moment-2026-11-28\t2\t2026-11-28\n", "moment-2026-11-23\t1\t2026-11-23\n",
        ]
        #expect(try await albums("--by", "day") == (0, lines.joined()))
        #expect(try await albums("--by", "day", "--limit", "1") == (0, lines[0]))
        #expect(try await albums("--by", "day", "--offset", "1") == (0, lines[1]))
        #expect(try await albums("--by", "day", "--limit", "0") == (0, ""))
        #expect(try await albums("--by", "month") == (0, "moment-2026-11\t3\t2026-11\n"))
        #expect(try await albums("--by", "month", "--type", "video/*") == (0, ""))
        #expect(try await albums("--by", "year").status == 64)
        #expect(try await albums("--limit", "1").status == 64)
        #expect(try await !albums().output.contains("moment-"))
    }

    @Test func `an asset has the dominant color of its picture, if that is known`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        let home = session.picker.home
        try home.write(
            Fixtures.bytes("preview/matching.jpg"), to: home.pictures.appending("red.jpg"))
        _ = try await session.open()
        let assets = try await eventually("both photos") {
            let assets = try await session.library.assets(in: "all").assets
            return assets.count == 2 ? assets : nil
        }
        let red = try #require(assets.first { $0.value("name") == "red.jpg" })
        guard case .structure(let channels) = try #require(red["color"]) else {
            Issue.record("\(red)")
            return
        }
        let numbers = channels.map { channel -> Double in
            if case .double(let number) = channel { number } else { -1 }
        }
        #expect(numbers.count == 3)
        #expect(numbers[0] > 0.95 && numbers[0] <= 1)
        #expect(numbers.dropFirst().allSatisfy { (0..<0.05).contains($0) })
        #expect(assets.contains { $0["color"] == nil })
        let id = try #require(red.value("id", as: String.self))
        let shown = try await session.picker.session.run("portal-pick", ["show", id])
        #expect(shown.output.contains("\ncolor: 0.9"), "\(shown.output)")
    }
}
