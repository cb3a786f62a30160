// SPDX-License-Identifier: MIT

import Desktop
import Files
package import ImageWork
package import PhotoLibrary
import Photos
import PortalInterface
import SDBus
import SystemPackage

/// Turns what a person chose into what the app gets, as the files are at that moment.
package struct Deliverer: Sendable {
    private let library: LibraryReader
    private let decoders: DecoderPool
    private let documents: DocumentPortal
    private let derived: DerivedFiles

    package init(
        library: LibraryReader, decoders: DecoderPool, documents: DocumentPortal,
        derived: DerivedFiles
    ) {
        self.library = library
        self.decoders = decoders
        self.documents = documents
        self.derived = derived
    }

    /// Looks every item up again: nothing that a backend says is believed, and files change.
    ///
    /// - Parameters:
    ///   - options: Which types were asked for, and how the files should be.
    ///   - recipient: An app in a sandbox gets documents, any other the files themselves.
    ///   - grants: What an app in a sandbox may do beyond reading the files now.
    /// - Returns: The items in the order of choice, and what could not be delivered.
    /// - Throws: ``DBusError`` when nothing can be delivered to this app.
    func deliver(
        _ items: [PickedItem], as options: PickOptions, to recipient: AppIdentity,
        granting grants: Grants
    ) async throws(DBusError) -> Delivery {
        var delivery = Delivery(grants: recipient.isSandboxed ? grants : nil)
        let order = Order(
            filter: options.mediaTypes, clip: options.clip, output: options.output,
            removesLocation: recipient.isSandboxed && !grants.contains(.location))
        // Each item is an open file for a while, and there is no limit to how many are chosen.
        for start in stride(from: 0, to: items.count, by: DocumentPortal.batch) {
            let batch = items[start..<min(start + DocumentPortal.batch, items.count)]
            var ready: [Ready] = []
            for outcome in try await prepare(batch, order) {
                switch outcome {
                case .success(let item): ready.append(item)
                case .failure(let failure): delivery.failures.append(failure)
                }
            }
            if recipient.isSandboxed {
                try await handOver(ready, recipient.appID, grants, &delivery)
            } else {
                for ready in ready { delivery.append(ready, at: ready.item.uri) }
            }
        }
        return delivery
    }

    // MARK: - What is delivered

    /// What was asked for, for each of the items.
    private struct Order: Sendable {
        let filter: MediaFilter
        let clip: ClipOptions
        let output: OutputOptions
        let removesLocation: Bool
    }

    /// An item that can be delivered, and its open file.
    fileprivate struct Ready: Sendable {
        var item: Delivery.Item
        let file: Descriptor
        /// The file that was made for it, if it is not the chosen one itself.
        var made: DerivedFiles.Made?
    }

    private enum Outcome: Sendable {
        case success(Ready)
        case failure(Delivery.Failure)
    }

    private func prepare(
        _ items: ArraySlice<PickedItem>, _ order: Order
    ) async throws(DBusError) -> [Outcome] {
        let known = try await locate(items)
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for index in items.indices {
                let item = items[index]
                let located = known[index]
                group.addTask { (index, await prepare(item, located, order)) }
            }
            return await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        return items.indices.compactMap { outcomes[$0] }
    }

    /// What the library knows of each item, by its place.
    ///
    /// - Throws: ``DBusError`` when the library cannot be read.
    private func locate(
        _ items: ArraySlice<PickedItem>
    ) async throws(DBusError) -> [Int: LocatedAsset] {
        let known: [AssetID: LocatedAsset]
        do {
            known = try await library.located(items.compactMap(\.assetID))
        } catch {
            throw .failed("The library cannot be read: \(error)")
        }
        var located: [Int: LocatedAsset] = [:]
        for index in items.indices {
            if let id = items[index].assetID { located[index] = known[id] }
        }
        return located
    }

    /// A file that was opened, with the name it was opened by.
    private struct Candidate {
        let path: FilePath
        let file: Descriptor
        let information: Stat
    }

    private func prepare(
        _ item: PickedItem, _ located: LocatedAsset?, _ order: Order
    ) async -> Outcome {
        let id: String
        let paths: [FilePath]
        switch item.reference {
        case .asset(let assetID):
            id = assetID.description
            paths = located?.paths ?? []
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
            // For the app it is the same, whatever the decoder has against the file.
            let facts = try? await decoders.run(.probe, on: found.file, priority: .visible)
        else { return failure(.unreadable, "The file is not a picture that can be read.") }
        guard order.filter.accepts(facts.mediaType) else {
            return failure(.wrongType, "The file is \(facts.mediaType), which was not asked for.")
        }
        let asset = located?.asset
        let taken =
            facts.taken?.secondsSince1970 ?? (asset?.hasCaptureDate == true ? asset?.date : nil)
        var delivered = Delivery.Item(
            id: id, uri: uri, mediaType: facts.mediaType,
            name: found.path.lastComponent.map(FileURI.displayName) ?? "",
            size: facts.size ?? asset?.size,
            byteCount: UInt64(clamping: found.information.size), taken: taken,
            modified: found.information.modifiedSeconds, source: item.source)
        do throws(DerivedFiles.Failure) {
            let clip = try Self.clip(of: facts, item.clip, order)
            delivered.clip = clip?.area
            delivered.isClipTouched = clip != nil && item.isClipTouched
            return .success(
                try await derive(
                    Ready(item: delivered, file: found.file), found, facts, clip, order))
        } catch {
            return failure(.unreadable, "The photo cannot be made what was asked for.")
        }
    }

    /// The part that is delivered; nil for the whole photo, and for videos.
    private static func clip(
        of facts: ImageFacts, _ chosen: PixelRectangle?, _ order: Order
    ) throws(DerivedFiles.Failure) -> Clip? {
        guard facts.mediaType.isImage, order.clip.mode != .none else { return nil }
        guard let size = facts.size else { throw .decoding(.damaged) }
        do {
            return try order.clip.clip(of: size, chosen: chosen)
        } catch {
            throw .decoding(.garbage)
        }
    }

    /// The item with the file that has to be made for it, if one has to.
    private func derive(
        _ ready: Ready, _ found: Candidate, _ facts: ImageFacts, _ clip: Clip?, _ order: Order
    ) async throws(DerivedFiles.Failure) -> Ready {
        guard
            let derivation = Derivation(
                of: facts, byteCount: ready.item.byteCount, options: order.output, clip: clip,
                removesLocation: order.removesLocation),
            let made = try await derived.make(derivation, of: found.file, facts.mediaType)
        else { return ready }
        // Never the chosen file in its place: it may have what was to be removed.
        guard let uri = FileURI.make(made.path) else { throw .decoding(.unreadable) }
        var item = ready.item
        item.uri = uri
        item.mediaType = made.facts.mediaType
        if made.isConverted { item.size = made.facts.size }
        item.byteCount = UInt64(clamping: made.file.byteCount ?? 0)
        item.name = item.name.withExtension(made.facts.mediaType.fileExtension)
        return Ready(item: item, file: made.file, made: made)
    }

    /// Nil unless the path leads to a regular file that can be opened.
    private func candidate(_ path: FilePath) -> Candidate? {
        do {
            let file = try Descriptor.openForReading(path)
            let information = try file.information()
            guard information.type == .regular else { return nil }
            return Candidate(path: path, file: file, information: information)
        } catch {
            // The app is told that the photo cannot be delivered; paths stay out of the log.
            return nil
        }
    }

    // MARK: - To a sandbox

    /// Replaces the URIs of files by those of documents; the path of a file never leaves.
    ///
    /// Files that we made belong to several apps: none of them may write.
    private func handOver(
        _ batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        guard let first = batch.first else { return }
        let grants = grants.subtracting(.location)
        guard grants.contains(.writable), batch.contains(where: { $0.made != nil }) else {
            return try await handOver(alike: batch, appID, grants, &delivery)
        }
        // In the order of choice: as long a run as has the same right.
        let isMade = first.made != nil
        let run = batch.prefix { ($0.made != nil) == isMade }.map(\.self)
        try await handOver(
            alike: run, appID, isMade ? grants.subtracting(.writable) : grants, &delivery)
        try await handOver(Array(batch.dropFirst(run.count)), appID, grants, &delivery)
    }

    private func handOver(
        alike batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        do {
            let uris = try await documents.add(
                batch.map(\.file), for: appID, granting: grants)
            for (ready, uri) in zip(batch, uris) {
                delivery.append(ready, at: uri)
            }
        } catch  where error.name.isFromPortal && batch.count > 1 {
            // One of them; only on its own does it say which.
            for ready in batch { try await handOver(alike: [ready], appID, grants, &delivery) }
        } catch  where error.name.isFromPortal {
            delivery.failures.append(
                Delivery.Failure(
                    id: batch[0].item.id, code: .unreadable,
                    message: "The file cannot be handed over."))
        }
    }
}

extension PickedItem {
    /// Which photo of the library it is; nil for a file from elsewhere.
    fileprivate var assetID: AssetID? {
        guard case .asset(let id) = reference else { return nil }
        return id
    }
}

extension String {
    /// A file's name with another extension; without one it stays.
    fileprivate func withExtension(_ new: String?) -> String {
        guard let new else { return self }
        let stem = lastIndex(of: ".").map { self[..<$0] } ?? self[...]
        return "\(stem.isEmpty ? self[...] : stem).\(new)"
    }
}

extension Delivery {
    /// Adds an item that the app finds at a URI, and what was done to it.
    fileprivate mutating func append(_ ready: Deliverer.Ready, at uri: String) {
        var item = ready.item
        item.uri = uri
        items.append(item)
        guard let made = ready.made else { return }
        if made.isLocationRemoved { withoutLocation.append(uri) }
        if made.isConverted { converted.append(uri) }
    }
}
