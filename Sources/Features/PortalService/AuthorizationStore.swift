// SPDX-License-Identifier: MIT

package import Photos
import PortalInterface
package import SDBus

/// The decisions about apps, in the permission store of the desktop.
///
/// They are in the table `photos`, which `flatpak permissions` and the system settings show. The
/// id `library` is for reading and writing, `add` for adding; each app has `yes`, `no` or
/// `limited`. An app without an entry is undecided. As everywhere in the desktop, the id of a snap has
/// the prefix `snap.`, so that a program outside a sandbox cannot answer for it.
///
/// - Source: `org.freedesktop.impl.portal.PermissionStore`.
@BusActor
package final class AuthorizationStore {
    private static let table = "photos"

    private let connection: Connection
    private let isRestricted: @Sendable (AppID) -> Bool

    /// Makes a store.
    ///
    /// - Parameter isRestricted: Whether the policy forbids an app to use the library.
    package init(on connection: Connection, isRestricted: @escaping @Sendable (AppID) -> Bool) {
        self.connection = connection
        self.isRestricted = isRestricted
    }

    /// Returns the decision about an app.
    ///
    /// `read-write` access includes `add`. Unknown entries, which another program may have written,
    /// count as undecided.
    ///
    /// - Throws: ``DBusError`` if the store cannot be read.
    package func authorization(
        of app: AppIdentity, for level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        guard !isRestricted(app.appID) else { return .restricted }
        let stored = try await read(app, level)
        if level == .add, stored != .authorized, try await read(app, .readWrite) == .authorized {
            return .authorized
        }
        return stored
    }

    /// Stores a decision.
    ///
    /// - Throws: ``DBusError`` if it cannot be stored; the person is then asked again next time.
    package func record(
        _ authorization: Authorization, of app: AppIdentity, for level: AccessLevel
    ) async throws(DBusError) {
        guard let word = authorization.word else { return }
        _ = try await connection.call(
            PermissionStoreInterface.setPermission, to: PermissionStoreInterface.busName,
            at: PermissionStoreInterface.path,
            on: PermissionStoreInterface.interface.name,
            Arguments(Self.table, true, level.id, app.storeID, [word]))
    }

    /// The apps with a decision, by the names under which they are stored.
    ///
    /// - Throws: ``DBusError`` if the store cannot be read.
    func apps() async throws(DBusError) -> Set<String> {
        var apps: Set<String> = []
        for level in AccessLevel.allCases {
            do {
                let permissions = try await connection.call(
                    PermissionStoreInterface.lookup, to: PermissionStoreInterface.busName,
                    at: PermissionStoreInterface.path,
                    on: PermissionStoreInterface.interface.name, Arguments(Self.table, level.id)
                ).values.0
                apps.formUnion(permissions.keys)
            } catch {
                guard error.name == .portalNotFound else { throw error }
            }
        }
        return apps
    }

    /// Removes all decisions about an app.
    ///
    /// - Parameter app: The name under which it is stored; one without a decision is not an error.
    /// - Throws: ``DBusError`` if the store cannot be changed.
    func forget(_ app: String) async throws(DBusError) {
        for level in AccessLevel.allCases {
            do {
                _ = try await connection.call(
                    PermissionStoreInterface.deletePermission,
                    to: PermissionStoreInterface.busName, at: PermissionStoreInterface.path,
                    on: PermissionStoreInterface.interface.name,
                    Arguments(Self.table, level.id, app))
            } catch {
                guard error.name == .portalNotFound else { throw error }
            }
        }
    }

    /// Calls `handler` whenever a decision about reading the library may have changed.
    func watch(
        _ handler: @escaping @BusActor () -> Void
    ) async throws(DBusError) -> Subscription {
        try await connection.subscribe(
            to: PermissionStoreInterface.changed, of: PermissionStoreInterface.interface.name,
            from: PermissionStoreInterface.busName, at: PermissionStoreInterface.path,
            firstArgument: Self.table
        ) { _, content in
            guard content.values.1 == AccessLevel.readWrite.id else { return }
            handler()
        }
    }

    private func read(
        _ app: AppIdentity, _ level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        do {
            let words = try await connection.call(
                PermissionStoreInterface.getPermission, to: PermissionStoreInterface.busName,
                at: PermissionStoreInterface.path,
                on: PermissionStoreInterface.interface.name,
                Arguments(Self.table, level.id, app.storeID)
            ).values
            let known = words.count == 1 ? Authorization(word: words[0]) : nil
            // `limited` makes no sense for adding.
            return level == .add && known == .limited ? .notDetermined : known ?? .notDetermined
        } catch {
            // The table, or the id in it, does not exist before the first decision.
            guard error.name == .portalNotFound else { throw error }
            return .notDetermined
        }
    }
}

extension AccessLevel {
    fileprivate var id: String {
        switch self {
        case .add: "add"
        case .readWrite: "library"
        }
    }
}

extension Authorization {
    /// The word in the store; nil for values that are never stored.
    fileprivate var word: String? {
        switch self {
        case .notDetermined, .restricted: nil
        case .denied: "no"
        case .authorized: "yes"
        case .limited: "limited"
        }
    }

    fileprivate init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}
