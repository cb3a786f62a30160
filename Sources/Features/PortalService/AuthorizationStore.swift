// SPDX-License-Identifier: MIT

package import Photos
import PortalInterface
package import SDBus

/// What people have allowed apps, in the desktop's own permission store.
///
/// It is the table `photos`, where `flatpak permissions` and the system's settings show it: id
/// `library` for reading and writing and `add` for adding, with `yes`, `no` or `limited` for each
/// app. An app without an entry was never decided about.
///
/// - Source: `org.freedesktop.impl.portal.PermissionStore`.
@BusActor
package final class AuthorizationStore {
    private static let table = "photos"

    private let connection: Connection
    private let isRestricted: @Sendable (AppID) -> Bool

    /// Makes a store.
    ///
    /// - Parameter isRestricted: Whether policy keeps an app from the library.
    package init(on connection: Connection, isRestricted: @escaping @Sendable (AppID) -> Bool) {
        self.connection = connection
        self.isRestricted = isRestricted
    }

    /// What was decided about an app.
    ///
    /// Who may do everything may also add. What another program has written there and is not
    /// understood counts as no decision.
    ///
    /// - Throws: ``DBusError`` when the store cannot be asked.
    package func authorization(
        of appID: AppID, for level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        guard !isRestricted(appID) else { return .restricted }
        let stored = try await read(appID, level)
        if level == .add, stored != .authorized, try await read(appID, .readWrite) == .authorized {
            return .authorized
        }
        return stored
    }

    /// Keeps a decision.
    ///
    /// - Throws: ``DBusError`` when it cannot be kept; the next question then is asked again.
    package func record(
        _ authorization: Authorization, of appID: AppID, for level: AccessLevel
    ) async throws(DBusError) {
        guard let word = authorization.word else { return }
        _ = try await connection.call(
            PermissionStoreInterface.setPermission, to: PermissionStoreInterface.busName,
            at: PermissionStoreInterface.path,
            on: PermissionStoreInterface.interface.name,
            Arguments(Self.table, true, level.id, appID.rawValue, [word]))
    }

    private func read(
        _ appID: AppID, _ level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        do {
            let words = try await connection.call(
                PermissionStoreInterface.getPermission, to: PermissionStoreInterface.busName,
                at: PermissionStoreInterface.path,
                on: PermissionStoreInterface.interface.name,
                Arguments(Self.table, level.id, appID.rawValue)
            ).values
            let known = words.count == 1 ? Authorization(word: words[0]) : nil
            // Nobody can be given a part of what is added.
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
    /// What stands for it in the store; nil for what is never stored.
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
