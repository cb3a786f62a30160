// SPDX-License-Identifier: MIT

import Desktop
import Files
import GtkKit
import PhotoLibrary
import Photos
import PickModel
import SystemPackage

/// Finds out what the window says of chosen photos: what each of them is, and its size.
///
/// A photo may have been chosen without ever being on the screen.
@UIActor
final class ChosenPhotos {
    /// Receives the sizes of original files in bytes, a part of the choice at a time.
    var onFound: @UIActor ([AssetID: Int64]) -> Void = { _ in }

    private let library: LibrarySource
    private var descriptions: [AssetID: String] = [:]
    /// The photos that the library does not know.
    private var unknown: Set<AssetID> = []
    private var reading: Task<Void, Never>?

    /// How many photos are looked up at a time, so that thumbnails need not wait for all of them.
    private static let mostAtATime = 500

    init(_ library: LibrarySource) {
        self.library = library
    }

    /// What a screen reader says of an item; nil while it is not known.
    func description(of item: PickedItem.Reference) -> String? {
        switch item {
        case .asset(let id): descriptions[id]
        case .uri(let uri):
            FileURI.path(uri)?.lastComponent.map { FileURI.displayName($0).printable }
        }
    }

    /// Looks up the chosen photos that are not known yet.
    func examine(_ pick: Pick) {
        guard reading == nil else { return }
        let wanted = pick.facts.unknown(of: pick.selection.assetIDs)
            .filter { !unknown.contains($0) }.prefix(Self.mostAtATime)
        guard !wanted.isEmpty else { return }
        reading = Task { [weak self, library] in
            let facts = await library.facts(of: Array(wanted))
            guard let self, !Task.isCancelled else { return }
            reading = nil
            unknown.formUnion(wanted.filter { facts[$0] == nil })
            descriptions.merge(facts.mapValues(\.description)) { $1 }
            // The next part follows from this.
            onFound(facts.mapValues(\.byteCount))
        }
    }

    func stop() { reading?.cancel() }
}

/// What the library knows of a chosen photo.
struct ChosenPhoto: Sendable {
    /// What a screen reader says of it.
    let description: String
    /// The size of its best file.
    let byteCount: Int64
}

extension LibrarySource {
    /// What is known of photos; unknown ones are left out.
    func facts(of ids: [AssetID]) async -> [AssetID: ChosenPhoto] {
        let versions = await versions(of: ids)
        var found: [AssetID: ChosenPhoto] = [:]
        for asset in await assets(ids) {
            guard let version = versions[asset.id] else { continue }
            var list = PhotoList()
            list.append(
                asset.id, size: asset.size ?? PixelSize(width: 0, height: 0), taken: asset.date,
                isVideo: asset.mediaType.isVideo)
            found[asset.id] = ChosenPhoto(
                description: list.description(at: 0), byteCount: version.byteCount)
        }
        return found
    }
}
