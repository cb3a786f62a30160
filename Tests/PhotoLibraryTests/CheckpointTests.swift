// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// The end of the process that writes the library.
@Suite(.serialized) struct CheckpointTests {
    @Test func `a change that comes after the last checkpoint neither crashes nor is lost`()
        async throws
    {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let library = try LiveLibrary(home)
        let photos = try await library.settle(photos: 1)
        // Stops the indexer and empties the log, like a service that ends.
        await library.close()
        let log = FilePath("\(home.database)-wal")
        #expect(try log.stat().size == 0)
        try await library.store.noteGiven(photos.ids, whole: [], to: "org.example.App")
        #expect(try await library.reader.given(photos.ids, to: "org.example.App") == photos.ids)
    }
}
