// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What is examined while the computer runs on its battery.
@Suite(.serialized) struct SavingPowerTests {
    private static let urgent = 500

    @Test func `on the battery the newest photos are examined, and the rest waits`() async throws {
        let home = try TestHome()
        for number in 0..<Self.urgent + 3 {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(number)".utf8),
                to: home.pictures.appending("\(number).jpg"))
            home.setDate(of: home.pictures.appending("\(number).jpg"), 1_000_000 + number)
        }
        let library = try LiveLibrary(home, savesPower: true)
        let waiting = try await eventually("the newest photos") {
            let status = try await library.reader.status()
            return !status.isIndexing && status.pending == 3 ? status : nil
        }
        #expect(waiting.isWaiting)
        #expect(try await library.names().last == "3.jpg")
        // What comes is not part of the rest, whatever its date.
        try home.write(
            Fixtures.bytes("jpeg/grey.jpg") + Array("new".utf8),
            to: home.pictures.appending("new.jpg"))
        home.setDate(of: home.pictures.appending("new.jpg"), 5)
        let photos = try await library.settle(photos: Self.urgent + 1)
        #expect(photos.count == Self.urgent + 1)
        #expect(try await library.reader.status().pending == 3)

        await library.setSavesPower(false)
        let all = try await library.settle(files: Self.urgent + 4)
        #expect(!all.isWaiting)
        await library.close()
    }

    @Test func `on the battery a library without anything new waits for nothing`() async throws {
        let home = try TestHome()
        try home.add(as: "a.jpg")
        let library = try LiveLibrary(home, savesPower: true)
        #expect(try await !library.settle(files: 1).isWaiting)
        await library.close()
    }
}
