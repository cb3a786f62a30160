// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoCopies
import Photos
import SystemPackage

/// Finds out which of the chosen photos have a location, one after the other.
@UIActor
final class LocationFinder {
    var onFound: @UIActor (AssetID, Bool) -> Void = { _, _ in }

    private let library: LibrarySource
    private let copies: PhotoCopies
    private var examined: Set<AssetID> = []
    private var waiting: [AssetID] = []
    private var work: Task<Void, Never>?

    init(_ library: LibrarySource, _ copies: PhotoCopies) {
        self.library = library
        self.copies = copies
    }

    /// Examines what is chosen now and was not examined before.
    func examine(_ chosen: [AssetID]) {
        waiting = chosen.filter { !examined.contains($0) }
        guard !waiting.isEmpty, work == nil else { return }
        work = Task { await run() }
    }

    func stop() {
        work?.cancel()
    }

    private func run() async {
        while let next = waiting.first, !Task.isCancelled {
            waiting.removeFirst()
            examined.insert(next)
            // A photo that cannot be examined may have a location.
            let hasLocation: Bool
            if let path = await library.path(of: next) {
                hasLocation = (try? await copies.hasLocation(path)) ?? true
            } else {
                hasLocation = true
            }
            if !Task.isCancelled { onFound(next, hasLocation) }
        }
        work = nil
    }
}

extension LibrarySource {
    /// Makes copies without location.
    ///
    /// - Returns: Their URIs in order, or the number of photos of which none could be made.
    func copies(
        of items: [PickedItem], for owner: String, _ copies: PhotoCopies
    ) async -> Result<[String], LocationStays> {
        var uris: [String] = []
        var failures = 0
        for uri in await self.uris(of: items) {
            if Task.isCancelled { break }
            do throws(PhotoCopies.Failure) {
                guard let path = FileURI.path(uri) else { throw .storing(.noSuchFileOrDirectory) }
                let copy = try await copies.copy(path, for: owner)
                guard let made = FileURI.make(copy) else { throw .storing(.invalidArgument) }
                uris.append(made)
            } catch {
                failures += 1
            }
        }
        return failures > 0 ? .failure(LocationStays(count: failures)) : .success(uris)
    }
}

/// The location of some photos cannot be removed.
struct LocationStays: Error {
    let count: Int
}
