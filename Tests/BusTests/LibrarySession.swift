// SPDX-License-Identifier: MIT

import Photos
import PortalClient
import PortalInterface
import SDBus
import TestSupport
import Testing

/// A session with a permission store, and an app that asks for the library.
struct LibrarySession {
    let picker: PickerSession
    let portals: PortalStack?
    let library: LibraryClient

    init(_ kind: CallerKind, photos: Int = 5, home: TestHome? = nil) async throws {
        picker = try await PickerSession(kind, photos: photos, home: home)
        portals =
            kind == .host
            ? try await PortalStack.start(on: picker.session, [.permissionStore]) : nil
        library = LibraryClient(on: picker.client.connection)
    }

    /// Asks, and returns the code of the response and the authorization.
    func ask(
        _ level: AccessLevel = .readWrite, _ options: Vardict = [:]
    ) async throws -> (code: ResponseCode, authorization: UInt32?) {
        let answer = try await RequestClient(on: picker.client.connection)
            .authorize(level, options: options)
        return (answer.code, answer.results.value("authorization"))
    }

    /// Calls every method that needs the person's consent, and returns the errors.
    func errors() async -> Set<ErrorName?> {
        func error(
            _ body: () async throws(DBusError) -> some Sendable
        ) async -> ErrorName? {
            do throws(DBusError) {
                _ = try await body()
                return nil
            } catch {
                return error.name
            }
        }
        let id = "00112233445566778899aabbccddeeff"
        return [
            await error { () async throws(DBusError) in try await library.albums() },
            await error { () async throws(DBusError) in try await library.moments().total },
            await error { () async throws(DBusError) in try await library.status() },
            await error { () async throws(DBusError) in
                try await library.assets(in: "all").total
            },
            await error { () async throws(DBusError) in try await library.assets([id]) },
            await error { () async throws(DBusError) in
                try await library.thumbnail(of: id, size: 128).results
            },
            await error { () async throws(DBusError) in
                try await library.preview(of: id, maxDimension: 128).results
            },
        ]
    }

    /// Lets the app read and write, and returns the ids of all photos.
    func open() async throws -> [String] {
        try await setPermission("yes", of: picker.app?.appID ?? "")
        return try await library.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
    }

    /// Changes the stored decision, as the desktop's settings would.
    func setPermission(
        _ word: String, of app: String, for level: String = "library"
    ) async throws {
        try await picker.session.setLibraryPermission(word, of: app, for: level)
    }
}
