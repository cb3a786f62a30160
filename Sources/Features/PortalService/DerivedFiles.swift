// SPDX-License-Identifier: MIT

import Desktop
package import Files
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
        /// A place was written to the source meanwhile.
        case changed
    }

    /// How old a file may become before a delivery renews it, in seconds.
    ///
    /// Every app that has the file can see when that was, and that another app received it then.
    static let renewal: Int64 = 24 * 60 * 60
    /// The age at which a file is removed: thirty days after its last delivery, or up to a day later.
    static let lifetime = 30 * 24 * 60 * 60 + renewal
    let folder: FilePath
    let logger: Logger
    /// Held while a file is renewed, and while its age is compared and it is removed.
    let renewing = Renewing()

    final class Renewing: Sendable {
        let lock = Mutex(())
    }

    package static let standardFolder = UserFolders.cache.appending("photo-portal")
        .appending("derived")

    package init(folder: FilePath = DerivedFiles.standardFolder, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    // MARK: - Making

    /// A possible result of a derivation.
    struct Outcome {
        let isLocationRemoved: Bool
        let isConverted: Bool
    }

    /// Returns the derived file, from the cache if possible.
    ///
    /// What decoders of another version made is not used: these may find a location that those did
    /// not know.
    ///
    /// - Parameters:
    ///   - type: The media type of the source.
    ///   - copies: Whether a source that needs no change is copied.
    ///   - decoder: Sees this file alone.
    /// - Returns: Nil if the source needs no change.
    package func make(
        _ derivation: Derivation, of file: Descriptor, _ type: MediaType, copies: Bool = false,
        by decoder: DecoderSession
    ) async throws(Failure) -> Made? {
        let identity = await FileCalls.shared.run(on: Self.place(of: file)) { _ in
            Result { () throws(Errno) in try Self.identity(of: file) }
        }
        let recipe: String
        do throws(Errno) {
            guard let identity else { throw .canceled }
            recipe = "\(try identity.get()) \(decoder.revision) \(derivation.text)"
        } catch {
            throw .storing(error)
        }
        for outcome in Self.outcomes(of: derivation, copies: copies) {
            let path = path(recipe, outcome, derivation, type)
            let expectation = Expectation(derivation, type, outcome)
            if let made = await find(path, outcome, expectation, decoder) { return made }
        }
        var derived: DerivedFile?
        do throws(DecodeError) {
            derived = try await decoder.run(.derive(derivation), on: file)
        } catch {
            throw .decoding(error)
        }
        if derived == nil, copies { derived = try Self.unchanged() }
        guard let derived else { return nil }
        let outcome = Outcome(
            isLocationRemoved: derived.isLocationRemoved, isConverted: derived.isConverted)
        return try await keep(
            derived, of: file, at: path(recipe, outcome, derivation, type), outcome,
            as: Expectation(derivation, type, outcome), by: decoder)
    }

    /// What a file must be to be believed.
    struct Expectation {
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

    private static func outcomes(of derivation: Derivation, copies: Bool) -> [Outcome] {
        let changes = [(true, true), (false, true), (true, false)]
        return (changes + (copies ? [(false, false)] : [])).filter { removed, converted in
            (!removed || derivation.removesLocation)
                && (!converted || removed || derivation.picture != nil)
        }.map { Outcome(isLocationRemoved: $0, isConverted: $1) }
    }

    /// The source as it is; no part of it is replaced.
    private static func unchanged() throws(Failure) -> DerivedFile {
        do {
            return DerivedFile(
                file: try MemoryFile.make(named: "nothing", holding: [0]),
                isLocationRemoved: false, isConverted: false, parts: [])
        } catch {
            throw .storing(error as? Errno ?? .noMemory)
        }
    }

    /// Which calls the calls for an open file wait for.
    static func place(of file: Descriptor) -> FilePath { file.resolvedPath ?? "/" }

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
    func find(
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
                        let information = try file.information()
                        if Self.age(information) > Self.renewal { try file.touch() }
                        return information.linkCount > 0
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
}

extension Derivation {
    /// A text that identifies the derivation, stable across processes and versions.
    fileprivate var text: String {
        var words = ["1", "\(removesLocation)"] + (removesMetadata ? ["bare"] : [])
        if let picture {
            words += [
                picture.format.mediaType.rawValue, picture.clip?.description ?? "whole",
                "\(picture.size)", "\(picture.quality)",
                picture.maximumByteCount.map { "\($0)" } ?? "any", "\(picture.isStandard)",
            ]
            if picture.isRound { words.append("round") }
            if picture.rotation != .none {
                words += ["\(picture.rotation.turn)", "\(picture.rotation.hundredths)"]
            }
        }
        return words.joined(separator: " ")
    }
}
