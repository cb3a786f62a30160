// SPDX-License-Identifier: MIT

internal import Desktop
package import Files
internal import Foundation
internal import GRDB
package import ImageWork
internal import Photos
internal import Processes
package import SystemPackage

/// Why a file did not become a photo of the library.
package enum IntakeError: Error, Hashable, Sendable {
    /// It is a folder, a socket, a pipe, a device, or made up by the kernel.
    case notFile
    case empty
    /// It has more bytes than a photo may have.
    case tooLarge(Int64)
    /// It changed while it was copied.
    case changed
    /// It could not be read, or its disk does not answer.
    case unreadable
    /// A decoder found no photo in it that can be shown.
    case decoding(DecodeError)
    /// The library has no folder for pictures, or that leads to another place.
    case noFolder
    case storing(Errno)
    case library(LibraryError)
}

/// Takes the files of photos that apps add into the library's folders.
package struct PhotoIntake: Sendable {
    /// The most bytes of a photo or video that an app adds.
    package static let mostBytes: Int64 = 4 << 30

    private let store: LibraryStore
    private let roots: LibraryRoots
    private let decoders: DecoderPool

    package init(store: LibraryStore, roots: LibraryRoots, decoders: DecoderPool) {
        self.store = store
        self.roots = roots
        self.decoders = decoders
    }

    /// The folder for the photos of an app; nil if the library has no folder for pictures.
    ///
    /// - Parameter title: The name of the folder; nil for the folder of all pictures.
    package func folder(named title: FilePath.Component?) -> FilePath? {
        roots.pictures.first.map { pictures in title.map { pictures.appending($0) } ?? pictures }
    }

    /// Copies a file into a folder of the library, and has a decoder look at the copy.
    ///
    /// The copy has a hidden name until ``LibraryStore/perform(_:adding:in:)`` adds it; whoever does not
    /// do that calls ``LibraryStore/discard(_:in:)``.
    ///
    /// - Parameters:
    ///   - source: Any descriptor that an app has; it may be for a file that the app goes on writing.
    ///   - folder: See ``folder(named:)``; it is made if it is missing.
    ///   - client: Whose turn it is that the decoder takes.
    @concurrent
    package func receive(
        _ source: Descriptor, into folder: FilePath, for client: String
    ) async throws(IntakeError) -> Arrival {
        let copy = try await copy(source, into: folder)
        do throws(IntakeError) {
            let facts = try await examine(copy.file, for: client)
            return try await name(copy, facts)
        } catch {
            await store.discard([copy.row], in: roots)
            throw error
        }
    }

    // MARK: - Copying

    /// A file with a hidden name.
    private struct Copy: Sendable {
        let folder: Descriptor
        let path: FilePath
        let row: Int64
        let hidden: FilePath.Component
        let file: Descriptor
        let lock: FileLock
        let state: FileState
    }

    /// How long a file may take, in the slowest case from a memory card.
    private static let patience = Duration.seconds(600)

    private func copy(
        _ source: Descriptor, into folder: FilePath
    ) async throws(IntakeError) -> Copy {
        let place = source.resolvedPath ?? "/"
        let copied = await FileCalls.shared.run(on: place, within: Self.patience) { call in
            Result { () throws(IntakeError) in
                try copyNow(source, into: folder) { call.isRequested }
            }
        }
        guard let copied else { throw .unreadable }
        return try copied.get()
    }

    private func copyNow(
        _ source: Descriptor, into path: FilePath, _ isCancelled: () -> Bool
    ) throws(IntakeError) -> Copy {
        let byteCount = try Self.check(source)
        let (folder, permissions) = try open(path)
        guard let hidden = FilePath.Component(".photo-portal-new-\(UInt64.random(in: 0 ... .max))")
        else { throw .storing(.invalidArgument) }
        let row: Int64
        do throws(LibraryError) {
            row = try store.write("note a new file") { database in
                try database.execute(
                    sql: "INSERT INTO arrival (folder, hidden) VALUES (?, ?)",
                    arguments: [path.data, hidden.data])
                return database.lastInsertedRowID
            }
        } catch {
            throw .library(error)
        }
        do throws(IntakeError) {
            let target = folder.ownPath.appending(hidden)
            do throws(Errno) {
                try AtomicFile.copy(
                    source, to: target, permissions: permissions, durably: true, replaces: false,
                    atMost: byteCount, isCancelled: isCancelled)
                let file = try Descriptor.openForReading(target)
                let state = FileState(try file.information())
                guard state.size == byteCount else { throw .fileTooLarge }
                guard let lock = try FileLock(file) else { throw .resourceBusy }
                try folder.synchronize()
                return Copy(
                    folder: folder, path: path, row: row, hidden: hidden, file: file, lock: lock,
                    state: state)
            } catch {
                // It became longer or shorter than it was.
                throw error == .fileTooLarge ? .changed : .storing(error)
            }
        } catch {
            store.discardNow([row], in: roots)
            throw error
        }
    }

    /// Makes sure that a descriptor is one of a file of reasonable size, and returns that.
    private static func check(_ source: Descriptor) throws(IntakeError) -> Int64 {
        // What cannot even be examined has no type.
        guard let information = try? source.information() else { throw .unreadable }
        guard information.type == .regular, !source.isInPseudoFileSystem else { throw .notFile }
        guard information.size > 0 else { throw .empty }
        guard information.size <= mostBytes else { throw .tooLarge(mostBytes) }
        // A descriptor that is only for writing is of no use.
        guard let first = try? source.read(upTo: 1), first.count == 1 else { throw .unreadable }
        return information.size
    }

    /// Opens a folder of the library, which is made if it is missing.
    ///
    /// - Returns: The folder, and the permissions of the files in it.
    private func open(
        _ path: FilePath
    ) throws(IntakeError) -> (folder: Descriptor, permissions: FilePermissions) {
        guard let root = roots.pictures.first else { throw .noFolder }
        do throws(Errno) {
            try Directory.make(root)
            let bounds = LibraryBounds(roots.containing(path))
            let parent = try Descriptor.openFolder(root)
            guard bounds.admitFolder(parent) else { throw .notDirectory }
            // Others may read it who may read the folder for pictures.
            let permissions = try parent.information().permissions
                .intersection([
                    .ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute,
                ])
                .union(.ownerReadWriteExecute)
            var folder = parent
            if path != root, let name = path.lastComponent {
                folder = try Directory.open(name, in: parent, makingItWith: permissions)
                guard bounds.admitFolder(folder) else { throw .notDirectory }
            }
            return (folder, permissions.subtracting([.ownerExecute, .groupExecute, .otherExecute]))
        } catch {
            throw error == .notDirectory ? .noFolder : .storing(error)
        }
    }

    // MARK: - Examining

    private func examine(
        _ file: Descriptor, for client: String
    ) async throws(IntakeError) -> ImageFacts {
        let decoder = decoders.session(client: client)
        do throws(DecodeError) {
            let facts = try await decoder.run(.probe, on: file)
            // A header is not a picture yet. A photo that only needs a newer library is one.
            if facts.mediaType.isImage {
                do throws(DecodeError) {
                    _ = try await decoder.run(.pixels(side: 128), on: file)
                } catch {
                    guard error.neededVersion != nil else { throw error }
                }
            }
            return facts
        } catch {
            throw .decoding(error)
        }
    }

    // MARK: - Naming

    private func name(_ copy: Copy, _ facts: ImageFacts) async throws(IntakeError) -> Arrival {
        let named = await FileCalls.shared.run(on: copy.path.appending(copy.hidden)) { _ in
            Result { () throws(Errno) in try nameNow(copy, facts) }
        }
        do throws(Errno) {
            guard let named else { throw .canceled }
            return try named.get()
        } catch {
            throw .storing(error)
        }
    }

    /// Chooses a name that no other file of the folder has.
    private func nameNow(_ copy: Copy, _ facts: ImageFacts) throws(Errno) -> Arrival {
        let fingerprint = try Fingerprint(of: copy.file, size: copy.state.size)
        let name = ArrivalName(facts, fingerprint, stamp: LocalTime.stamp())
        // Either the library knows the file, or it was added a moment ago.
        for other in known(fingerprint, in: copy.path) + [name[1]] {
            guard
                // A file that cannot be read is another one.
                let file = try? Descriptor.openForReading(copy.folder.ownPath.appending(other)),
                let state = (try? file.information()).map(FileState.init),
                state.size == copy.state.size,
                (try? Fingerprint.isEqual(file, copy.file, size: state.size)) == true
            else { continue }
            store.discardNow([copy.row], in: roots)
            return Arrival(
                folder: copy.folder, path: copy.path, row: nil, current: other, name: name,
                state: state, facts: facts, fingerprint: fingerprint, lock: nil)
        }
        return Arrival(
            folder: copy.folder, path: copy.path, row: copy.row, current: copy.hidden, name: name,
            state: copy.state, facts: facts, fingerprint: fingerprint, lock: copy.lock)
    }

    /// The names of a few files in a folder that may have the same content.
    private func known(_ fingerprint: Fingerprint, in folder: FilePath) -> [FilePath.Component] {
        // Without the library, no file is known.
        let names = try? store.read("find equal files") { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT file.name FROM asset JOIN file ON file.asset = asset.id
                    JOIN folder ON folder.id = file.folder
                    WHERE fingerprint = ? AND folder.path = ? LIMIT 4
                    """, arguments: [Data(fingerprint.bytes), folder.data])
        }
        return (names ?? []).compactMap { FilePath.Component($0) }
    }
}
