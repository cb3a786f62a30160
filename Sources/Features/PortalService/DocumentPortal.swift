// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import PortalInterface
package import SDBus
import SystemPackage

/// Gives apps in a sandbox access to files: the peer `org.freedesktop.portal.Documents`.
@BusActor
package final class DocumentPortal {
    /// The most files of one call: dbus-daemon disconnects who sends more than 16 descriptors.
    package nonisolated static let batch = 16

    private static let timeout = Duration.seconds(10)

    private let connection: Connection

    package init(on connection: Connection) {
        self.connection = connection
    }

    /// Makes files accessible to an app.
    ///
    /// An app that is given a file again gets the same document, unless it may write: a later
    /// pick for reading would take that right away from it.
    ///
    /// - Parameter files: At most ``batch``, open for reading.
    /// - Returns: For each file the URI at which the app finds it.
    /// - Throws: ``DBusError``: the portal's own when it refuses one of the files, that of the bus
    ///   when there is no portal or it does not answer.
    func add(
        _ files: [Descriptor], for appID: AppID, granting grants: Grants
    ) async throws(DBusError) -> [String] {
        var flags: Flags = grants.contains(.writable) ? [] : .reuseExisting
        if grants.contains(.persistent) { flags.insert(.persistent) }
        let permissions = grants.contains(.writable) ? ["read", "write"] : ["read"]
        let (ids, extra) = try await connection.call(
            DocumentsInterface.addFull, to: DocumentsInterface.busName,
            at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
            Arguments(files, flags.rawValue, appID.rawValue, permissions), timeout: Self.timeout
        ).values
        guard ids.count == files.count, let mountPoint = extra.mountPoint else {
            throw .failed("The document portal answered garbage")
        }
        var uris: [String] = []
        for (file, id) in zip(files, ids) {
            guard let name = file.path?.lastComponent, let folder = FilePath.Component(id),
                let uri = FileURI.make(mountPoint.appending(folder).appending(name))
            else { throw .failed("The document portal answered garbage") }
            uris.append(uri)
        }
        return uris
    }

    /// Whether an app may have been given a file; true also when nobody can tell.
    func holds(_ path: FilePath) async -> Bool {
        let bytes = path.withPlatformString { pointer in
            UnsafeBufferPointer(start: pointer, count: path.length + 1).map(UInt8.init(bitPattern:))
        }
        do throws(DBusError) {
            let id = try await connection.call(
                DocumentsInterface.lookup, to: DocumentsInterface.busName,
                at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
                Arguments(bytes), timeout: Self.timeout
            ).values
            return !id.isEmpty
        } catch {
            // Without a portal there is no app in a sandbox that could have been given something.
            return error.name != .serviceUnknown
        }
    }

    private struct Flags: OptionSet {
        let rawValue: UInt32
        static let reuseExisting = Flags(rawValue: 1)
        static let persistent = Flags(rawValue: 2)
    }
}

extension Vardict {
    /// Where the document portal's files are.
    fileprivate var mountPoint: FilePath? {
        guard let bytes = self["mountpoint"]?.bytes else { return nil }
        let path = FilePath(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        return path.isAbsolute ? path : nil
    }
}

extension Variant {
    /// The bytes of an `ay`.
    fileprivate var bytes: [UInt8]? {
        guard case .array("y", let values) = self else { return nil }
        return values.compactMap { value in
            guard case .byte(let byte) = value else { return nil }
            return byte
        }
    }
}
