// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Logging
import Photos
import Processes
import SystemPackage

extension DerivedFiles {
    /// Stores a new file, which gets its name only if it is what was asked for.
    func keep(
        _ derived: DerivedFile, of source: Descriptor, at path: FilePath, _ outcome: Outcome,
        as expectation: Expectation, by decoder: DecoderSession
    ) async throws(Failure) -> Made {
        let temporary = folder.appending(".new-\(UInt64.random(in: .min ... .max))")
        // A large file is copied; whoever closes the request does not wait for that.
        let stored = await FileCalls.shared.run(on: Self.place(of: source)) { cancellation in
            Result { () throws(Errno) in
                try store(derived, of: source, at: temporary) { cancellation.isRequested }
                // Nobody waits for it any more, and nobody else knows its name.
                if cancellation.isRequested {
                    try AtomicFile.remove(temporary)
                    throw .canceled
                }
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
        let isChanged: Bool
        do throws(DecodeError) {
            isChanged = try await decoder.findsNewPlace(in: made.file, of: derived)
        } catch {
            await remove(temporary)
            throw .decoding(error)
        }
        guard !isChanged else {
            await remove(temporary)
            throw .changed
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
}
