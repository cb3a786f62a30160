// SPDX-License-Identifier: MIT

import Files
import Foundation
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Pictures of the web in the window in which an app shows its own, from a server of the test's own.
@Suite(.serialized) struct WebViewerTests {
    /// A session whose dialog has a fetcher that believes the server.
    private func start(
        dark isDark: Bool = false
    ) async throws -> (DialogSession, WebServer) {
        let home = try TestHome()
        let server = try await WebServer.start(in: home)
        let folder = home.scratch.appending("programs")
        _ = try server.fetcher(in: folder)
        // The dialog looks for the others where it is itself.
        let dialog = try Descriptor.openForReading(FilePath(Programs.path("photo-portal-dialog")))
        try AtomicFile.copy(
            dialog, to: folder.appending("photo-portal-dialog"),
            permissions: .ownerReadWriteExecute)
        for name in ["photo-portal-decoder", "photo-portal-heif", "photo-portal-video"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(name).string, withDestinationPath: Programs.path(name))
        }
        let session = try await DialogSession(
            home: home, environment: isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:],
            programs: folder)
        return (session, server)
    }

    private func show(
        _ images: [Vardict], in dialog: DialogSession
    ) -> Task<RequestClient.Answer, any Error> {
        Task {
            let connection = try await dialog.session.connect()
            let answer = try await RequestClient(on: connection).preview(
                images, title: "Chat", options: ["allow_remove": true.variant])
            await connection.close()
            return answer
        }
    }

    private func read(_ text: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: text) {
            try await dialog.person.texts().contains { $0.contains(text) }
        }
    }

    private func lose(_ text: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: "the end of \(text)") {
            try await !dialog.person.texts().contains { $0.contains(text) }
        }
    }

    @Test(arguments: [false, true])
    func `S2.21 the thumbnail comes at once, then the picture, and an error has Retry`(
        isDark: Bool
    ) async throws {
        let style = isDark ? "dark" : "light"
        let (dialog, server) = try await start(dark: isDark)
        let person = dialog.person
        try dialog.home.write(
            Array("<p>No picture</p>".utf8), to: server.folder.appending("text.jpg"))
        let thumbnail = try Fixtures.open("jpeg/baseline.jpg")
        let answer = show(
            [
                ["uri": server.uri("gate/a").variant, "thumbnail": thumbnail.variant],
                ["uri": server.uri("file/later.jpg").variant, "thumbnail": thumbnail.variant],
                ["uri": server.uri("file/text.jpg").variant],
            ], in: dialog)
        try await read("1 of 3", in: dialog)
        try await read("Loading", in: dialog)
        // It takes so long that the person is told, in front of the thumbnail.
        try await read("taking a long time", in: dialog)
        try await person.see("web-loading-\(style)")
        #expect(server.requests.count == 1, "what is beside it waits")
        try server.open("a")
        try await lose("Loading", in: dialog)
        try await lose("taking a long time", in: dialog)
        try await eventually("the request for the next one") { server.requests.count == 2 }
        try await person.see("web-shown-\(style)")
        try await person.do("key Right")
        try await read("The server does not provide this picture", in: dialog)
        try await person.see("web-refused-\(style)")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try dialog.home.write(
            try Fixtures.bytes("jpeg/progressive.jpg"), to: server.folder.appending("later.jpg"))
        try await person.do("press Retry")
        try await lose("The server does not provide", in: dialog)
        try await lose("Retry", in: dialog)
        try await person.see("web-retried-\(style)")
        try await person.do("key Right")
        try await read("The server sent something that is not a picture", in: dialog)
        try await read("Retry", in: dialog)
        try await person.see("web-no-picture-\(style)")
        try dialog.home.write(
            try Fixtures.bytes("orientation/6.jpg"), to: server.folder.appending("text.jpg"))
        try await person.do("press Retry")
        try await lose("not a picture", in: dialog)
        try await lose("Loading", in: dialog)
        try await person.do("key Delete")
        try await read("2 of 2", in: dialog)
        try await lose("Retry", in: dialog)
        try await person.do("key Escape")
        let results = try await answer.value.results
        #expect(results.value("removed") == [UInt32(2)])
        try await person.do("no-window")
    }

    @Test func `S2.29 a server that is silent holds nobody up, and leaving ends the fetch`()
        async throws
    {
        let (dialog, server) = try await start()
        let person = dialog.person
        let silent = server.uri("silent")
        let answer = show(
            [
                ["uri": silent.variant], ["uri": "\(silent)?2".variant],
                ["uri": "\(silent)?3".variant], ["uri": server.uri("file/picture.jpg").variant],
            ], in: dialog)
        try await read("1 of 4", in: dialog)
        try await eventually("the first request") { server.requests.count == 1 }
        try await person.do("key Right Right Right")
        try await read("4 of 4", in: dialog)
        try await eventually("its request") {
            server.requests.contains { $0.contains("picture.jpg") }
        }
        // Only that and the one beside it.
        try await eventually("the end of the others: \(server.requests)") {
            fetchers(of: dialog.dialog.processID) <= 1
        }
        try await person.do("key Escape")
        #expect(try await answer.value.code == .success)
        try await eventually("the end of all") { fetchers(of: dialog.dialog.processID) == 0 }
    }

    /// How many processes of a dialog fetch pictures.
    private func fetchers(of dialog: Int32) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.filter { number in
            guard Int32(number) != nil,
                let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            else { return false }
            // pid (name) state parent
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return stat.contains("(photo-portal-fe)") && fields.dropFirst().first == "\(dialog)"
                && fields.first != "Z"
        }.count
    }

    @Test(arguments: [true, false])
    func `S2.21 an app in a sandbox without network has nothing fetched`(
        hasNetwork: Bool
    ) async throws {
        let (dialog, server) = try await start()
        let app = try await FlatpakApp.start(on: dialog.session, sharesNetwork: hasNetwork)
        let connection = try await Connection.open(address: app.address)
        let images: [Vardict] = [["uri": server.uri("file/picture.jpg").variant]]
        let answer = Task { () async -> Result<RequestClient.Answer, DBusError> in
            do throws(DBusError) {
                return .success(try await RequestClient(on: connection).preview(images))
            } catch {
                return .failure(error)
            }
        }
        if hasNetwork {
            try await read("1 of 1", in: dialog)
            try await eventually("the request") { server.requests.count == 1 }
            try await dialog.person.do("key Escape")
            #expect(try await answer.value.get().code == .success)
        } else {
            let error = await #expect(throws: DBusError.self) { try await answer.value.get() }
            #expect(error?.name == .portalNotAllowed)
            try await dialog.person.do("no-window")
            #expect(server.requests.isEmpty)
        }
        await connection.close()
    }

    @Test func `S2.22 a picture is shown from the cache the next time`() async throws {
        let (dialog, server) = try await start()
        let images: [Vardict] = [["uri": server.uri("known/picture.jpg?max-age=600").variant]]
        for _ in 0..<2 {
            let answer = show(images, in: dialog)
            try await read("1 of 1", in: dialog)
            try await eventually("the request") { server.requests.count == 1 }
            try await lose("Loading", in: dialog)
            try await dialog.person.see("web-cached")
            try await dialog.person.do("key Escape")
            #expect(try await answer.value.code == .success)
            try await dialog.person.do("no-window")
        }
        #expect(server.requests.count == 1)
    }
}
