// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Drives that are mounted in the library's folders and unmounted, in a mount namespace of the service.
@Suite(
    .serialized,
    .enabled(
        if: getuid() == 0 && MountNamespace.isAvailable,
        "only root may mount where another program sees it"))
struct MountTests {
    private let session: Session
    private let portals: PortalStack
    private let library: LibraryClient
    private let service: ChildProcess

    init() async throws {
        session = try await Session.start()
        portals = try await PortalStack.start(on: session, [.permissionStore])
        try await session.setLibraryPermission("yes", of: "")
        for (number, folder) in [(1, ""), (2, "elsewhere"), (3, "elsewhere/below")] {
            let place = folder.isEmpty ? session.home.pictures : session.home.scratch
            try session.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [UInt8(number)],
                to: place.appending("\(folder)").appending("\(number).jpg"))
        }
        service = try session.start(
            "unshare", ["--mount", Programs.path("photo-portal"), "--verbose"])
        library = LibraryClient(on: try await session.connect())
        try await session.waitForOwner(of: PhotoPickerInterface.busName.rawValue, service)
    }

    private func expectPhotos(_ names: [String], _ when: String) async throws {
        try await eventually("photos \(when)", is: names, within: .seconds(30)) {
            try await library.assets(in: "all").assets.compactMap {
                $0.value("name", as: String.self)
            }.sorted()
        }
    }

    /// Runs a command that mounts or unmounts where the service sees it.
    private func run(_ words: String...) async throws {
        let (status, _, errors) = try await session.run(
            "nsenter", ["--mount", "--target", "\(service.processID)"] + words)
        #expect(status == 0, "\(errors)")
    }

    @Test(arguments: ["Trips/Drive", ""])
    func `photos of a drive appear when it is mounted and go with it`(
        folder: String
    ) async throws {
        let home = session.home
        let point = home.pictures.appending(folder)
        try Directory.make(point)
        let own = folder.isEmpty ? [] : ["1.jpg"]
        try await expectPhotos(["1.jpg"], "of the start")
        let ids = try await library.assets(in: "all").assets.map {
            $0.value("id", as: String.self)
        }
        for _ in 1...2 {
            try await run(
                "mount", "--bind", home.scratch.appending("elsewhere").string, point.string)
            try await expectPhotos(own + ["2.jpg", "3.jpg"], "of the drive")
            // It is watched.
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [4],
                to: home.scratch.appending("elsewhere/4.jpg"))
            try await expectPhotos(own + ["2.jpg", "3.jpg", "4.jpg"], "that are added")
            try await run("umount", "--lazy", point.string)
            try await expectPhotos(["1.jpg"], "without the drive")
            try AtomicFile.remove(home.scratch.appending("elsewhere/4.jpg"))
        }
        let again = try await library.assets(in: "all").assets.map {
            $0.value("id", as: String.self)
        }
        #expect(again == ids)
    }

    @Test func `a drive is found although the folder of pictures is a link`() async throws {
        let home = session.home
        let place = home.scratch.appending("place")
        try await expectPhotos(["1.jpg"], "of the start")
        try AtomicFile.rename(home.pictures, to: place)
        #expect(symlink(place.string, home.pictures.string) == 0)
        try await expectPhotos(["1.jpg"], "behind the link")
        try Directory.make(place.appending("Drive"))
        try await run(
            "mount", "--bind", home.scratch.appending("elsewhere").string,
            place.appending("Drive").string)
        try await expectPhotos(["1.jpg", "2.jpg", "3.jpg"], "of the drive")
    }
}
