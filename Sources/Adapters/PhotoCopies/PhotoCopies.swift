// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
package import ImageWork
import Photos
package import SystemPackage

/// Copies of photos without their location, for apps that ask for files and know no portal for photos.
///
/// A copy has the name of its photo, because that is the name that the app shows and sends. It lies in a
/// folder of its own in the person's cache, below one for its owner, and lives as long as that owner,
/// one day at most.
package struct PhotoCopies: Sendable {
    /// Why there is no copy.
    package enum Failure: Error, Hashable, Sendable {
        case decoding(DecodeError)
        case storing(Errno)
    }

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

    // MARK: - Making

    /// Whether a file says where it was made.
    @concurrent
    package func hasLocation(_ path: FilePath) async throws(Failure) -> Bool {
        try await derive(path, .background).derived != nil
    }

    /// Makes a copy without location.
    ///
    /// - Parameter owner: A name without slashes for whom it is made.
    /// - Returns: The path of the copy; that of the photo itself if it has no location.
    @concurrent
    package func copy(_ path: FilePath, for owner: String) async throws(Failure) -> FilePath {
        let (file, derived) = try await derive(path, .visible)
        guard let derived else { return path }
        guard let name = path.lastComponent, let owner = FilePath.Component(owner) else {
            throw .storing(.invalidArgument)
        }
        do throws(Errno) {
            // A number that nobody guesses keeps photos of the same name apart.
            let place = folder.appending(owner)
                .appending(String(UInt64.random(in: .min ... .max), radix: 36))
            try Directory.make(place)
            let copy = place.appending(name)
            try derived.write(to: copy, of: file, permissions: .ownerRead)
            return copy
        } catch {
            throw .storing(error)
        }
    }

    private func derive(
        _ path: FilePath, _ priority: DecoderPool.Priority
    ) async throws(Failure) -> (file: Descriptor, derived: DerivedFile?) {
        let file: Descriptor
        do throws(Errno) {
            file = try Descriptor.openForReading(path)
        } catch {
            throw .storing(error)
        }
        do throws(DecodeError) {
            let job = Derivation(removesLocation: true)
            return (file, try await decoders.run(.derive(job), on: file, priority: priority))
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
        ((try? Directory.entries(of: folder)) ?? []).map(\.name.string)
    }

    /// Removes copies of an owner.
    ///
    /// - Parameter age: Only copies that are at least this many seconds old.
    /// - Isolation: any thread; changes the folder.
    package static func remove(
        of owner: String, olderThan age: Int64 = 0, in folder: FilePath = standardFolder
    ) throws(Errno) {
        guard let owner = FilePath.Component(owner), owner.kind == .regular else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let all = folder.appending(owner)
        for place in try Directory.entries(of: all)
        where Int64(now.tv_sec) - place.information.modifiedSeconds >= age {
            let inner = all.appending(place.name)
            for copy in try Directory.entries(of: inner) {
                try AtomicFile.remove(inner.appending(copy.name))
            }
            try Directory.remove(inner)
        }
        // Not empty while newer copies remain.
        do { try Directory.remove(all) } catch  where error == .directoryNotEmpty {}
    }
}
