// SPDX-License-Identifier: MIT

import Desktop
import Files
package import ImageWork
package import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage

/// Turns the photos that a person chose into the files that the app receives.
package struct Deliverer: Sendable {
    private let library: LibraryReader
    private let decoders: DecoderPool
    private let documents: DocumentPortal
    private let derived: DerivedFiles
    private let roots: LibraryRoots

    /// - Parameter roots: The folders of the library; no link may lead out of them.
    package init(
        library: LibraryReader, roots: LibraryRoots, decoders: DecoderPool,
        documents: DocumentPortal, derived: DerivedFiles
    ) {
        self.library = library
        self.roots = roots
        self.decoders = decoders
        self.documents = documents
        self.derived = derived
    }

    /// Delivers the chosen items, after looking each of them up again: backends are not trusted,
    /// and files change.
    ///
    /// A file is delivered only in the version that the backend showed. It is opened once, compared,
    /// and compared again when everything has been made of it; an app outside a sandbox receives a
    /// path, which must then still lead to this version.
    ///
    /// - Parameters:
    ///   - options: The requested types and the form of the files.
    ///   - caller: A sandboxed app receives documents, any other app the files themselves.
    ///   - grants: What a sandboxed app may do beyond reading the files now.
    /// - Returns: The items in the order of choice, and those that could not be delivered.
    /// - Throws: ``DBusError`` if nothing can be delivered to this app.
    func deliver(
        _ items: [PickedItem], as options: PickOptions, to caller: Caller,
        granting grants: Grants
    ) async throws(DBusError) -> Delivery {
        let recipient = caller.identity
        var delivery = Delivery(grants: recipient.isSandboxed ? grants : nil)
        let order = Order(
            filter: options.mediaTypes, clip: options.clip, output: options.output,
            removesLocation: recipient.isSandboxed && !grants.contains(.location),
            client: "\(caller.party)")
        // The files themselves that are delivered, by URI.
        var originals: [String: Source] = [:]
        // In batches, because each item needs an open file and there may be any number of items.
        for start in stride(from: 0, to: items.count, by: DocumentPortal.batch) {
            let batch = items[start..<min(start + DocumentPortal.batch, items.count)]
            var ready: [Ready] = []
            for outcome in try await prepare(batch, order) {
                switch outcome {
                case .success(let item):
                    if await item.isCurrent() {
                        ready.append(item)
                    } else {
                        delivery.failures.append(.changed(item.item.id, item.name))
                    }
                case .failure(let failure): delivery.failures.append(failure)
                }
            }
            if recipient.isSandboxed {
                try await handOver(ready, recipient.appID, grants, &delivery)
            } else {
                for ready in ready {
                    delivery.append(ready, at: ready.item.uri)
                    if ready.made == nil { originals[ready.item.uri] = ready.source }
                }
            }
        }
        var changed: Set<String> = []
        for (uri, source) in originals where await !source.isAtPath() { changed.insert(uri) }
        delivery.withdraw { changed.contains($0.uri) }
        return delivery
    }

    /// How long a disk may take to answer.
    private static let patience = Duration.seconds(20)

    // MARK: - What is delivered

    /// The requested form of all items.
    private struct Order: Sendable {
        let filter: MediaFilter
        let clip: ClipOptions
        let output: OutputOptions
        let removesLocation: Bool
        /// Whose turn it is to have a decoder.
        let client: String
    }

    /// The version of a file that is delivered, and the path at which it was found.
    fileprivate struct Source: Sendable {
        let path: FilePath
        let version: FileVersion

        /// Whether the path still leads to this version; false if that cannot be found out.
        func isAtPath() async -> Bool {
            await FileCalls.shared.run(on: path, within: Deliverer.patience) { _ in isAtPathNow }
                ?? false
        }

        /// The same; blocks as long as the file system does.
        var isAtPathNow: Bool { (try? path.stat()).map { FileVersion($0) } == version }
    }

    /// An item that can be delivered, and its open file.
    fileprivate struct Ready: Sendable {
        var item: Delivery.Item
        let source: Source
        /// The chosen file.
        let original: Descriptor
        /// The derived file; nil if the chosen file itself is delivered.
        var made: DerivedFiles.Made?

        var file: Descriptor { made?.file ?? original }

        /// The name of the chosen file, for people.
        var name: String? { source.path.lastComponent.map(FileURI.displayName) }

        /// Whether the chosen file has not been changed or replaced since it was opened.
        func isCurrent() async -> Bool {
            await FileCalls.shared.run(on: source.path, within: Deliverer.patience) { _ in
                (try? FileVersion(of: original)) == source.version
                    && (made != nil || source.isAtPathNow)
            } ?? false
        }
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

    /// Looks the items up in the library.
    ///
    /// - Returns: The assets by the index of their item.
    /// - Throws: ``DBusError`` if the library cannot be read.
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

    /// An open file and the path by which it was opened.
    private struct Candidate {
        let path: FilePath
        let file: Descriptor
        let information: Stat
        let version: FileVersion
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
        let name = paths.first?.lastComponent.map(FileURI.displayName)
        func failure(_ code: Delivery.Failure.Code, _ problem: String) -> Outcome {
            .failure(Delivery.Failure(id, name, code, problem))
        }
        // One photo may have several files, of which the person saw one.
        var candidates: [Candidate] = []
        for path in paths {
            let found = await FileCalls.shared.run(on: path, within: Self.patience) { _ in
                candidate(path, isInLibrary: item.assetID != nil)
            }
            if let found = found ?? nil { candidates.append(found) }
        }
        let found = candidates.first { item.version == nil || $0.version == item.version }
        guard let found, let uri = FileURI.make(found.path) else {
            return candidates.isEmpty
                ? failure(.notFound, "is gone or cannot be opened")
                : .failure(.changed(id, name))
        }
        // No other photo can have spoilt what the app receives.
        let decoder = decoders.session(client: order.client)
        guard
            // For the app it is the same, whatever the decoder has against the file.
            let facts = try? await decoder.run(.probe, on: found.file)
        else { return failure(.unreadable, "is not a picture that can be read") }
        guard order.filter.accepts(facts.mediaType) else {
            return failure(.wrongType, "is \(facts.mediaType), which was not asked for")
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
            let ready = Ready(
                item: delivered, source: Source(path: found.path, version: found.version),
                original: found.file)
            return .success(try await derive(ready, found, facts, clip, order, decoder))
        } catch {
            switch error {
            case .decoding(.locationStays):
                return failure(.location, "tells a place that cannot be removed")
            case .storing(let reason) where reason.isLackOfSpace:
                return failure(
                    .noSpace, "cannot be prepared, because there is not enough space on the disk")
            case .decoding(let reason):
                guard let version = reason.neededVersion else { break }
                return failure(
                    .unreadable, "cannot be decoded here; \(version) or later may be able to")
            case .storing: break
            }
            return failure(.unreadable, "cannot be converted as requested")
        }
    }

    /// The part to deliver; nil for the whole photo and for videos.
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

    /// Makes the derived file of an item, if it needs one.
    private func derive(
        _ ready: Ready, _ found: Candidate, _ facts: ImageFacts, _ clip: Clip?,
        _ order: Order, _ decoder: DecoderSession
    ) async throws(DerivedFiles.Failure) -> Ready {
        guard
            let derivation = Derivation(
                of: facts, byteCount: ready.item.byteCount, options: order.output, clip: clip,
                removesLocation: order.removesLocation),
            let made = try await derived.make(
                derivation, of: found.file, facts.mediaType, by: decoder)
        else { return ready }
        // The chosen file must not take its place: it may contain what had to be removed.
        guard let uri = FileURI.make(made.path) else { throw .decoding(.unreadable) }
        var item = ready.item
        item.uri = uri
        item.mediaType = made.facts.mediaType
        if made.isConverted { item.size = made.facts.size }
        item.byteCount = UInt64(clamping: made.file.byteCount ?? 0)
        item.name = item.name.withExtension(made.facts.mediaType.fileExtension)
        return Ready(item: item, source: ready.source, original: ready.original, made: made)
    }

    /// Opens a file; nil if it cannot be opened, is not a regular file, or is out of bounds.
    ///
    /// - Isolation: blocks as long as the file system does.
    private func candidate(_ path: FilePath, isInLibrary: Bool) -> Candidate? {
        do {
            let file =
                isInLibrary
                ? try LibraryBounds.open(path, in: roots) : try Descriptor.openForReading(path)
            FileCalls.shared.closeHere(file, of: path)
            let information = try file.information()
            guard information.type == .regular else { return nil }
            return Candidate(
                path: path, file: file, information: information,
                version: FileVersion(information))
        } catch {
            // Not logged, because the error names the path; the app gets an error for this photo.
            return nil
        }
    }

    // MARK: - To a sandbox

    /// Delivers documents in place of files; a sandboxed app never learns the path of a file.
    ///
    /// Several apps share derived files, so none of them may write to one.
    private func handOver(
        _ batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        guard let first = batch.first else { return }
        let grants = grants.subtracting(.location)
        guard grants.contains(.writable), batch.contains(where: { $0.made != nil }) else {
            return try await handOver(alike: batch, appID, grants, &delivery)
        }
        // Keep the order of choice: take the longest prefix with the same permissions.
        let isMade = first.made != nil
        let run = batch.prefix { ($0.made != nil) == isMade }.map(\.self)
        try await handOver(
            alike: run, appID, isMade ? grants.subtracting(.writable) : grants, &delivery)
        try await handOver(Array(batch.dropFirst(run.count)), appID, grants, &delivery)
    }

    private func handOver(
        alike batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        guard !batch.isEmpty else { return }
        do {
            let uris = try await documents.add(
                batch.map(\.file), for: appID, granting: grants)
            for (ready, uri) in zip(batch, uris) {
                delivery.append(ready, at: uri)
            }
        } catch {
            // The portal looks up the names of the files, which another program can take away.
            var current: [Ready] = []
            for ready in batch where await ready.isCurrent() { current.append(ready) }
            if current.count < batch.count {
                for ready in batch
                where !current.contains(where: { $0.original == ready.original }) {
                    delivery.failures.append(.changed(ready.item.id, ready.name))
                }
                return try await handOver(alike: current, appID, grants, &delivery)
            }
            guard error.name.isFromPortal else { throw error }
            guard batch.count == 1 else {
                // Only calls with a single file show which one was refused.
                for ready in batch { try await handOver(alike: [ready], appID, grants, &delivery) }
                return
            }
            delivery.failures.append(
                Delivery.Failure(
                    batch[0].item.id, batch[0].name, .unreadable, "cannot be delivered"))
        }
    }
}

extension PickedItem {
    /// The photo in the library; nil for a file from elsewhere.
    fileprivate var assetID: AssetID? {
        guard case .asset(let id) = reference else { return nil }
        return id
    }
}

extension String {
    /// The file name with another extension; unchanged if `new` is nil.
    fileprivate func withExtension(_ new: String?) -> String {
        guard let new else { return self }
        let stem = lastIndex(of: ".").map { self[..<$0] } ?? self[...]
        return "\(stem.isEmpty ? self[...] : stem).\(new)"
    }
}

extension Delivery.Failure {
    /// A failure with a message that begins with the file's name, the only one that people know.
    fileprivate init(_ id: String, _ name: String?, _ code: Code, _ problem: String) {
        self.init(
            id: id, code: code, message: "\(name.map { "“\($0)”" } ?? "A photo") \(problem).")
    }

    /// The failure of a photo that is no longer the one that the person saw.
    fileprivate static func changed(_ id: String, _ name: String?) -> Self {
        Self(id, name, .changed, "has been changed or replaced since it was chosen")
    }
}

extension Delivery {
    /// Takes items back that must not be delivered after all.
    fileprivate mutating func withdraw(where isStale: (Item) -> Bool) {
        failures += items.filter(isStale).map { .changed($0.id, $0.name) }
        items.removeAll(where: isStale)
    }

    /// Adds an item with the URI at which the app finds it, and records what was changed.
    fileprivate mutating func append(_ ready: Deliverer.Ready, at uri: String) {
        var item = ready.item
        item.uri = uri
        items.append(item)
        guard let made = ready.made else { return }
        if made.isLocationRemoved { withoutLocation.append(uri) }
        if made.isConverted { converted.append(uri) }
    }
}
