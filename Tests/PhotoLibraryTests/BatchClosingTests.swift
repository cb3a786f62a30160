// SPDX-License-Identifier: MIT

import Foundation
import ImageWork
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Files of a batch of the index, on a disk that holds whoever closes them.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct BatchClosingTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `a disk that does not close a photo holds up no others`() async throws {
        let slow = home.pictures.appending("Slow")
        let disk = try await StalledDisk.mount(at: slow, of: home) { content in
            try home.write(Fixtures.bytes("jpeg/grey.jpg") + [1], to: content.appending("1.jpg"))
        }
        let near = try (2...40).map {
            try pending($0, home.add(as: "\($0).jpg", number: UInt8($0)))
        }
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 2)
        defer { pool.close() }
        let examiner = FileExaminer(pool, DiskCalls(patience: .seconds(10)) {})
        let bounds = LibraryBounds(LibraryRoots(pictures: [home.pictures]))
        // Decoders that run already: the start of a program closes all files of this one.
        #expect(await examiner.examine(near[...], in: bounds).count == near.count)
        let far = [try pending(1, slow.appending("1.jpg"))]
        try disk.stall(.flush)
        let examinations = Recorder<[Examination]>()
        let work = Task { examinations.note(await examiner.examine(far[...], in: bounds)) }
        try await eventually("the photo") { examinations.count == 1 }
        #expect(examinations.all.first?.count == 1)
        // Somebody else closes it, and waits.
        try await eventually("a file that is closed") { disk.hasWaiter }
        let next = Task { examinations.note(await examiner.examine(near[...], in: bounds)) }
        try await eventually("the next photos") { examinations.count == 2 }
        #expect(examinations.all.last?.count == near.count)
        try disk.answer()
        await work.value
        await next.value
        try await disk.end()
    }

    private func pending(_ id: Int64, _ path: FilePath) throws -> PendingFile {
        PendingFile(
            id: id, folder: 1, name: Data((path.lastComponent?.string ?? "").utf8), path: path,
            state: FileState(try path.stat()))
    }
}
