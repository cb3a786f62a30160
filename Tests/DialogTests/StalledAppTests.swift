// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// An app whose own file system never answers, so that nobody can find out what it is.
@Suite(
    .serialized,
    .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)),
    .enabled(if: getuid() == 0, "only root may move a process to another root folder"))
struct StalledAppTests {
    @Test func `an app that cannot be looked at gets a window, and keeps few threads`() async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(1) }
        try await dialog.settle()
        let frontend = try await dialog.session.connect()
        #expect(try await frontend.requestName(FileChooserInterface.frontend) == .owner)
        let root = dialog.home.scratch.appending("root")
        let disk = try await StalledDisk.mount(at: root, of: dialog.home) { _ in }
        // A pipe that nobody writes to keeps the app running.
        let input = dialog.home.scratch.appending("input")
        #expect(mkfifo(input.string, 0o600) == 0)
        let writer = try FileDescriptor.open(input, .readWrite)
        defer { try? writer.close() }
        let app = try dialog.session.start(
            "/usr/bin/python3",
            [Programs.source.appending("Tests/Clients/hostile/rooted.py").string, root.string],
            input: input)
        let name = try await eventually("the app: \(app.errorText)") {
            app.outputLines.first.flatMap { BusName(String($0)) }
        }
        try disk.stall(.getattr, .open, .readdir)
        for number in 0..<6 {
            let token = try #require(HandleToken("t\(number)"))
            let handle = try #require(RequestHandle.path(of: name, token: token))
            async let answer = open(frontend, handle)
            try await dialog.person.do("count 1")
            // The app may be one that passes on what it gets.
            #expect(
                try await dialog.person.texts().contains("The app gets copies without location"))
            try await dialog.person.do("key Escape")
            #expect(try await answer == 1)
        }
        // Threads without work end after a while.
        try await eventually("few threads: \(threads(of: dialog.dialog))") {
            threads(of: dialog.dialog).count { ["asker", "file"].contains($0) } <= 4
        }
        try await disk.end()
    }

    private func open(_ frontend: Connection, _ handle: ObjectPath) async throws -> UInt32 {
        let pictures = Variant.structure([
            .string("Pictures"),
            .array(element: "(us)", [.structure([.uint32(1), .string("image/*")])]),
        ])
        return try await frontend.call(
            FileChooserInterface.openFile, to: PickerBackendInterface.defaultBusName,
            at: FileChooserInterface.path, on: FileChooserInterface.interface.name,
            Arguments(handle, "", "", "", ["filters": .array(element: "(sa(us))", [pictures])]),
            timeout: .seconds(60)
        ).values.0
    }

    /// The names of the threads of a process.
    private func threads(of process: ChildProcess) -> [String] {
        let folder = FilePath("/proc/\(process.processID)/task")
        return names(in: folder).map { thread in
            let name = try? Descriptor.openForReading(
                folder.appending(thread).appending("comm")
            ).read(upTo: 100)
            return String(decoding: (name ?? []).dropLast(), as: UTF8.self)
        }
    }
}
