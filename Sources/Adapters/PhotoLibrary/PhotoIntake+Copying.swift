// SPDX-License-Identifier: MIT

package import Files
internal import GRDB
internal import Photos
internal import Processes
internal import Synchronization
internal import SystemPackage

/// The copy of an app's file, under a hidden name.
struct IntakeCopy: Sendable {
    let draft: ArrivalDraft
    let file: Descriptor
    let state: FileState
}

extension PhotoIntake {
    /// How long a file may take, in the slowest case from a memory card.
    private static let patience = Duration.seconds(600)

    /// Makes sure that a descriptor is one of a file that can be copied.
    ///
    /// - Parameter patience: How long the disk of the file may take to answer.
    /// - Returns: False if it took longer, and nothing is known of the file.
    package static func check(
        _ source: Descriptor, within patience: Duration
    ) async throws(IntakeError) -> Bool {
        let place = source.resolvedPath ?? "/"
        let checked = await calls.run(on: place, within: patience) { _ in
            Result { () throws(IntakeError) in try checkNow(source) }
        }
        return try checked?.get() != nil
    }

    /// Copies a file into a folder of the library.
    ///
    /// - Parameter turn: Kept until the call for the file has ended.
    /// - Throws: ``IntakeError``; then there is no copy, or there will be none once the disk answers.
    func copy(
        _ source: Descriptor, into folder: FilePath, _ turn: (any Sendable)?
    ) async throws(IntakeError) -> IntakeCopy {
        let place = source.resolvedPath ?? "/"
        let handover = Handover()
        let copied = await Self.calls.run(on: place, within: Self.patience) { call in
            defer { withExtendedLifetime(turn) {} }
            return Result { () throws(IntakeError) in
                let copy = try copyNow(source, into: folder) { call.isRequested }
                if !handover.offer(copy) { store.finishNow([copy.draft]) }
                return copy
            }
        }
        guard let copied else {
            if let late = handover.refuse() { await store.discard([late.draft]) }
            throw .unreadable
        }
        return try copied.get()
    }

    private func copyNow(
        _ source: Descriptor, into path: FilePath, _ isCancelled: () -> Bool
    ) throws(IntakeError) -> IntakeCopy {
        let byteCount = try Self.checkNow(source)
        let (draft, target, permissions) = try makeDraft(at: path)
        do throws(IntakeError) {
            let count: Int64
            let file: Descriptor
            let state: FileState
            do throws(Errno) {
                count = try AtomicFile.fill(
                    target, from: source, permissions: permissions, atMost: byteCount,
                    isCancelled: isCancelled)
                file = try Descriptor.openForReading(draft.place)
                state = FileState(try file.information())
                try draft.folder.synchronize()
            } catch {
                throw .storing(error)
            }
            // It became longer or shorter than it was.
            guard count == byteCount, state.size == byteCount else { throw .changed }
            return IntakeCopy(draft: draft, file: file, state: state)
        } catch {
            store.finishNow([draft])
            throw error
        }
    }

    /// How often a file is made, as others may remove it before it is locked.
    ///
    /// On a busy machine they can be as fast a few times in a row.
    private static let mostDrafts = 64

    /// Makes an empty file with a hidden name, and the folder for it if that is missing.
    private func makeDraft(
        at path: FilePath
    ) throws(IntakeError) -> (ArrivalDraft, Descriptor, FilePermissions) {
        for _ in 0..<Self.mostDrafts {
            let (folder, isNew, permissions) = try open(path)
            if isNew { store.noteNew(folder) }
            do throws(IntakeError) {
                let (draft, target) = try makeDraft(in: folder, path)
                return (draft, target, permissions)
            } catch {
                store.removeIfNew(folder, path)
                // Another change set, which had made the folder, was refused and has removed it.
                guard error == .storing(.noSuchFileOrDirectory) else { throw error }
            }
        }
        throw .storing(.resourceBusy)
    }

