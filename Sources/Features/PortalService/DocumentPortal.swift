// SPDX-License-Identifier: MIT

import Desktop
import Files
package import Logging
import Photos
import PortalInterface
import Processes
package import SDBus
import SystemPackage

/// Gives sandboxed apps access to files, through `org.freedesktop.portal.Documents`.
@BusActor
package final class DocumentPortal {
    /// The most files in one call; dbus-daemon disconnects a sender of more than 16 descriptors.
    package nonisolated static let batch = 16

    private let connection: Connection
    private let timeout: Duration
    private let transient: TransientDocuments
    private let traces: [FilePath]

    package convenience init(on connection: Connection, logger: Logger) async throws(DBusError) {
        let record = try await TransientRecord(on: connection)
        self.init(on: connection, record: record, logger: logger)
    }

    /// - Parameters:
    ///   - record: Where the list of documents is that end with their apps.
    ///   - timeout: How long the portal may take to answer.
    ///   - traces: The files that there are if the document portal of another bus may have given
    ///     something.
    init(
        on connection: Connection, record: TransientRecord, timeout: Duration = .seconds(10),
        traces: [FilePath] = DocumentPortal.standardTraces, logger: Logger
    ) {
        self.connection = connection
        self.timeout = timeout
        self.traces = traces
        transient = TransientDocuments(record: record, logger: logger) {
            [weak connection] document, appID throws(DBusError) in
            try await connection?.revoke(document, of: appID, within: timeout)
        }
    }

    /// The database of lasting documents, and the folder of all documents of the login.
    ///
    /// - Source: xdg-desktop-portal, `document-portal.c` and `document-portal-fuse.c`.
    nonisolated static var standardTraces: [FilePath] {
        [
            UserFolders.data.appending("flatpak").appending("db").appending("documents"),
            UserFolders.runtime.appending("doc"),
        ]
    }

    /// Makes the documents of an app that are not lasting end when the app's processes have ended.
    ///
    /// Call this before ``add(_:for:granting:)``, for each process that the app makes requests from.
    func keep(of appID: AppID, while processID: Int32) {
        transient.keep(of: appID, while: processID)
    }

    /// Makes files accessible to an app.
    ///
    /// An app that receives a file again gets the same document, unless it may write: a document that
    /// is reused for reading until the app ends would lose the permission to write.
    ///
    /// A single file that the person cannot write to is given for reading. Of several, the portal does
    /// not tell which one it refuses.
    ///
    /// - Parameter files: At most ``batch``, open for reading.
    /// - Returns: The URI of each file's document.
    /// - Throws: ``DBusError``: a portal error if it refuses one of the files, an error of the bus
    ///   if the portal is missing or does not answer.
    func add(
        _ files: [Descriptor], for appID: AppID, granting grants: Grants
    ) async throws(DBusError) -> [String] {
        guard !Task.isCancelled else { throw .cancelled }
        let ids: [String]
        let extra: Vardict
        do throws(DBusError) {
            (ids, extra) = try await give(files, to: appID, grants)
        } catch {
            guard error.name == .portalNotAllowed, files.count == 1, grants.contains(.writable)
            else { throw error }
            // The portal also refuses a file that the person may read and not write.
            (ids, extra) = try await give(files, to: appID, grants.subtracting(.writable))
        }
        guard ids.count == files.count, let mountPoint = extra.mountPoint else {
            throw .failed("The reply of the document portal is not valid")
        }
        var uris: [String] = []
        let names = await names(of: files)
        guard names.count == files.count else { throw .failed("The disk does not answer") }
        for (name, id) in zip(names, ids) {
            guard let name, let folder = FilePath.Component(id),
                let uri = FileURI.make(mountPoint.appending(folder).appending(name))
            else { throw .failed("The reply of the document portal is not valid") }
            uris.append(uri)
        }
        return uris
    }

    /// Opens an app's document as the app itself could: whoever gets the descriptor cannot write to the
    /// file, and finds out no path but the document's.
    ///
    /// - Parameter uri: What ``add(_:for:granting:)`` returned.
    /// - Throws: ``DBusError`` if it is gone, or its disk does not answer.
    /// - Source: xdg-desktop-portal, `document-portal-fuse.c`: a descriptor that is opened below
    ///   `by-app/APP` keeps the permissions of that app, also when it is opened again.
    nonisolated func open(_ uri: String, of appID: AppID) async throws(DBusError) -> Descriptor {
        guard let path = FileURI.path(uri), let name = path.lastComponent,
            let document = path.removingLastComponent().lastComponent,
            let app = FilePath.Component(appID.rawValue)
        else { throw .failed("The document has no path") }
        let mountPoint = path.removingLastComponent().removingLastComponent()
        let place = mountPoint.appending("by-app").appending(app).appending(document)
            .appending(name)
        let file = await FileCalls.shared.run(on: place, within: timeout) { _ in
            let file = try? Descriptor.openForReading(place)
            if let file { FileCalls.shared.closeHere(file, of: place) }
            return file
        }
        guard let file = file ?? nil else { throw .failed("The document cannot be opened") }
        return file
    }

    /// Makes documents of files, and notes those that end with the app.
    ///
    /// The portal may give them although nobody waits for it any more, because the request was closed
    /// or took too long. What it gives then is noted as well, or nobody would ever take it away.
    private func give(
        _ files: [Descriptor], to appID: AppID, _ grants: Grants
    ) async throws(DBusError) -> (ids: [String], extra: Vardict) {
        typealias Gift = Result<(ids: [String], extra: Vardict), DBusError>
        let (gifts, given) = AsyncStream<Gift>.makeStream()
        Task {
            given.yield(
                await transient.giving(to: appID) { () async -> Gift in
                    do throws(DBusError) {
                        let reply = try await call(files, appID, grants)
                        if !grants.contains(.persistent) { transient.note(reply.ids, of: appID) }
                        return .success(reply)
                    } catch {
                        return .failure(error)
                    }
                })
        }
        let deadline = Deadlines.shared.add(after: timeout) {
            // Ignored after a reply.
            given.yield(
                .failure(DBusError(name: .noReply, message: "The document portal does not answer")))
        }
        defer { Deadlines.shared.remove(deadline) }
        for await gift in gifts { return try gift.get() }
        throw .cancelled
    }

    private func call(
        _ files: [Descriptor], _ appID: AppID, _ grants: Grants
    ) async throws(DBusError) -> (ids: [String], extra: Vardict) {
        var flags: Flags = grants.contains(.writable) ? [] : .reuseExisting
        if grants.contains(.persistent) { flags.insert(.persistent) }
        let permissions = grants.contains(.writable) ? ["read", "write"] : ["read"]
        // The app may have the same document with more rights, from a file dialog. The portal replaces
        // the rights that it sets together with a document, and adds to them otherwise.
        let addsRights = flags.isSuperset(of: [.reuseExisting, .persistent])
        let (ids, extra) = try await connection.call(
            DocumentsInterface.addFull, to: DocumentsInterface.busName,
            at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
            Arguments(
                files, flags.rawValue, addsRights ? "" : appID.rawValue,
                addsRights ? [] : permissions), timeout: nil
        ).values
        if addsRights {
            for id in ids {
                _ = try await connection.call(
                    DocumentsInterface.grantPermissions, to: DocumentsInterface.busName,
                    at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
                    Arguments(id, appID.rawValue, permissions), timeout: nil)
            }
        }
        return (ids, extra)
    }

    /// Waits until a later service would know which documents end with their apps.
    func settle() async {
        await transient.saved()
    }

    /// Waits for what the portal is giving, then like ``settle()``.
    ///
    /// Call this once, when no more is added. Otherwise an app could keep what the portal gives after
    /// that, until the session ends.
    package func finish() async {
        await transient.finishGiving(within: timeout)
        await transient.saved()
    }

    /// The current names of open files; empty if their disk does not answer.
    private func names(of files: [Descriptor]) async -> [FilePath.Component?] {
        let place = files.first?.resolvedPath ?? "/"
        let names = await FileCalls.shared.run(on: place, within: timeout) { _ in
            files.map { $0.path?.lastComponent }
        }
        return names ?? []
    }

    /// Whether an app may have access to a file; true if that cannot be determined.
    func holds(_ path: FilePath) async -> Bool {
        let bytes = path.withPlatformString { pointer in
            UnsafeBufferPointer(start: pointer, count: path.length + 1).map(UInt8.init(bitPattern:))
        }
        do throws(DBusError) {
            let id = try await connection.call(
                DocumentsInterface.lookup, to: DocumentsInterface.busName,
                at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
                Arguments(bytes), timeout: timeout
            ).values
            return !id.isEmpty
        } catch {
            guard error.name == .serviceUnknown else { return true }
            // There is none on this bus, but there may be one on another bus of the person.
            for trace in traces where await isThere(trace) { return true }
            return false
        }
    }

    /// Whether a file exists; true if that cannot be determined.
    private func isThere(_ path: FilePath) async -> Bool {
        await FileCalls.shared.run(on: path, within: timeout) { _ in
            do throws(Errno) {
                _ = try path.stat()
                return true
            } catch {
                return ![.noSuchFileOrDirectory, .notDirectory].contains(error)
            }
        } ?? true
    }

    private struct Flags: OptionSet {
        let rawValue: UInt32
        static let reuseExisting = Flags(rawValue: 1)
        static let persistent = Flags(rawValue: 2)
    }
}

extension Connection {
    /// Takes a document away from an app.
    fileprivate func revoke(
        _ document: String, of appID: AppID, within timeout: Duration
    ) async throws(DBusError) {
        _ = try await call(
            DocumentsInterface.revokePermissions, to: DocumentsInterface.busName,
            at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
            Arguments(document, appID.rawValue, ["read", "write", "grant-permissions", "delete"]),
            timeout: timeout)
        // A copy for one reader, which has been deleted long ago, is a document of its own, and the portal would
        // remember it until the session ends.
        let (bytes, apps) = try await call(
            DocumentsInterface.info, to: DocumentsInterface.busName, at: DocumentsInterface.path,
            on: DocumentsInterface.interface.name, Arguments(document), timeout: timeout
        ).values
        let path = FilePath(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        guard apps.values.allSatisfy(\.isEmpty), DerivedFiles.isForOneReader(path) else { return }
        _ = try await call(
            DocumentsInterface.delete, to: DocumentsInterface.busName,
            at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
            Arguments(document), timeout: timeout)
    }
}

extension Vardict {
    /// The mount point of the document portal.
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
