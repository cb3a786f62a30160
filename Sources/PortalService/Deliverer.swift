// SPDX-License-Identifier: MIT

import Desktop
package import ImageWork
package import PhotoLibrary
import Photos
import Platform
import PortalInterface
import SystemPackage

/// Turns what a person chose into what the app gets, as the files are at that moment.
package struct Deliverer: Sendable {
    private let library: LibraryReader
    private let decoders: DecoderPool

    package init(library: LibraryReader, decoders: DecoderPool) {
        self.library = library
        self.decoders = decoders
    }

    /// Looks every item up again: nothing that a backend says is believed, and files change.
    ///
    /// - Returns: The items in the order of choice, and what could not be delivered.
    func deliver(_ items: [PickedItem], accepting filter: MediaFilter) async -> Delivery {
        let results = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, item) in items.enumerated() {
                group.addTask { (index, await deliver(item, filter)) }
            }
            return await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        var delivery = Delivery()
        for index in items.indices {
            switch results[index] {
            case .success(let item): delivery.items.append(item)
            case .failure(let failure): delivery.failures.append(failure)
            case nil: break
            }
        }
        return delivery
    }

    private enum Outcome: Sendable {
        case success(Delivery.Item)
        case failure(Delivery.Failure)
    }

    /// A file that was opened, with the name it was opened by.
    private struct Candidate {
        let path: FilePath
        let file: Descriptor
        let information: Stat
    }

    private func deliver(_ item: PickedItem, _ filter: MediaFilter) async -> Outcome {
        let id: String
        let paths: [FilePath]
        var asset: Asset?
        switch item.reference {
        case .asset(let assetID):
            id = assetID.description
            paths = (try? await library.paths(of: assetID)) ?? []
            asset = (try? await library.assets([assetID]))?.first
        case .uri(let uri):
            id = ""
            paths = FileURI.path(uri).map { [$0] } ?? []
        }
        func failure(_ code: Delivery.Failure.Code, _ message: String) -> Outcome {
            .failure(Delivery.Failure(id: id, code: code, message: message))
        }
        guard let found = paths.lazy.compactMap(candidate).first,
            let uri = FileURI.make(found.path)
        else { return failure(.notFound, "The file is gone or cannot be opened.") }
        guard
            case .facts(let facts) = await decoders.run(.probe, on: found.file, priority: .visible)
        else { return failure(.unreadable, "The file is not a picture that can be read.") }
        guard filter.accepts(facts.mediaType) else {
            return failure(.wrongType, "The file is \(facts.mediaType), which was not asked for.")
        }
        let taken =
            facts.taken?.secondsSince1970 ?? (asset?.hasCaptureDate == true ? asset?.date : nil)
        return .success(
            Delivery.Item(
                id: id, uri: uri, mediaType: facts.mediaType,
                name: found.path.lastComponent.map(FileURI.displayName) ?? "",
                size: facts.size ?? asset?.size,
                byteCount: UInt64(clamping: found.information.size), taken: taken,
                modified: found.information.modifiedSeconds, source: item.source))
    }

    /// Nil unless the path leads to a regular file that can be opened.
    private func candidate(_ path: FilePath) -> Candidate? {
        guard let file = try? Descriptor.openForReading(path),
            let information = try? file.information(), information.type == .regular
        else { return nil }
        return Candidate(path: path, file: file, information: information)
    }
}