    /// Makes an empty file with a hidden name, which no other service touches.
    func makeDraft(
        in folder: Descriptor, _ path: FilePath, prefix: String = ".photo-portal-new-"
    ) throws(IntakeError) -> (ArrivalDraft, Descriptor) {
        for _ in 0..<Self.mostDrafts {
            let name = "\(prefix)\(UInt64.random(in: 0 ... .max))"
            guard let hidden = FilePath.Component(name) else { break }
            // Before the file, so that one that a killed service leaves is always noted.
            try note(hidden, in: path)
            let place = folder.ownPath.appending(hidden)
            do throws(IntakeError) {
                let target = try Self.makeFile(place)
                guard let lock = try Self.lock(target) else {
                    // A service that looks for leftovers has found it, and removes it.
                    continue
                }
                // Such a service may also have found no file yet, and forgotten it.
                try note(hidden, in: path)
                // Or have removed the file before it was locked.
                guard folder.contains(hidden) else {
                    store.discardNow(hidden, in: folder)
                    continue
                }
                return (
                    ArrivalDraft(folder: folder, path: path, hidden: hidden, lock: lock), target
                )
            } catch {
                store.discardNow(hidden, in: folder)
                throw error
            }
        }
        throw .storing(.resourceBusy)
    }

    func note(_ hidden: FilePath.Component, in path: FilePath) throws(IntakeError) {
        do throws(LibraryError) {
            try store.write("note a new file") { try ArrivalRecord.insert(hidden, in: path, $0) }
        } catch {
            throw .library(error)
        }
    }

    private static func makeFile(_ path: FilePath) throws(IntakeError) -> Descriptor {
        do throws(Errno) { return try Descriptor.makeFile(path) } catch { throw .storing(error) }
    }

    private static func lock(_ file: Descriptor) throws(IntakeError) -> FileLock? {
        do throws(Errno) { return try FileLock(file) } catch { throw .storing(error) }
    }

    /// Makes sure that a descriptor is one of a file of reasonable size, and returns that.
    private static func checkNow(_ source: Descriptor) throws(IntakeError) -> Int64 {
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
    /// - Returns: The folder, whether it was made and may be removed again, and the permissions of the files in it.
    private func open(
        _ path: FilePath
    ) throws(IntakeError) -> (folder: Descriptor, isNew: Bool, permissions: FilePermissions) {
        guard path != store.adjusted else {
            do throws(Errno) {
                try Directory.make(path)
                return (try Descriptor.openFolder(path), false, .ownerReadWrite)
            } catch {
                throw .storing(error)
            }
        }
        guard let root = roots.pictures.first else { throw .noFolder }
        do throws(Errno) {
            try Directory.make(root)
            let bounds = LibraryBounds(roots.containing(path))
            let parent = try Descriptor.openFolder(root)
            guard bounds.admitNewFiles(in: parent) else { throw .notDirectory }
            // Others may read it who may read the folder for pictures.
            let permissions = try parent.information().permissions
                .intersection([
                    .ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute,
                ])
                .union(.ownerReadWriteExecute)
            var (folder, isNew) = (parent, false)
            if path != root, let name = path.lastComponent {
                (folder, isNew) = try Directory.open(name, in: parent, makingItWith: permissions)
                guard bounds.admitNewFiles(in: folder) else {
                    if isNew { Directory.removeIfEmpty(folder, at: path) }
                    throw .notDirectory
                }
            }
            return (
                folder, isNew,
                permissions.subtracting([.ownerExecute, .groupExecute, .otherExecute])
            )
        } catch {
            throw error == .notDirectory ? .noFolder : .storing(error)
        }
    }
}

extension LibraryBounds {
    /// Whether the library shows the photos that are put in a folder.
    fileprivate func admitNewFiles(in folder: Descriptor) -> Bool {
        admitFolder(folder) && !folder.contains(".nomedia")
    }
}

/// A copy on its way from the thread that made it to the task that wanted it.
private final class Handover: Sendable {
    private enum State {
        case pending
        case offered(IntakeCopy)
        case refused
    }

    private let state = Mutex(State.pending)

    /// Offers the copy.
    ///
    /// - Returns: False if nobody wants it any more.
    func offer(_ copy: IntakeCopy) -> Bool {
        state.withLock { state in
            guard case .pending = state else { return false }
            state = .offered(copy)
            return true
        }
    }

    /// Gives up.
    ///
    /// - Returns: The copy, if it was offered already.
    func refuse() -> IntakeCopy? {
        state.withLock { state in
            defer { state = .refused }
            guard case .offered(let copy) = state else { return nil }
            return copy
        }
    }
}
