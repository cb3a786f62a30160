// SPDX-License-Identifier: MIT

import Glibc
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A disk that stops answering while a window shows its photos.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct StalledDiskTests {
    @Test(arguments: [StalledDisk.Call.open, .read, .getattr])
    func `while a disk does not answer, the window reacts and the service answers others`(
        call: StalledDisk.Call
    ) async throws {
        let home = try TestHome()
        try home.addPhotos(6)
        let disk = try await home.mountSlowPhotos(4)
        let dialog = try await DialogSession(home: home)
        try await dialog.settle()
        try disk.stall(call)
        // The newest photos, which come first, are those on the disk.
        let first = try dialog.pick("--title", "First")
        try await dialog.person.do("photos 10")
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.do("photos").pressed?.first == true)
        try await eventually("the reason") {
            try await dialog.person.texts().contains {
                // A decoder that cannot read on gives up after a while.
                $0.contains("This photo is taking a long time to load")
                    || $0.contains("This photo takes too long to load")
            }
        }
        // Nothing says that it is broken: it may come yet.
        #expect(try await !dialog.person.texts().contains { $0.contains("cannot be") })
        try await dialog.person.see("stalled-\(call.rawValue)")
        // This photo cannot be delivered, and the app waits for it.
        try await dialog.person.do("press Select")
        try await dialog.person.do("no-window")

        let second = try dialog.pick("--title", "Second")
        try await dialog.person.do("photos 10")
        try await dialog.person.do("click 5")
        try await dialog.person.do("press Select")
        #expect(try await second.exitStatus() == 0)
        #expect(second.pickedNames == ["2.jpg"])

        let third = try dialog.pick("--title", "Third")
        try await dialog.person.do("photos 10")
        try await dialog.person.do("press Cancel")
        #expect(try await third.exitStatus() == 1)

        try await first.stop(SIGINT)
        try await dialog.end()
        try await disk.end()
        #expect(try await dialog.dialog.exitStatus() == 0)
        #expect(try await dialog.service.exitStatus() == 0)
    }
}

extension StalledDiskTests {
    @Test func `the dialog has its name at once while the Pictures folder does not answer`()
        async throws
    {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        try disk.stall(.getattr, .open)
        let session = try await Session.start(home: home)
        let start = ContinuousClock.now
        let dialog = try session.start("photo-portal-dialog")
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        // xdg-desktop-portal waits 25 seconds; without an answer no app can open a file any more.
        #expect(ContinuousClock.now - start < .seconds(12))
        dialog.signal(SIGKILL)
        try await disk.end()
    }
}

extension TestHome {
    /// Adds photos on a disk that can be stalled, newer than any photo of ``addPhotos(_:in:)``.
    func mountSlowPhotos(_ count: Int) async throws -> StalledDisk {
        try await StalledDisk.mount(at: pictures.appending("Slow"), of: self) { folder in
            for number in 1...count {
                let path = folder.appending("slow\(number).jpg")
                try write(
                    Fixtures.bytes("jpeg/baseline.jpg") + Array("slow\(number)".utf8), to: path)
                setDate(of: path, 1_750_000_000 - number * 60)
            }
        }
    }
}

extension DialogSession {
    /// Ends our programs as the session does, and waits until they have left the bus.
    ///
    /// The processes themselves remain while a disk keeps one of their threads.
    func end() async throws {
        let connection = try await session.connect()
        for (program, name) in [
            (dialog, "org.freedesktop.impl.portal.desktop.photoportal"),
            (service, "org.freedesktop.portal.PhotoPicker"),
        ] {
            program.signal(SIGTERM)
            try await eventually("the end of \(name)") {
                try await connection.owner(of: try #require(BusName(name))) == nil
            }
        }
        await connection.close()
    }
}
