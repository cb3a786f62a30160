// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalBackend
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// FileChooser as xdg-desktop-portal sees it: the photo dialog for requests for pictures, and the
/// backend for files for all others.
@Suite(.serialized) struct FileChooserTests {
    private static let uris = ["file:///a.jpg"]
    private static let results: Vardict = ["uris": uris.variant, "anything": true.variant]
    private static let chosen: FileChooserSession.Reply = Arguments(0, results)

    // MARK: - Forwarding

    @Test(arguments: FileChooserInterface.methods)
    func `a request that is not for pictures is forwarded with its handle, and so is the reply`(
        method: FileChooserInterface.Choose
    ) async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        let options: Vardict = ["anything": "goes".variant, "multiple": true.variant]
        let answer = try await chooser.call(method, options: options)
        #expect(answer.code == 0)
        #expect(answer.results == Self.results)
        let call = try #require(files.calls.all.first)
        #expect(call.member == method.name.rawValue)
        let (handle, app, parent, title, forwarded) = call.input.values
        #expect(handle == "/org/freedesktop/portal/desktop/request/1_2/t")
        #expect([app, parent, title] == ["org.example.App", "x11:1", "Open"])
        #expect(forwarded == options)
        #expect(chooser.requests.count == 0)
    }

    /// Options with a name for failure messages.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: Vardict

        init(_ name: String, _ options: Vardict) {
            testDescription = name
            self.options = options
        }
    }

    @Test(arguments: [
        Case("a folder", ["directory": true.variant].merging(pictures) { $1 }),
        Case("a text", ["filters": filters([("a", [(1, "text/plain")])])]),
        Case("no filters", ["filters": filters([])]),
        Case("an empty filter", ["filters": filters([("", [])])]),
        Case("all files", ["filters": filters([("All", [(0, "*")])])]),
        Case(
            "a choice that is not offered",
            ["current_filter": filter("b", [(1, "image/png")])].merging(pictures) { $1 }),
        Case("a thousand questions", ["choices": choices(count: 1000)].merging(pictures) { $1 }),
        Case(
            "a huge name",
            ["filters": filters([(String(repeating: "x", count: 1 << 20), [(0, "*.x")])])]),
        Case(
            "a huge pattern",
            ["filters": filters([("a", [(0, String(repeating: "[jJ]", count: 100_000))])])]),
    ])
    func `requests for folders, documents and nonsense are forwarded`(testCase: Case) async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        #expect(try await chooser.call(options: testCase.options).code == 0)
        #expect(chooser.requests.count == 0)
        withExtendedLifetime(files) {}
    }

    @Test func `the person's time is not limited, and Close is forwarded`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the call") { files.calls.count == 1 }
        try await chooser.close()
        #expect(try await answer.code == 2)
        try await eventually("the close") {
            files.closed.all == ["/org/freedesktop/portal/desktop/request/1_2/t"]
        }
        // The handle is free for the next request.
        async let next = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the next call") { files.calls.count == 2 }
        try await chooser.close()
        _ = try await next
    }

    @Test func `a Close right after the call is not lost`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the request") {
            (try? await chooser.close()) != nil
        }
        #expect(try await answer.code == 2)
        // The request either never reached the backend for files, or was closed there.
        try await eventually("the end") { files.calls.count == files.closed.count }
    }

    @Test func `a caller that leaves closes its request`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = try? chooser.call(FileChooserInterface.saveFile)
        try await eventually("the call") { files.calls.count == 1 }
        await chooser.frontend.close()
        _ = await answer
        try await eventually("the close") { files.closed.count == 1 }
    }

    // MARK: - Failures

    @Test func `without a backend for files the person is told at once`() async throws {
        let chooser = try await FileChooserSession()
        let start = ContinuousClock.now
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(chooser.log.all.last?.contains("did not answer") == true)
        #expect(
            chooser.failures.all == [
                FileDialogFailure(.isMissing, isSaving: true, parentWindow: "x11:1")
            ])
    }

    /// A sandboxed app filled the screen, and the memory, with such windows.
    @Test func `however often an app asks, the person is told once`() async throws {
        let (read, finish) = AsyncStream<Void>.makeStream()
        let chooser = try await FileChooserSession(reading: { for await _ in read {} })
        async let first = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the message") { chooser.failures.all.count == 1 }
        for number in 0..<20 {
            let handle = try #require(
                ObjectPath("/org/freedesktop/portal/desktop/request/1_2/t\(number)"))
            #expect(try await chooser.call(FileChooserInterface.saveFile, handle: handle).code == 2)
        }
        #expect(chooser.failures.all.count == 1)
        finish.finish()
        #expect(try await first.code == 2)
        // The next one is a new matter.
        _ = try await chooser.call(FileChooserInterface.saveFile)
        #expect(chooser.failures.all.count == 2)
    }

    /// The second app failed without a word while the message about the first one was unread.
    @Test(arguments: ["org.example.Other", ""])
    func `the person is told of each app that gets no file dialog`(other: String) async throws {
        let isRead = Recorder<Void>()
        let chooser = try await FileChooserSession(reading: {
            while isRead.count == 0, !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(10))
            }
        })
        async let first = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the message") { chooser.failures.all.count == 1 }
        async let second = chooser.call(
            FileChooserInterface.saveFile,
            handle: "/org/freedesktop/portal/desktop/request/1_3/t", appID: other)
        try await eventually("the other message") { chooser.failures.all.count == 2 }
        isRead.note(())
        #expect(try await first.code == 2)
        #expect(try await second.code == 2)
    }

    @Test func `a backend for files that fails ends no request without a word`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ throws(DBusError) in
            throw .failed("It is broken")
        }
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        #expect(
            chooser.failures.all == [
                FileDialogFailure(.hasFailed, isSaving: true, parentWindow: "x11:1")
            ])
        withExtendedLifetime(files) {}
    }

    @Test func `the next backend for files serves in place of one that is missing`() async throws {
        let chooser = try await FileChooserSession(
            delegate: "org.example.Missing", others: [FileChooserSession.delegateName])
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 0)
        #expect(files.calls.count == 1)
    }

    @Test func `a request that a backend for files failed at goes to no other`() async throws {
        let chooser = try await FileChooserSession(others: ["org.example.Other"])
        let files = try await FilesBackend(chooser.session) { _, _ throws(DBusError) in
            throw .failed("no")
        }
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        #expect(chooser.log.all.count { $0.contains("did not answer") } == 1)
        withExtendedLifetime(files) {}
    }

    @Test func `the photo dialog knows whether there is a file dialog`() async throws {
        let without = try await FileChooserSession()
        #expect(try await without.call(options: Self.pictures).code == 1)
        #expect(without.requests.all.first?.canBrowse == false)

        let startable = try await FileChooserSession(starting: "/bin/false")
        #expect(try await startable.call(options: Self.pictures).code == 1)
        #expect(startable.requests.all.first?.canBrowse == true)

        let running = try await FileChooserSession()
        let files = try await FilesBackend(running.session) { _, _ in Self.chosen }
        #expect(try await running.call(options: Self.pictures).code == 1)
        #expect(running.requests.all.first?.canBrowse == true)
        withExtendedLifetime(files) {}
    }

    @Test func `options with descriptors are skipped`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        let file = try Descriptor.openForReading("/dev/null")
        let options: Vardict = [
            "one": .descriptor(file), "deep": .variant(.array(element: "h", [.descriptor(file)])),
            "multiple": true.variant,
        ]
        #expect(try await chooser.call(FileChooserInterface.saveFile, options: options).code == 0)
        #expect(files.calls.all.first?.input.values.4 == ["multiple": true.variant])
        #expect(
            try await chooser.call(options: options.merging(Self.pictures) { $1 }).code == 1)
        #expect(chooser.requests.count == 1)
    }

    @Test func `a backend for files that cannot be started ends the request`() async throws {
        let chooser = try await FileChooserSession(starting: "/bin/false")
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        #expect(chooser.log.all.last?.contains("did not answer") == true)
    }

    @Test func `a Close while the backend for files starts is not lost`() async throws {
        let chooser = try await FileChooserSession(starting: "/bin/sleep 20")
        async let answer = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the request") { chooser.log.count == 1 }
        try await chooser.close()
        #expect(try await answer.code == 2)
        // It has started now, and the bus delivers the calls that arrived in the meantime.
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        try await eventually("the close") { files.calls.count == files.closed.count }
        withExtendedLifetime(files) {}
    }

    @Test func `forwarded requests end with the dialog`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = try? chooser.call(FileChooserInterface.saveFile)
        try await eventually("the call") { files.calls.count == 1 }
        await chooser.backend.closeAll()
        await chooser.connection.close()
        #expect(await answer == nil)
        try await eventually("the close") { files.closed.count == 1 }
    }

    @Test func `a backend for files that fails ends the request`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ throws(DBusError) in
            throw .failed("no")
        }
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        #expect(chooser.log.all.last?.contains("did not answer") == true)
        withExtendedLifetime(files) {}
    }

    @Test func `a backend for files that dies ends the request`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = chooser.call(FileChooserInterface.saveFile)
        try await eventually("the call") { files.calls.count == 1 }
        await files.connection.close()
        #expect(try await answer.code == 2)
    }

    @Test func `a backend for files that replies with wrong types ends the request`() async throws {
        let chooser = try await FileChooserSession()
        let connection = try await chooser.session.connect()
        let garbage = Method<FileChooserSession.Input, Arguments<String>>(
            "SaveFile", takes: ["handle", "app_id", "parent_window", "title", "options"],
            returns: ["text"])
        let export = try await connection.export(
            Interface(FileChooserInterface.interface.name, [garbage]),
            at: FileChooserInterface.path
        ) { $0.method(garbage) { _ in Arguments("nonsense") } }
        _ = try await connection.requestName(FileChooserSession.delegateName)
        #expect(try await chooser.call(FileChooserInterface.saveFile).code == 2)
        withExtendedLifetime(export) {}
    }

    @Test func `requests are never forwarded to ourselves`() async throws {
        let byName = try await FileChooserSession(delegate: FileChooserSession.busName)
        #expect(try await byName.call(FileChooserInterface.saveFile).code == 2)
        #expect(byName.log.all.last?.contains("this program") == true)

        let byOwner = try await FileChooserSession(delegate: "org.example.Alias")
        _ = try await byOwner.connection.requestName("org.example.Alias")
        #expect(try await byOwner.call(FileChooserInterface.saveFile).code == 2)
        #expect(byOwner.log.all.last?.contains("this program") == true)
    }

    @Test func `only xdg-desktop-portal is trusted`() async throws {
        let chooser = try await FileChooserSession()
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        let stranger = try await chooser.session.connect()
        for method in [FileChooserInterface.openFile, FileChooserInterface.saveFile] {
            let error = await #expect(throws: DBusError.self) {
                try await chooser.call(
                    method, handle: "/org/example/forged", options: Self.pictures, from: stranger)
            }
            #expect(error?.name == .accessDenied)
        }
        #expect(files.calls.count == 0)
        #expect(chooser.requests.count == 0)
    }

    @Test(
        arguments: [
            ["filters": "image/*".variant], ["filters": ["a"].variant], ["multiple": "yes".variant],
            ["choices": true.variant], ["current_filter": UInt32(1).variant],
            ["accept_label": true.variant], ["current_folder": "/home".variant],
            ["filters": filters([("a", [(7, "image/*")])])],
        ] as [Vardict])
    func `options of wrong types are rejected with their key`(options: Vardict) async throws {
        let chooser = try await FileChooserSession()
        let error = await #expect(throws: DBusError.self) {
            try await chooser.call(options: options)
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains("'\(options.keys.first ?? "")'") == true)
    }

    // MARK: - Photos

    private static let pictures: Vardict = ["filters": filters([("a", [(1, "image/*")])])]

    @Test func `the photo dialog gets the request of the app`() async throws {
        let chooser = try await FileChooserSession { request in
            .chosen(
                FileAnswer(
                    uris: ["file:///b.jpg", "file:///a%20b.jpg"], filter: 1,
                    answers: request.choices.map(\.initial)))
        }
        let options: Vardict = [
            "accept_label": "_Attach __file".variant, "modal": false.variant,
            "multiple": true.variant,
            "filters": Self.filters([
                ("All", [(0, "*")]), ("PNG", [(0, "*.[pP][nN][gG]")]), ("JPEG", [(0, "*.jpg")]),
            ]),
            "current_filter": Self.filter("JPEG", [(0, "*.jpg")]),
            "choices": Self.choices(count: 2),
            "current_folder": .array(element: "y", "/pictures\0".utf8.map { .byte($0) }),
            "unknown": "ignored".variant,
        ]
        let (code, results) = try await chooser.call(options: options)
        let request = try #require(chooser.requests.all.first)
        #expect(request.pick.appID == "org.example.App")
        #expect(request.pick.parentWindow == "x11:1")
        #expect(request.pick.title == "Open")
        #expect(request.pick.options.acceptLabel == "Attach _file")
        #expect(!request.pick.options.isModal)
        #expect(request.pick.options.count == CountLimits(minimum: 1, maximum: nil))
        #expect(request.pick.options.mediaTypes.recognizedTypes == [.jpeg])
        #expect(request.filters.all.map(\.filter.name) == ["PNG", "JPEG"])
        #expect(request.filters.current == 1)
        #expect(request.folder == Array("/pictures".utf8))
        #expect(request.choices.map(\.id) == ["0", "1"])
        #expect(code == 0)
        #expect(
            results == [
                "uris": ["file:///b.jpg", "file:///a%20b.jpg"].variant,
                "writable": false.variant,
                "current_filter": Self.filter("JPEG", [(0, "*.jpg")]),
                "choices": .array(
                    element: "(ss)",
                    [
                        .structure([.string("0"), .string("false")]),
                        .structure([.string("1"), .string("false")]),
                    ]),
            ])
    }

    @Test func `without multiple one photo is chosen, and writable is always set`() async throws {
        let chooser = try await FileChooserSession { _ in
            .chosen(FileAnswer(uris: Self.uris, filter: nil, answers: []))
        }
        let (code, results) = try await chooser.call(options: Self.pictures)
        #expect(code == 0)
        #expect(results == ["uris": Self.uris.variant, "writable": false.variant])
        #expect(chooser.requests.all.first?.pick.options.count == .one)
    }

    @Test func `a thousand filters are understood`() async throws {
        let chooser = try await FileChooserSession()
        let many = Self.filters((0..<1000).map { ("filter \($0)", [(0, "*.png")]) })
        #expect(try await chooser.call(options: ["filters": many]).code == 1)
        #expect(chooser.requests.all.first?.filters.all.count == 1000)
    }

    @Test func `Browse Files forwards the same request`() async throws {
        let chooser = try await FileChooserSession { _ in .browse }
        let files = try await FilesBackend(chooser.session) { _, _ in Self.chosen }
        let answer = try await chooser.call(options: Self.pictures)
        #expect(answer.code == 0)
        #expect(answer.results == Self.results)
        let input = try #require(files.calls.all.first?.input)
        #expect(input.values.0 == "/org/freedesktop/portal/desktop/request/1_2/t")
        #expect(input.values.4 == Self.pictures)
    }

    @Test func `a request that the person forwarded can be closed`() async throws {
        let chooser = try await FileChooserSession { _ in .browse }
        let files = try await FilesBackend(chooser.session, answer: FilesBackend.never)
        async let answer = chooser.call(options: Self.pictures)
        try await eventually("the call") { files.calls.count == 1 }
        try await chooser.close()
        #expect(try await answer.code == 2)
        try await eventually("the close") { files.closed.count == 1 }
    }

    @Test func `an app that asks for a hundred windows does not get them`() async throws {
        let chooser = try await FileChooserSession { _ in
            try? await Task.sleep(for: .seconds(1_000))
            return .cancelled
        }
        func handle(_ number: Int) -> ObjectPath {
            ObjectPath("/org/freedesktop/portal/desktop/request/1_2/t\(number)") ?? "/"
        }
        let codes = Recorder<UInt32>()
        let asking = (0..<100).map { number in
            Task {
                let answer = try await chooser.call(
                    handle: handle(number), options: Self.pictures)
                codes.note(answer.code)
            }
        }
        try await eventually("the windows") { chooser.requests.count + codes.count == 100 }
        #expect(chooser.requests.count == 8)
        #expect(codes.all.allSatisfy { $0 == 2 })
        // A window that has closed makes room for another one.
        let open = try #require(chooser.requests.all.first.flatMap { ObjectPath($0.pick.handle) })
        try await chooser.close(open)
        try await eventually("its end") { codes.count == 93 }
        let next = Task { try await chooser.call(handle: handle(100), options: Self.pictures) }
        try await eventually("the next window") { chooser.requests.count == 9 }
        for task in asking { task.cancel() }
        next.cancel()
    }

    @Test func `Close ends the photo dialog`() async throws {
        let ended = Recorder<Void>()
        let chooser = try await FileChooserSession { _ in
            try? await Task.sleep(for: .seconds(1_000))
            ended.note(())
            return .cancelled
        }
        async let answer = chooser.call(options: Self.pictures)
        try await eventually("the dialog") { chooser.requests.count == 1 }
        try await chooser.close()
        #expect(try await answer.code == 2)
        try await eventually("its end") { ended.count == 1 }
    }
}

// MARK: - Options

extension FileChooserTests {
    static func filter(_ name: String, _ rules: [(UInt32, String)]) -> Variant {
        .structure([
            .string(name),
            .array(
                element: "(us)", rules.map { .structure([.uint32($0.0), .string($0.1)]) }),
        ])
    }

    static func filters(_ filters: [(String, [(UInt32, String)])]) -> Variant {
        .array(element: "(sa(us))", filters.map { filter($0.0, $0.1) })
    }

    /// Questions whose answer is yes or no.
    static func choices(count: Int) -> Variant {
        .array(
            element: "(ssa(ss)s)",
            (0..<count).map {
                .structure([
                    .string("\($0)"), .string("Choice \($0)"), .array(element: "(ss)", []),
                    .string(""),
                ])
            })
    }
}
