// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
package import ImageWork
package import Photos
import Processes
package import SystemPackage

/// Copies of photos without their location, for apps that ask for files and know no portal for photos.
///
/// A copy has the name of its photo, because that is the name that the app shows and sends. It lies in a
/// folder of its own in the person's cache, below one for its owner, and lives as long as that owner,
/// one day at most; if the owner's bus has ended, or has no service, for a day.
package struct PhotoCopies: Sendable {
    /// Why there is no copy.
    package enum Failure: Error, Hashable, Sendable {
        case decoding(DecodeError)
        case storing(Errno)
        /// The photo is gone, or is not in the version that was shown.
        case changed
        /// A disk does not answer.
        case unreachable
    }

    /// How long a disk may take to answer.
    private static let patience = Duration.seconds(10)

    /// The longest that a copy is kept, in seconds.
    package static let lifetime: Int64 = 24 * 60 * 60

    private let folder: FilePath
    private let decoders: DecoderPool

    package init(
        folder: FilePath = PhotoCopies.standardFolder, decoders: DecoderPool
    ) {
        self.folder = folder
        self.decoders = decoders
    }

    package static var standardFolder: FilePath {
        UserFolders.cache.appending("photo-portal").appending("copies")
    }

    /// Where pictures lie that were pasted and are no files, in a folder for their owner; they are kept for a
    /// day.
    package static var pastedFolder: FilePath {
        UserFolders.cache.appending("photo-portal").appending("pasted")
    }

    // MARK: - Making

    /// Whether a file says where it was made.
    @concurrent
    package func hasLocation(_ path: FilePath) async throws(Failure) -> Bool {
        try await derive(path, nil, decoders.session(client: "copies")).derived != nil
    }

    /// Makes a copy without location.
    ///
    /// - Parameters:
    ///   - name: The name of the copy; nil for that of the photo's file.
    ///   - version: The only version of the photo that is copied; nil for any.
    ///   - owner: A name without slashes for whom it is made.
    /// - Returns: The path of the copy; that of the photo itself if it has no location.
    @concurrent
    package func copy(
        _ path: FilePath, named name: FilePath.Component? = nil, in version: FileVersion?,
        for owner: String
    ) async throws(Failure) -> FilePath {
        let decoder = decoders.session(client: "copies")
        let (opened, derived) = try await derive(path, version, decoder)
        guard let derived else { return path }
        guard let name = name ?? path.lastComponent, let owner = FilePath.Component(owner) else {
            throw .storing(.invalidArgument)
        }
        // A number that nobody guesses keeps photos of the same name apart.
        let place = folder.appending(owner)
            .appending(String(UInt64.random(in: .min ... .max), radix: 36))
        let copy = place.appending(name)
        // Large videos are copied from the photo's own disk.
        let stored = await FileCalls.shared.run(on: path) { cancellation in
            Result { () throws(Errno) in
                try Directory.make(place)
                try derived.write(
                    to: copy, of: opened.file, permissions: .ownerRead,
                    isCancelled: { cancellation.isRequested })
                // What was changed are parts of the file as it was.
                let isCurrent =
                    try FileVersion(of: opened.file) == FileVersion(opened.information)
                if !isCurrent { discard(place) }
                return isCurrent
            }
        }
        switch stored {
        case .success(true): break
        case .success(false): throw .changed
        case .failure(let error): throw .storing(error)
        case nil: throw .unreachable
        }
        do {
            let file = try await FileCalls.shared.open(copy)?.get().file
            guard let file, try await !decoder.findsNewPlace(in: file, of: derived) else {
                throw Failure.changed
            }
        } catch {
            _ = await FileCalls.shared.run(on: copy) { _ in discard(place) }
            throw .changed
        }
        return copy
    }

    /// Removes a copy that is not delivered.
    ///
    /// A network drive may keep its folder, which ``remove(of:olderThan:in:)`` finds later.
    private func discard(_ place: FilePath) {
        try? Directory.removeWithFiles(place)
    }

    /// Has a decoder that has seen no other photo look for a location: one that a photo has taken over
    /// could keep it in others, or say that there is none.
    private func derive(
        _ path: FilePath, _ version: FileVersion?, _ decoder: DecoderSession
    ) async throws(Failure) -> (opened: FileCalls.OpenFile, derived: DerivedFile?) {
        let opened: FileCalls.OpenFile
        switch await FileCalls.shared.open(path, within: Self.patience) {
        case .success(let file): opened = file
        case .failure: throw .changed
        case nil: throw .unreachable
        }
        guard version == nil || version == FileVersion(opened.information) else { throw .changed }
        do throws(DecodeError) {
            let job = Derivation(removesLocation: true)
            return (opened, try await decoder.run(.derive(job), on: opened.file))
        } catch {
            throw .decoding(error)
        }
    }
}

// MARK: - Removing

extension PhotoCopies {
    /// The owners for whom there are copies in a folder.
    ///
    /// - Isolation: any thread; reads the folder.
    package static func owners(in folder: FilePath = standardFolder) -> [String] {
        // The folder is made with the first copy.
        ((try? Directory.entries(of: folder)) ?? [])
            .filter { $0.information.type == .directory && !$0.isLink }.map(\.name.string)
    }

    /// Removes copies of an owner.
    ///
    /// - Parameter age: Only copies that are at least this many seconds old.
    /// - Throws: The first error, after all copies were tried.
    /// - Isolation: any thread; changes the folder.
    package static func remove(
        of owner: String, olderThan age: Int64 = 0, in folder: FilePath = standardFolder
    ) throws(Errno) {
        guard let owner = FilePath.Component(owner), owner.kind == .regular else { return }
        let now = FileClock.nowInSeconds
        let all = folder.appending(owner)
        let places = try Directory.listing(of: Descriptor.openFolder(all, followsLink: false))
        var failure: Errno?
        for place in places.entries where place.information.type == .directory && !place.isLink {
            guard now &- place.information.modifiedSeconds >= age else { continue }
            do throws(Errno) {
                try Directory.removeWithFiles(all.appending(place.name))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        // Not empty while newer copies remain.
        do { try Directory.remove(all) } catch  where error == .directoryNotEmpty {}
    }
}
