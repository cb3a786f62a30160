// SPDX-License-Identifier: MIT

import Desktop
package import Files
import Glibc
package import ImageWork
package import Logging
package import Photos
import Processes
import Synchronization
package import SystemPackage

/// Files that are derived from photos for apps.
///
/// Each is made once, shared by all apps, and kept for a while.
///
/// The name encodes the source and the derivation, so that a file is found by opening it. The files
/// are read-only.
package struct DerivedFiles: Sendable {
    /// A derived file, new or from the cache.
    package struct Made: Sendable {
        let path: FilePath
        let file: Descriptor
        let facts: ImageFacts
        let isLocationRemoved: Bool
        let isConverted: Bool
    }

    /// Why there is no file.
    package enum Failure: Error, Sendable {
        case decoding(DecodeError)
        case storing(Errno)
    }

    /// The shortest time that a file is kept after its last delivery, in seconds.
    private static let lifetime: Int64 = 30 * 24 * 60 * 60
    private let folder: FilePath
    private let logger: Logger
    /// Held while a file is renewed, and while its age is compared and it is removed.
    private let renewing = Renewing()

    private final class Renewing: Sendable {
        let lock = Mutex(())
    }

    package init(
        folder: FilePath = UserFolders.cache.appending("photo-portal").appending("derived"),
        logger: Logger
    ) {
        self.folder = folder
        self.logger = logger
    }

    // MARK: - Making

    /// A possible result of a derivation.
    private struct Outcome {
        let isLocationRemoved: Bool
        let isConverted: Bool
    }

    /// Returns the derived file, from the cache if possible.
    ///
    /// - Parameters:
    ///   - type: The media type of the source.
    ///   - decoder: Sees this file alone.
    /// - Returns: Nil if the source needs no change.
    package func make(
        _ derivation: Derivation, of file: Descriptor, _ type: MediaType,
        by decoder: DecoderSession
    ) async throws(Failure) -> Made? {
        let identity = await FileCalls.shared.run(on: Self.place(of: file)) { _ in
            Result { () throws(Errno) in try Self.identity(of: file) }
        }
        let recipe: String
        do throws(Errno) {
            guard let identity else { throw .canceled }
            recipe = "\(try identity.get()) \(derivation.text)"
        } catch {
            throw .storing(error)
        }
        for outcome in Self.outcomes(of: derivation) {
            let path = path(recipe, outcome, derivation, type)
            let expectation = Expectation(derivation, type, outcome)
            if let made = await find(path, outcome, expectation, decoder) { return made }
        }
        let derived: DerivedFile?
        do throws(DecodeError) {
            derived = try await decoder.run(.derive(derivation), on: file)
        } catch {
            throw .decoding(error)
        }
        guard let derived else { return nil }
        let outcome = Outcome(
            isLocationRemoved: derived.isLocationRemoved, isConverted: derived.isConverted)
        return try await keep(
            derived, of: file, at: path(recipe, outcome, derivation, type), outcome,
            as: Expectation(derivation, type, outcome), by: decoder)
    }

    /// What a file must be to be believed.
    private struct Expectation {
        let type: MediaType
        /// The largest size; nil if the picture is that of the source.
        let size: PixelSize?

        init(_ derivation: Derivation, _ type: MediaType, _ outcome: Outcome) {
            let picture = outcome.isConverted ? derivation.picture : nil
            self.type = picture?.format.mediaType ?? type
            size = picture?.size
        }

        func isMet(by facts: ImageFacts) -> Bool {
            guard facts.mediaType == type, let size else { return facts.mediaType == type }
            guard let made = facts.size else { return false }
            return made.width <= size.width && made.height <= size.height
        }
    }

    private static func outcomes(of derivation: Derivation) -> [Outcome] {
        [(true, true), (false, true), (true, false)].filter { isLocationRemoved, isConverted in
            (!isLocationRemoved || derivation.removesLocation)
                && (!isConverted || isLocationRemoved || derivation.picture != nil)
        }.map { Outcome(isLocationRemoved: $0, isConverted: $1) }
    }

    /// Which calls the calls for an open file wait for.
    private static func place(of file: Descriptor) -> FilePath { file.resolvedPath ?? "/" }

    /// Identifies this version of a file, even after it is moved.
    private static func identity(of file: Descriptor) throws(Errno) -> String {
        let version = try FileVersion(of: file)
        return "\(version.device) \(version.inode) \(version.byteCount) \(version.modified) "
            + "\(version.changed)"
    }

    private func path(
        _ recipe: String, _ outcome: Outcome, _ derivation: Derivation, _ type: MediaType
    ) -> FilePath {
        let name = Digest.md5Hex("\(recipe) \(outcome.isLocationRemoved) \(outcome.isConverted)")
        let converted = outcome.isConverted ? derivation.picture?.format.mediaType : nil
        return folder.appending("\(name).\((converted ?? type).fileExtension ?? "bin")")
    }

    /// Opens a file in the cache and renews its lifetime; nil if there is none.
    private func find(
        _ path: FilePath, _ outcome: Outcome, _ expectation: Expectation,
        _ decoder: DecoderSession
    ) async -> Made? {
        do {
            guard let file = try await FileCalls.shared.open(path)?.get().file else { return nil }
            let facts = try await decoder.run(.probe, on: file)
            guard expectation.isMet(by: facts) else { throw DecodeError.garbage }
            let isStillThere = try await FileCalls.shared.run(on: path) { [renewing] _ in
                Result { () throws(Errno) in
                    try renewing.lock.withLock { _ throws(Errno) in
                        try file.touch()
                        return try file.information().linkCount > 0
                    }
                }
            }?.get()
            // It may have been removed because it was old.
            guard isStillThere == true else { return nil }
            return Made(
                path: path, file: file, facts: facts,
                isLocationRemoved: outcome.isLocationRemoved, isConverted: outcome.isConverted)
        } catch {
            // A file that cannot be used is made again.
            if error as? Errno != .noSuchFileOrDirectory {
                logger.notice("A cached file cannot be used.", metadata: ["error": "\(error)"])
            }
            return nil
        }
    }

    /// Stores a new file, which gets its name only if it is what was asked for.
    private func keep(
        _ derived: DerivedFile, of source: Descriptor, at path: FilePath, _ outcome: Outcome,
        as expectation: Expectation, by decoder: DecoderSession
    ) async throws(Failure) -> Made {
        let temporary = folder.appending(".new-\(UInt64.random(in: .min ... .max))")
        // A large file is copied; whoever closes the request does not wait for that.
        let stored = await FileCalls.shared.run(on: Self.place(of: source)) { cancellation in
            Result { () throws(Errno) in
                try store(derived, of: source, at: temporary) { cancellation.isRequested }
            }
        }
        do throws(Errno) {
            guard let stored else { throw .canceled }
            try stored.get()
        } catch {
            guard error != .canceled else { throw .storing(error) }
            logger.error("A derived file cannot be stored.", metadata: ["error": "\(error)"])
            throw .storing(error)
        }
        guard let made = await find(temporary, outcome, expectation, decoder) else {
            await remove(temporary)
            throw .decoding(.garbage)
        }
        do throws(Errno) {
            try await rename(temporary, toNew: path)
        } catch {
            // Another request has made the same file meanwhile, and an app may have received it.
            if error == .fileExists, let other = await find(path, outcome, expectation, decoder) {
                await remove(temporary)
                return other
            }
            try await replace(path, with: temporary)
        }
        return Made(
            path: path, file: made.file, facts: made.facts,
            isLocationRemoved: made.isLocationRemoved, isConverted: made.isConverted)
    }

    private func rename(_ temporary: FilePath, toNew path: FilePath) async throws(Errno) {
        let renamed = await FileCalls.shared.run(on: path) { _ in
            Result { () throws(Errno) in try AtomicFile.rename(temporary, toNew: path) }
        }
        guard let renamed else { throw .canceled }
        try renamed.get()
    }

    /// Replaces a file that cannot be used.
    private func replace(_ path: FilePath, with temporary: FilePath) async throws(Failure) {
        let renamed = await FileCalls.shared.run(on: path) { _ in
            Result { () throws(Errno) in try AtomicFile.rename(temporary, to: path) }
        }
        do throws(Errno) {
            guard let renamed else { throw .canceled }
            try renamed.get()
        } catch {
            await remove(temporary)
            throw .storing(error)
        }
    }

    private func store(
        _ derived: DerivedFile, of file: Descriptor, at path: FilePath,
        _ isCancelled: () -> Bool
    ) throws(Errno) {
        do {
            try derived.write(
                to: path, of: file, permissions: .ownerRead, isCancelled: isCancelled)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            try Directory.make(folder)
            try derived.write(
                to: path, of: file, permissions: .ownerRead, isCancelled: isCancelled)
        }
    }

    // MARK: - Removing

    /// Removes files that have not been delivered for 30 days, and those that were never finished.
    ///
    /// - Parameter documents: Files that it still has documents for are kept: an app may have
    ///   lasting access to them.
    package func sweep(askingAlso documents: DocumentPortal) async {
        let old = await FileCalls.shared.run(on: folder.appending("any")) { _ in oldFiles() }
        for path in old ?? [] {
            guard await !documents.holds(path), !Task.isCancelled else { continue }
            _ = await FileCalls.shared.run(on: path) { _ in removeIfOld(path) }
        }
    }

    private func oldFiles() -> [FilePath] {
        entries().filter { entry in
            entry.information.type == .regular && Self.isOld(entry.name, entry.information)
        }.map { folder.appending($0.name) }
    }

    private func removeIfOld(_ path: FilePath) {
        do {
            try renewing.lock.withLock { _ throws(Errno) in
                // It may have been delivered again in the meantime.
                guard let name = path.lastComponent, Self.isOld(name, try path.stat())
                else { return }
                try AtomicFile.remove(path)
            }
        } catch {
            logger.warning("An old file cannot be removed.", metadata: ["error": "\(error)"])
        }
    }

    /// Removes a file that got no name, even if the task was cancelled.
    private func remove(_ path: FilePath) async {
        await Task {
            _ = await FileCalls.shared.run(on: path, within: .seconds(5)) { _ in
                do {
                    try AtomicFile.remove(path)
                } catch {
                    logger.warning("A file cannot be removed.", metadata: ["error": "\(error)"])
                }
            }
        }.value
    }

    private static func isOld(_ name: FilePath.Component, _ information: Stat) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // Those that are still being written are hidden.
        let isFinished = !name.string.hasPrefix(".")
        let limit = isFinished ? lifetime : AtomicFile.patience
        return Int64(now.tv_sec) - information.modifiedSeconds > limit
    }

    private func entries() -> [Directory.Entry] {
        do {
            return try Directory.entries(of: folder)
        } catch {
            // The folder is created with the first file.
            if error != .noSuchFileOrDirectory {
                logger.warning(
                    "The folder of derived files cannot be read.", metadata: ["error": "\(error)"])
            }
            return []
        }
    }
}

extension Derivation {
    /// A text that identifies the derivation, stable across processes and versions.
    fileprivate var text: String {
        var words = ["1", "\(removesLocation)"]
        if let picture {
            words += [
                picture.format.mediaType.rawValue, picture.clip?.description ?? "whole",
                "\(picture.size)", "\(picture.quality)",
                picture.maximumByteCount.map { "\($0)" } ?? "any", "\(picture.isStandard)",
            ]
        }
        return words.joined(separator: " ")
    }
}
