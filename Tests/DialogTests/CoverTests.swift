// SPDX-License-Identifier: MIT

import Desktop
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The covers of albums, and the photos themselves.
@Suite(.serialized)
struct CoverTests {
    private static func exists(_ file: FilePath) -> Bool {
        FileManager.default.fileExists(atPath: file.string)
    }

    @Test func `a photo that is the cover of an album is as sharp as the others`() async throws {
        let dialog = try await DialogSession { home in
            // More than a screen of photos, so that only the cover of the other album is loaded.
            try home.addPhotos(60, in: "New")
            try home.addPictures(1)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 15")
        let cache = dialog.home.cache.appending("thumbnails")
        let uri = "file://\(dialog.home.pictures.appending("1.png"))"
        let name = "\(Digest.md5Hex(uri)).png"
        try await eventually("the cover") { Self.exists(cache.appending("normal").appending(name)) }
        #expect(!Self.exists(cache.appending("large").appending(name)))
        try await dialog.person.do("album Pictures, 1 photo")
        try await eventually("the photo") {
            Self.exists(cache.appending("large").appending(name))
        }
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    /// It kept the picture until the window closed.
    @Test(arguments: [true, false])
    func `the cover of an album follows its photo, and goes with it`(isReplaced: Bool) async throws
    {
        let dialog = try await DialogSession { try $0.addPictures(1) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 1")
        try await dialog.person.do("colour e61ee6")
        if isReplaced {
            let new = dialog.home.scratch.appending("new.jpg")
            try dialog.home.write(Fixtures.bytes("jpeg/grey.jpg"), to: new)
            try AtomicFile.rename(new, to: dialog.home.pictures.appending("1.png"))
        } else {
            try dialog.home.removePhoto("1.png")
        }
        try await dialog.person.do("no-colour e61ee6 15")
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }
}
