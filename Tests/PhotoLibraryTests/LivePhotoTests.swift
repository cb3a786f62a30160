// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// The picture and the video of a Live Photo are one photo, and so is a motion photo.
@Suite(.serialized) struct LivePhotoTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    private static let photo = "live/photo.jpg"
    private static let video = "live/video.mov"

    @Test(arguments: ["live/photo.jpg", "live/photo.heic"])
    func `a Live Photo is shown once, as a picture`(picture: String) async throws {
        let name = FilePath(picture).lastComponent?.string ?? ""
        try home.add(picture, as: "Trip/\(name)")
        try home.add(Self.video, as: "Trip/photo.mov")
        try home.add(as: "plain.jpg", at: 1_000_000)
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 3)
        let photos = try await library.settle(photos: 2)
        try await expect([name, "plain.jpg"], ["photo.mov"], library)
        let live = try #require(photos.ids.first)
        #expect(try await library.reader.photos(in: SmartAlbum.live.id).ids == [live])
        #expect(try await library.reader.photos(in: SmartAlbum.videos.id, .everything).count == 0)
        let albums = try await library.reader.albums(.everything)
        #expect(albums.first { $0.id == SmartAlbum.live.id }?.count == 1)
        #expect(albums.first { $0.title == "Trip" }?.count == 1)
        #expect(try await library.reader.caption(of: live)?.kindText == "LIVE")
        #expect(
            try await library.reader.assets([live]).first?.resources == [.primary, .pairedVideo])
        for words in ["live", "live photo", "photo mov", "Livefotos"] {
            let found = try await library.reader.photos(
                in: .all, matching: SearchQuery(words, today: .today))
            #expect(found.ids == [live], "\(words)")
        }
        await library.close()
    }

    @Test func `an app that accepts videos alone is not offered Live Photos`() async throws {
        try home.add(Self.photo, as: "a.jpg")
        try home.add(Self.video, as: "a.mov")
        try home.add("video/moving.mp4", as: "b.mp4")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 3)
        let movies = try #require(MediaFilter([.exactly(.quickTime), .exactly(.mp4)]))
        for filter in [try #require(MediaFilter([.anyVideo])), movies] {
            let videos = try await library.reader.photos(in: .all, filter)
            #expect(videos.count == 1)
            #expect(try await library.reader.paths(of: videos.ids[0]).count == 1)
            let albums = try await library.reader.albums(filter)
            #expect(albums.first { $0.id == .all }?.count == 1)
        }
        #expect(try await library.reader.photos(in: .all, .images).count == 1)
        await library.close()
    }

    // MARK: - What belongs together

    @Test(arguments: [["a.jpg", "a.mov"], ["a.mov", "a.jpg"]])
    func `the file that came first keeps its id when the other one arrives`(names: [String])
        async throws
    {
        let library = try LiveLibrary(home, readsVideos: true)
        var ids: [AssetID] = []
        for (index, name) in names.enumerated() {
            try home.add(name == "a.jpg" ? Self.photo : Self.video, as: name)
            _ = try await library.settle(files: index + 1)
            ids += try await library.reader.photos(in: .all, .everything).ids
        }
        #expect(ids.count == 2)
        #expect(ids.first == ids.last)
        try await expect(["a.jpg"], ["a.mov"], library)
        await library.close()
    }

    @Test func `a video of another identifier, or another name, is a video of its own`()
        async throws
    {
        try home.add(Self.photo, as: "a.jpg", at: 3_000_000)
        try home.write(
            Self.changed(Self.video, from: "11111111-", to: "99999999-"),
            to: home.pictures.appending("a.mov"))
        try home.add(Self.video, as: "a.b.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 3)
        let everything = try await library.reader.photos(in: .all, .everything)
        #expect(everything.count == 3)
        #expect(try await library.reader.photos(in: SmartAlbum.live.id, .everything).count == 0)
        await library.close()
    }

    /// Programs that convert photos drop the maker's note.
    @Test(arguments: [
        ("live/exported.jpg", "live/exported.mov"), ("live/exported.jpg", "live/video.mov"),
        ("live/photo.jpg", "live/exported.mov"),
    ])
    func `without an identifier in both, the moment and a short duration join them`(
        picture: String, video: String
    ) async throws {
        try home.add(picture, as: "a.jpg")
        try home.add(video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.mov"], library)
        await library.close()
    }

    @Test func `the picture with the identifier has the video, whichever came first`()
        async throws
    {
        try home.add("live/exported.jpg", as: "a.jpg", at: 2_000_000)
        try home.add(Self.video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.mov"], library)
        let converted = try #require(try await library.settle(photos: 1).ids.first)
        try home.add("live/photo.heic", as: "a.heic")
        try await eventually("the video beside the other picture") {
            let live = try await library.reader.photos(in: SmartAlbum.live.id, .everything)
            guard live.count == 1, live.ids != [converted] else { return false }
            return try await library.reader.paths(of: live.ids[0]).first?.extension == "heic"
        }
        _ = try await library.settle(files: 3)
        #expect(try await library.reader.photos(in: .all, .everything).count == 2)
        await library.close()
    }

    @Test func `a picture, its raw file and its video are one photo`() async throws {
        try home.add("raw/adobe.dng", as: "a.dng")
        try home.add(Self.photo, as: "a.jpg")
        try home.add(Self.video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 3)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        #expect(
            try await library.reader.assets([id]).first?.resources
                == [.primary, .raw, .pairedVideo])
        #expect(try await library.reader.caption(of: id)?.kindText == "LIVE · RAW + JPEG")
        // The raw file is what is left of the shot; the video is one of its own.
        try AtomicFile.remove(home.pictures.appending("a.jpg"))
        try await eventually("the raw file and the video") {
            try await library.reader.photos(in: .all, .everything).count == 2
        }
        _ = try await library.settle(files: 2)
        #expect(try await library.reader.assets([id]).first?.mediaType == .adobeDNG)
        #expect(try await library.reader.assets([id]).first?.resources == [.primary])
        await library.close()
    }

    // MARK: - What changes

    @Test(arguments: ["a.jpg", "a.mov"])
    func `a photo lives on with the file that is left, and takes the other one back`(lost: String)
        async throws
    {
        try home.add(Self.photo, as: "a.jpg")
        try home.add(Self.video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let (path, aside) = (home.pictures.appending(lost), home.scratch.appending("aside"))
        try AtomicFile.rename(path, to: aside)
        _ = try await library.settle(files: 1)
        let left = try await library.reader.assets([id]).first
        #expect(left?.mediaType == (lost == "a.jpg" ? .quickTime : .jpeg))
        #expect(left?.resources == [.primary])
        #expect(try await library.reader.photos(in: SmartAlbum.live.id, .everything).count == 0)
        try AtomicFile.rename(aside, to: path)
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.mov"], library)
        #expect(try await library.settle(photos: 1).ids == [id])
        await library.close()
    }

    @Test(arguments: [["jpg", "mov"], ["mov", "jpg"]])
    func `both files are renamed, and the photo stays the same`(order: [String]) async throws {
        try home.add(Self.photo, as: "a.jpg")
        try home.add(Self.video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        for type in order {
            try AtomicFile.rename(
                home.pictures.appending("a.\(type)"), to: home.pictures.appending("b.\(type)"))
        }
        try await eventually("the photo with its new name") {
            try await library.reader.paths(of: id) == [home.pictures.appending("b.jpg")]
        }
        try await eventually("one photo") {
            try await library.reader.photos(in: .all, .everything).ids == [id]
        }
        _ = try await library.settle(files: 2)
        try await expect(["b.jpg"], ["b.mov"], library)
        await library.close()
    }

    @Test func `another picture in the place of the first leaves the video alone`() async throws {
        let path = try home.add(Self.photo, as: "a.jpg")
        try home.add(Self.video, as: "a.mov")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try home.write(Fixtures.bytes("orientation/6.jpg"), to: path)
        try await eventually("two photos") {
            try await library.reader.photos(in: .all, .everything).count == 2
        }
        #expect(try await library.reader.assets([id]).first?.resources == [.primary])
        try home.write(Fixtures.bytes(Self.photo), to: path)
        try await eventually("one photo") {
            try await library.reader.photos(in: .all, .everything).ids == [id]
        }
        try await expect(["a.jpg"], ["a.mov"], library)
        await library.close()
    }

    @Test func `what people did with the video is true of the photo that it becomes`()
        async throws
    {
        try home.add(Self.video, as: "b.mov")
        try home.add(Self.photo, as: "a.jpg")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let everything = try await library.reader.photos(in: .all, .everything)
        let picture = try #require(try await library.reader.photos(in: .all).ids.first)
        let video = try #require(everything.ids.first { $0 != picture })
        _ = try await library.store.perform([.setFavorite([.asset(video)], true)])
        try AtomicFile.rename(
            home.pictures.appending("b.mov"), to: home.pictures.appending("a.mov"))
        try await eventually("one photo, a favorite") {
            try await library.reader.photos(in: SmartAlbum.favorites.id, .everything).ids
                == [picture]
        }
        try await expect(["a.jpg"], ["a.mov"], library)
        await library.close()
    }

    // MARK: - Motion photos

    @Test(arguments: ["google.jpg", "micro.jpg", "samsung.jpg", "google.heic"])
    func `a motion photo is a live photo of one file`(name: String) async throws {
        try home.add("motion/\(name)", as: name)
        try home.add("motion/cut.jpg", as: "cut.jpg")
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1, in: SmartAlbum.live.id).ids.first)
        #expect(try await library.names(in: SmartAlbum.live.id) == [name])
        #expect(try await library.reader.caption(of: id)?.kindText == "LIVE")
        #expect(try await library.reader.assets([id]).first?.resources == [.primary, .pairedVideo])
        // The video is cut off.
        try home.write(Fixtures.bytes("motion/cut.jpg") + [0], to: home.pictures.appending(name))
        _ = try await library.settle(photos: 0, in: SmartAlbum.live.id)
        #expect(try await library.reader.assets([id]).first?.resources == [.primary])
        await library.close()
    }

    // MARK: -

    private static func changed(
        _ fixture: String, from old: String, to new: String
    ) throws -> [UInt8] {
        var bytes = try Fixtures.bytes(fixture)
        let place = try #require(bytes.firstRange(of: Array(old.utf8)))
        bytes.replaceSubrange(place, with: new.utf8)
        return bytes
    }

    /// Checks the names of all pictures and videos, newest first, and of the videos beside pictures.
    private func expect(
        _ names: [String], _ videos: [String], _ library: LiveLibrary,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let ids = try await library.reader.photos(in: .all, .everything).ids
        let primary = try await library.reader.located(ids)
        let paired = try await library.reader.located(ids, .current, .pairedVideo)
        func shown(_ located: [AssetID: LocatedAsset]) -> [String] {
            ids.flatMap { located[$0]?.paths ?? [] }.compactMap { $0.lastComponent?.string }
        }
        #expect(shown(primary) == names, sourceLocation: sourceLocation)
        #expect(shown(paired) == videos, sourceLocation: sourceLocation)
    }
}
