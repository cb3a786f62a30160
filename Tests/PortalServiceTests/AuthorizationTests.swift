// SPDX-License-Identifier: MIT

import Photos
import PortalService
import SDBus
import TestSupport
import Testing

/// The permissions of apps, with the desktop's real permission store.
@Suite(.serialized) struct AuthorizationTests {
    private let session: Session
    private let portals: PortalStack
    private let connection: Connection

    init() async throws {
        session = try await Session.start()
        portals = try await PortalStack.start(on: session, [.permissionStore])
        connection = try await session.connect()
    }

    private func store(
        restricting isRestricted: @escaping @Sendable (AppID) -> Bool = { _ in false }
    ) async -> AuthorizationStore {
        await AuthorizationStore(on: connection, isRestricted: isRestricted)
    }

    @Test(arguments: AccessLevel.allCases)
    func `an app is undecided at first`(level: AccessLevel) async throws {
        #expect(
            try await store().authorization(of: "org.example.App", for: level) == .notDetermined)
    }

    @Test(
        arguments: [(Authorization.denied, "no"), (.authorized, "yes"), (.limited, "limited")])
    func `a decision is stored for one app, under the desktop's names`(
        decision: Authorization, word: String
    ) async throws {
        try await store().record(decision, of: "org.example.App", for: .readWrite)
        #expect(
            try await store().authorization(of: "org.example.App", for: .readWrite) == decision)
        #expect(
            try await store().authorization(of: "org.example.Other", for: .readWrite)
                == .notDetermined)
        #expect(try await permission("library", "org.example.App") == [word])
    }

    @Test func `a decision about a snap counts for no other program of its name`() async throws {
        // As ProcessExamination names them.
        let snap = AppIdentity(.snap, appID: "snap.firefox")
        let program = AppIdentity(.none, appID: "snap.firefox")
        try await store().record(.authorized, of: snap, for: .readWrite)
        #expect(try await store().authorization(of: snap, for: .readWrite) == .authorized)
        #expect(try await store().authorization(of: program, for: .readWrite) == .notDetermined)
        #expect(try await permission("library", "snap.firefox") == ["yes"])
    }

    @Test func `read-write access includes adding, but not the reverse`() async throws {
        let store = await store()
        try await store.record(.authorized, of: "org.example.All", for: .readWrite)
        try await store.record(.authorized, of: "org.example.Adder", for: .add)
        try await store.record(.limited, of: "org.example.Some", for: .readWrite)
        #expect(try await store.authorization(of: "org.example.All", for: .add) == .authorized)
        #expect(
            try await store.authorization(of: "org.example.Adder", for: .readWrite)
                == .notDetermined)
        #expect(try await store.authorization(of: "org.example.Some", for: .add) == .notDetermined)
    }

    @Test func `policy takes precedence over a person's decision`() async throws {
        try await store().record(.authorized, of: "org.example.App", for: .readWrite)
        let store = await store { $0 == "org.example.App" }
        for level in AccessLevel.allCases {
            #expect(try await store.authorization(of: "org.example.App", for: level) == .restricted)
        }
        let asked = Recorder<AuthorizationRequest>()
        let authorizer = await Authorizer(store) { request throws(DBusError) in
            asked.note(request)
            return .decided(.authorized)
        }
        let request = AuthorizationRequest(
            appID: "org.example.App", parentWindow: "", level: .readWrite)
        #expect(try await authorizer.authorize(request, of: "org.example.App") == .restricted)
        #expect(asked.count == 0)
    }

    @Test(arguments: [["maybe"], [], ["yes", "no"], ["ask"]])
    func `unknown entries by other programs count as undecided`(words: [String]) async throws {
        try await setPermission("library", "org.example.App", words)
        #expect(
            try await store().authorization(of: "org.example.App", for: .readWrite)
                == .notDetermined)
    }

    @Test func `concurrent questions of one app are asked once`() async throws {
        let asked = Recorder<AuthorizationRequest>()
        let authorizer = await Authorizer(store()) { request throws(DBusError) in
            asked.note(request)
            try? await Task.sleep(for: .milliseconds(50))
            return .decided(.limited)
        }
        let request = AuthorizationRequest(
            appID: "org.example.App", parentWindow: "x11:1", level: .readWrite, reason: "For you")
        try await withThrowingTaskGroup(of: Authorization.self) { group in
            for _ in 0..<5 {
                group.addTask { try await authorizer.authorize(request, of: "org.example.App") }
            }
            for try await answer in group { #expect(answer == .limited) }
        }
        #expect(try await authorizer.authorize(request, of: "org.example.App") == .limited)
        #expect(asked.all == [request])
    }

    @Test func `a question ends when nobody waits for its answer any more`() async throws {
        let asked = Recorder<AuthorizationRequest>()
        let withdrawn = Recorder<Void>()
        let authorizer = await Authorizer(store()) { request throws(DBusError) in
            asked.note(request)
            // Ends early only if it is cancelled.
            try? await Task.sleep(for: .seconds(1000))
            withdrawn.note(())
            throw .cancelled
        }
        let request = AuthorizationRequest(
            appID: "org.example.App", parentWindow: "", level: .readWrite)
        let askers = (0..<2).map { _ in
            Task { try await authorizer.authorize(request, of: "org.example.App") }
        }
        try await eventually("the question") { asked.count == 1 }
        // Both wait: the store has answered them before this.
        _ = try await store().authorization(of: "org.example.Other", for: .readWrite)
        askers[0].cancel()
        await #expect(throws: DBusError.cancelled) { try await askers[0].value }
        #expect(withdrawn.count == 0)
        askers[1].cancel()
        await #expect(throws: DBusError.cancelled) { try await askers[1].value }
        try await eventually("the end of the question") { withdrawn.count == 1 }
        // The next one asks again.
        let next = Task { try await authorizer.authorize(request, of: "org.example.App") }
        try await eventually("the next question") { asked.count == 2 }
        next.cancel()
    }

    @Test func `nothing is stored if the person does not decide or the dialog fails`()
        async throws
    {
        let answers = Recorder<Void>()
        let authorizer = await Authorizer(store()) { _ throws(DBusError) in
            answers.note(())
            if answers.count == 1 { return .undecided }
            throw DBusError.failed("no dialog")
        }
        let request = AuthorizationRequest(
            appID: "org.example.App", parentWindow: "", level: .readWrite)
        #expect(try await authorizer.authorize(request, of: "org.example.App") == .notDetermined)
        await #expect(throws: DBusError.self) {
            try await authorizer.authorize(request, of: "org.example.App")
        }
        #expect(try await permission("library", "org.example.App") == nil)
    }

    @Test func `without a permission store nothing is allowed`() async throws {
        try await portals.process(of: .permissionStore)?.stop()
        let store = await store()
        await #expect(throws: DBusError.self) {
            try await store.authorization(of: "org.example.App", for: .readWrite)
        }
    }

    // MARK: - For other programs

    /// The permission, as `flatpak permissions` prints it; nil if there is no entry.
    private func permission(_ id: String, _ app: String) async throws -> [String]? {
        do throws(DBusError) {
            let entries = try await connection.call(
                Method<Arguments<String, String>, Arguments<[String: [String]], Variant>>(
                    "Lookup", takes: ["table", "id"], returns: ["permissions", "data"]),
                to: "org.freedesktop.impl.portal.PermissionStore",
                at: "/org/freedesktop/impl/portal/PermissionStore",
                on: "org.freedesktop.impl.portal.PermissionStore", Arguments("photos", id)
            ).values.0
            return entries[app]
        } catch {
            return nil
        }
    }

    private func setPermission(_ id: String, _ app: String, _ words: [String]) async throws {
        _ = try await connection.call(
            Method<Arguments<String, Bool, String, String, [String]>, Arguments<>>(
                "SetPermission", takes: ["table", "create", "id", "app", "permissions"]),
            to: "org.freedesktop.impl.portal.PermissionStore",
            at: "/org/freedesktop/impl/portal/PermissionStore",
            on: "org.freedesktop.impl.portal.PermissionStore",
            Arguments("photos", true, id, app, words))
    }
}

/// The id of a Flatpak.
extension AppIdentity: ExpressibleByStringLiteral {
    public init(stringLiteral literal: String) {
        self.init(.flatpak, appID: AppID(vouchedFor: literal))
    }
}
