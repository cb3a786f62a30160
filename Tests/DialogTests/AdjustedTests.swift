// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Adjusted photos in the window.
@Suite(.serialized) struct AdjustedTests {
    @Test func `S3.17 the window shows and delivers a version that a photo gets while it is open`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let portals = try await PortalStack.start(on: dialog.session, [.permissionStore])
        try await dialog.session.setLibraryPermission("yes", of: "")
        let library = LibraryClient(on: try await dialog.session.connect())
        let assets = try await library.assets(in: "all").assets
        let ids = assets.compactMap { $0.value("id", as: String.self) }
        try #require(ids.count == 3)
        let file = try Fixtures.open("formats/blocks.png")
        let adjusting = ChangeOperation(
            "set-adjustment",
            [
                "asset": ids[0].variant, "file": file.variant, "format": "x".variant,
                "version": "1".variant,
            ])
        let app = try dialog.pick()
        try await dialog.person.do("loaded 3")
        _ = try await library.perform([adjusting])
        // Its thumbnail, and the covers of the albums.
        try await dialog.person.do("colour e61ee6 10")
        try await dialog.person.do("loaded 3")
        try await dialog.person.see("adjusted")
        try await dialog.person.do("click 0")
        try await dialog.person.do("click 1")
        try await dialog.person.do("press Select")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        let version = try Fixtures.bytes("formats/blocks.png")
        let picked = try app.outputText.split(separator: "\n").map {
            try Descriptor.openForReading(FilePath(String($0))).read(upTo: 1 << 20)
        }
        #expect(picked.map { $0 == version } == [true, false])
        withExtendedLifetime(portals) {}
    }
}
