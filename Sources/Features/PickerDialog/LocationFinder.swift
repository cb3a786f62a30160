// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoCopies
import PhotoLibrary
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
    private var filters: [MediaFilter] = []
    private var work: Task<Void, Never>?

    init(_ library: LibrarySource, _ copies: PhotoCopies) {
        self.library = library
        self.copies = copies
    }

    /// Examines what is chosen now and was not examined before.
    ///
    /// - Parameter filters: See ``LibrarySource/files(of:acceptedBy:copying:onReady:)``.
    func examine(_ chosen: [AssetID], acceptedBy filters: [MediaFilter]) {
        if filters != self.filters {
            // Another file of a photo may be what the app gets.
            self.filters = filters
            examined = []
        }
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
            if let path = await library.located(next, acceptedBy: filters)?.paths.first {
                hasLocation = (try? await copies.hasLocation(path)) ?? true
            } else {
                hasLocation = true
            }
            if !Task.isCancelled { onFound(next, hasLocation) }
        }
        work = nil
    }
}
