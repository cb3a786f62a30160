// SPDX-License-Identifier: MIT

internal import Desktop
package import Files
internal import ImageWork
package import Photos
internal import Processes
internal import SystemPackage

extension PhotoIntake {
    /// Copies the adjusted version of a photo into the library's own folder, and has a decoder look at
    /// the copy.
    ///
    /// Whoever does not have it added by ``LibraryStore/perform(_:adding:adjusting:in:)`` calls
    /// ``LibraryStore/discard(_:)``.
    ///
    /// - Parameters:
    ///   - source: Any descriptor that an app has; see ``receive(_:into:for:during:)``.
    ///   - name: The name of the original, for people; that of the new file begins with it.
    ///   - data: How the version was made.
    @concurrent
    package func receive(
        _ source: Descriptor, adjusting name: String, _ data: AdjustmentData, for client: String,
        during turn: (any Sendable)? = nil
    ) async throws(IntakeError) -> AdjustmentDraft {
        let copy = try await copy(source, into: store.adjusted, turn)
        do throws(IntakeError) {
            let facts = try await examine(copy.file, for: client)
            let place = copy.draft.path.appending(copy.draft.hidden)
            let made = await Self.calls.run(on: place) { _ in
                Result { () throws(IntakeError) in try makeNow(copy, facts, name, data) }
            }
            guard let made else { throw .storing(.canceled) }
            return try made.get()
        } catch {
            await store.discard([copy.draft])
            throw error
        }
    }

    private func makeNow(
        _ copy: IntakeCopy, _ facts: ImageFacts, _ name: String, _ data: AdjustmentData
    ) throws(IntakeError) -> AdjustmentDraft {
        let picture = try rename(
            copy.draft,
            to: "\(Self.stem(of: name))-\(Self.random).\(facts.mediaType.fileExtension ?? "bin")")
        do throws(IntakeError) {
            let draft = try store(data, in: copy.draft)
            do throws(Errno) {
                let file = try Descriptor.openForReading(picture.place)
                let state = FileState(try file.information())
                try copy.draft.folder.synchronize()
                return AdjustmentDraft(
                    picture: picture, data: draft, state: state, facts: facts,
                    format: data.format, version: data.version)
            } catch {
                store.finishNow([draft])
                throw IntakeError.storing(error)
            }
        } catch {
            store.finishNow([picture])
            throw error
        }
    }

    /// Gives a copy its name; it still is removed unless a change set takes it.
    private func rename(
        _ draft: ArrivalDraft, to name: String
    ) throws(IntakeError) -> ArrivalDraft {
        guard let name = FilePath.Component(name) else { throw .storing(.invalidArgument) }
        try note(name, in: draft.path)
        do throws(Errno) {
            try AtomicFile.rename(draft.place, toNew: draft.folder.ownPath.appending(name))
        } catch {
            store.discardNow(name, in: draft.folder)
            throw .storing(error)
        }
        store.finishNow([draft])
        let named = ArrivalDraft(
            folder: draft.folder, path: draft.path, hidden: name, lock: draft.lock)
        do throws(IntakeError) {
            // A service that looks for leftovers may have found no file yet, and forgotten it.
            try note(name, in: draft.path)
            return named
        } catch {
            store.finishNow([named])
            throw error
        }
    }

    private func store(
        _ data: AdjustmentData, in sibling: ArrivalDraft
    ) throws(IntakeError) -> ArrivalDraft {
        let (draft, target) = try makeDraft(in: sibling.folder, sibling.path, prefix: "data-")
        // A memory file cannot be empty.
        guard !data.data.isEmpty else { return draft }
        do {
            let source = try MemoryFile.make(named: "adjustment", holding: data.data)
            _ = try AtomicFile.fill(
                target, from: source, permissions: .ownerReadWrite, atMost: Int64(data.data.count)
            ) { false }
            return draft
        } catch {
            store.finishNow([draft])
            throw .storing((error as? Errno) ?? .ioError)
        }
    }

    /// The beginning of a name, short and without anything that means something in a path.
    private static func stem(of name: String) -> String {
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        var kept = ""
        for character in String(stem).printable where character != "/" {
            guard kept.utf8.count + character.utf8.count <= 100 else { break }
            kept.append(character)
        }
        return kept.isEmpty || kept.hasPrefix(".") ? "photo" : kept
    }

    private static var random: String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
