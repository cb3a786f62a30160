// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Processes
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Calls to disks that may not answer.
@Suite struct FileCallsTests {
    /// A disk whose calls answer once the test says so.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        let arrivals = Atomic(0)

        func wait() {
            arrivals.wrappingAdd(1, ordering: .relaxed)
            opened.wait()
            opened.signal()
        }

        func open() { opened.signal() }
    }

    @Test func `folders that hang leave threads to the others`() async throws {
        let calls = FileCalls()
        // A link to a disk, for example.
        calls.separate(["/slow"])
        let gate = Gate()
        defer { gate.open() }
        // Ten calls in each of forty folders, more than there are threads.
        let hanging = (0..<400).map { number in
            let path = FilePath("/slow/\(number % 40)/photo.jpg")
            return Task { await calls.run(on: path) { _ in gate.wait() } }
        }
        try await eventually("as many threads as there may be") {
            gate.arrivals.load(ordering: .relaxed) >= 8
        }
        let answer = await calls.run(on: "/fast/photo.jpg", within: .seconds(30)) { _ in 1 }
        #expect(answer == 1)
        for call in hanging { call.cancel() }
        for call in hanging { await call.value }
    }

    @Test func `who gives up does not wait, and the call learns of it`() async throws {
        let calls = FileCalls()
        let gate = Gate()
        let learned = Atomic(false)
        let task = Task {
            await calls.run(on: "/slow/photo.jpg") { cancellation in
                gate.wait()
                learned.store(cancellation.isRequested, ordering: .relaxed)
                return 1
            }
        }
        try await eventually("the call") { gate.arrivals.load(ordering: .relaxed) == 1 }
        task.cancel()
        #expect(await task.value == nil)
        gate.open()
        try await eventually("the end of the call") { learned.load(ordering: .relaxed) }
    }

    @Test func `a call that takes too long is given up`() async throws {
        let calls = FileCalls()
        let gate = Gate()
        defer { gate.open() }
        let answer = await calls.run(on: "/slow/photo.jpg", within: .milliseconds(20)) { _ in
            gate.wait()
            return 1
        }
        #expect(answer == nil)
    }

    @Test func `a file is read, and the error of one that is missing is reported`() async throws {
        let calls = FileCalls()
        let opened = try #require(await calls.open(FilePath(#filePath))).get()
        #expect(opened.information.type == .regular)
        let missing = try #require(await calls.open("/nowhere/at/all"))
        #expect(throws: Errno.noSuchFileOrDirectory) { try missing.get() }
    }

    @Test func `calls that answer in time leave nothing behind`() async throws {
        let calls = FileCalls()
        func makeCalls(_ count: Int) async {
            for _ in 0..<count {
                let answer = await calls.run(on: "/a/photo.jpg", within: .seconds(60)) { _ in 1 }
                #expect(answer == 1)
            }
        }
        await makeCalls(100)
        let before = try Holdings.own().memory
        await makeCalls(20_000)
        // A timer for each call would take 14 MiB.
        #expect(try Holdings.own().memory < before + 4 << 10)
    }
}
