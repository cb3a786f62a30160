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
    /// The library has no folder for pictures, or leaves out the one for the app, or that leads to
    /// another place.
    case noFolder
    case storing(Errno)
    case library(LibraryError)
}

/// Takes the files of photos that apps add into the library's folders.
package struct PhotoIntake: Sendable {
    /// The most bytes of a photo or video that an app adds.
    package static let mostBytes: Int64 = 4 << 30
    /// The calls for files of apps, and for their copies.
    ///
    /// Copying a film takes longer than others can wait for a thread, and where an app's file is says
    /// nothing about the disk that stands still.
    static let calls = FileCalls()

    let store: LibraryStore
    let roots: LibraryRoots
    private let decoders: DecoderPool
    private let nameKey: [UInt8]

    /// - Parameter nameKey: What no app in a sandbox knows, and stays the same, for the names of new files.
    package init(
        store: LibraryStore, roots: LibraryRoots, decoders: DecoderPool, nameKey: [UInt8]
    ) {
        self.store = store
        self.roots = roots
        self.decoders = decoders
        self.nameKey = nameKey
        Self.calls.separate(roots.all)
    }

    /// Has the file of an app closed where that may block, as on a disk that does not answer.
    package static func takeOver(_ file: Descriptor) {
        calls.closeHere(file, of: file.resolvedPath ?? "/")
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
    /// do that calls ``LibraryStore/discard(_:)``.
    ///
    /// - Parameters:
    ///   - source: Any descriptor that an app has; it may be for a file that the app goes on writing.
    ///   - folder: See ``folder(named:)``; it is made if it is missing.
    ///   - client: Whose turn it is that the decoder takes.
    ///   - turn: Kept until the copying ends; a disk may hold it long after the caller has given up.
    @concurrent
    package func receive(
        _ source: Descriptor, into folder: FilePath, for client: String,
        during turn: (any Sendable)? = nil
    ) async throws(IntakeError) -> Arrival {
        let copy = try await copy(source, into: folder, turn)
        do throws(IntakeError) {
            let facts = try await examine(copy.file, for: client)
            return try await name(copy, facts)
        } catch {
            await store.discard([copy.draft])
            throw error
        }
    }

    // MARK: - Examining

    func examine(
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

    private func name(_ copy: IntakeCopy, _ facts: ImageFacts) async throws(IntakeError) -> Arrival
    {
        let named = await Self.calls.run(on: copy.draft.path.appending(copy.draft.hidden)) { _ in
            Result { () throws(Errno) in try nameNow(copy, facts) }
        }
        do throws(Errno) {
            guard let named else { throw .canceled }
            return try named.get()
        } catch {
            throw .storing(error)
        }
    }

    /// The most photos of the same second with the same fingerprint.
    private static let mostAttempts = 1000

    /// Chooses a name that no other file of the folder has.
    private func nameNow(_ copy: IntakeCopy, _ facts: ImageFacts) throws(Errno) -> Arrival {
        let fingerprint = try Fingerprint(of: copy.file, size: copy.state.size)
        let name = ArrivalName(facts, fingerprint, key: nameKey, stamp: LocalTime.stamp())
        // The library may know the file under any name.
        for other in known(fingerprint, in: copy.draft.path) {
            if let state = stateNow(of: other, equalTo: copy) {
                return present(other, state)
            }
        }
        // It may have been added a moment ago, too.
        for attempt in 1...Self.mostAttempts {
            guard copy.draft.folder.contains(name[attempt]) else {
                return Arrival(
                    folder: copy.draft.folder, path: copy.draft.path, draft: copy.draft,
                    current: copy.draft.hidden, name: name, attempt: attempt, state: copy.state,
                    facts: facts, fingerprint: fingerprint)
            }
            if let state = stateNow(of: name[attempt], equalTo: copy) {
                return present(name[attempt], state)
            }
        }
        throw .fileExists

        func present(_ other: FilePath.Component, _ state: FileState) -> Arrival {
            store.finishNow([copy.draft])
            return Arrival(
                folder: copy.draft.folder, path: copy.draft.path, draft: nil, current: other,
                name: name, attempt: 1, state: state, facts: facts, fingerprint: fingerprint)
        }
    }

    /// The state of another file of the folder if it has the same content; nil also if it cannot be read.
    private func stateNow(
        of other: FilePath.Component, equalTo copy: IntakeCopy
    ) -> FileState? {
        guard
            let file = try? Descriptor.openForReading(copy.draft.folder.ownPath.appending(other)),
            let state = (try? file.information()).map(FileState.init),
            state.size == copy.state.size,
            (try? Fingerprint.isEqual(file, copy.file, size: state.size)) == true
        else { return nil }
        return state
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
                    WHERE fingerprint = ? AND folder.path = ? AND role = 0 LIMIT 4
                    """, arguments: [Data(fingerprint.bytes), folder.data])
        }
        return (names ?? []).compactMap { FilePath.Component($0) }
    }
}
