// SPDX-License-Identifier: MIT

import Desktop
package import ImageWork
package import PhotoLibrary
import Photos
import PortalInterface
import SDBus

/// Turns the photos that a person chose into the files that the app receives.
package struct Deliverer: Sendable {
    let library: LibraryReader
    let decoders: DecoderPool
    let documents: DocumentPortal
    /// Where files are put that have to be made.
    var derived: DerivedFiles
    let roots: LibraryRoots

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
    ///   - version: Which version of photos of the library is delivered.
    ///   - choice: Which file of photos of the library is delivered; nil for the one that the requested
    ///     types decide.
    ///   - options: The requested types, and the form of the files.
    ///   - caller: A sandboxed app receives documents, any other app the files themselves.
    ///   - grants: What the app may do beyond reading the files now; outside a sandbox, only whether it is
    ///     told where they were taken.
    ///   - progress: Called with the number of items that are ready or have failed.
    /// - Returns: The items in the order of choice, and those that could not be delivered.
    /// - Throws: ``DBusError`` if nothing can be delivered to this app.
    func deliver(
        _ items: [PickedItem], _ version: AssetVersion = .current,
        _ choice: ResourceChoice? = nil, as options: PickOptions, to caller: Caller,
        granting grants: Grants,
        progress: (Int) async -> Void = { _ in }
    ) async throws(DBusError) -> Delivery {
        let recipient = caller.identity
        var delivery = Delivery(grants: recipient.isSandboxed ? grants : nil)
        let order = Order(
            filter: options.mediaTypes, wanted: options.filter,
            facts: try await facts(of: items, options.filter), clip: options.clip,
            output: options.output, thumbnailSide: options.thumbnailSide,
            hasPreview: options.wantsPreview,
            tellsLocation: grants.contains(.location),
            removesLocation: recipient.isSandboxed && !grants.contains(.location),
            isKept: grants.contains(.persistent) && !grants.contains(.writable),
            deliversPaths: !recipient.isSandboxed, client: caller.party.description)
        // The files themselves that are delivered, by URI.
        var originals: [String: Source] = [:]
        // In batches, because each item needs an open file and there may be any number of items.
        let size = recipient.isSandboxed ? DocumentPortal.batch : Self.batch
        for start in stride(from: 0, to: items.count, by: size) {
            if start > 0 { await progress(start) }
            let batch = items[start..<min(start + size, items.count)]
            let ready = await prepare(
                batch, order, try await lookUp(batch, version, choice, order.filter), &delivery)
            if recipient.isSandboxed {
                try await handOver(ready, recipient.appID, grants, &delivery)
            } else {
                for ready in ready {
                    delivery.append(ready, at: ready.item.uri) { FileURI.make($0.path) }
                    if ready.made == nil { originals[ready.item.uri] = ready.source }
                }
            }
        }
        let changed = await Self.changed(originals)
        if !changed.isEmpty { delivery.withdraw { changed.contains($0.uri) } }
        if recipient.isSandboxed { await documents.settle() }
        return delivery
    }

    /// How many files are open at a time, where the document portal does not limit it.
    private static let batch = 64

    /// How long a disk may take to answer.
    static let patience = Duration.seconds(20)

    // MARK: - What is delivered

    /// The requested form of all items.
    struct Order: Sendable {
        let filter: MediaFilter
        let wanted: PhotoFilter
        /// What is known of the photos of the library, if the app has rules for them.
        let facts: [AssetID: PhotoFacts]
        let clip: ClipOptions
        let output: OutputOptions
        let thumbnailSide: Int?
        let hasPreview: Bool
        /// Whether the app is told where the photos were taken.
        let tellsLocation: Bool
        let removesLocation: Bool
        /// Whether the app can read what it receives for good, and cannot change it.
        let isKept: Bool
        /// Whether the app receives the paths of files, which are looked at once more at the end.
        let deliversPaths: Bool
        /// Whose turn it is to have a decoder.
        let client: String
    }

    enum Outcome: Sendable {
        case success(Ready)
        case failure(Delivery.Failure)
    }

    /// Prepares the items, and looks again whether their files are the ones that were opened.
    private func prepare(
        _ items: ArraySlice<PickedItem>, _ order: Order, _ known: [Int: Known],
        _ delivery: inout Delivery
    ) async -> [Ready] {
        let outcomes = await items.indices.concurrentMap { index in
            await prepare(items[index], known[index], order)
        }
        let areCurrent = await outcomes.concurrentMap { outcome in
            guard case .success(let ready) = outcome else { return false }
            if order.deliversPaths, ready.made == nil { return true }
            return await ready.isCurrent()
        }
        var ready: [Ready] = []
        for (outcome, isCurrent) in zip(outcomes, areCurrent) {
            switch outcome {
            case .success(let item) where isCurrent: ready.append(item)
            case .success(let item):
                delivery.failures.append(.changed(item.item.id, item.name))
            case .failure(let failure): delivery.failures.append(failure)
            }
        }
        return ready
    }

    /// The URIs among these that no longer lead to the version that is delivered.
    private static func changed(_ originals: [String: Source]) async -> Set<String> {
        var changed: Set<String> = []
        var rest = Array(originals)[...]
        while !rest.isEmpty {
            let next = rest.prefix(batch)
            rest = rest.dropFirst(batch)
            let areThere = await next.concurrentMap { await $0.value.isAtPath() }
            for (original, isThere) in zip(next, areThere) where !isThere {
                changed.insert(original.key)
            }
        }
        return changed
    }

    /// Looks up what the app's rules compare; nothing if it has no rules.
    private func facts(
        of items: [PickedItem], _ wanted: PhotoFilter
    ) async throws(DBusError) -> [AssetID: PhotoFacts] {
        guard !wanted.isEmpty else { return [:] }
        do {
            return try await library.facts(of: items.compactMap(\.assetID))
        } catch {
            throw .failed("The library cannot be read: \(error)")
        }
    }

    /// What the library knows of a photo that was chosen.
    struct Known: Sendable {
        let located: LocatedAsset
        let remarks: PhotoRemarks?
    }

    /// Looks the items up in the library.
    ///
    /// - Returns: What it knows by the index of the item.
    /// - Throws: ``DBusError`` if the library cannot be read.
    private func lookUp(
        _ items: ArraySlice<PickedItem>, _ version: AssetVersion, _ choice: ResourceChoice?,
        _ filter: MediaFilter
    ) async throws(DBusError) -> [Int: Known] {
        let ids = items.compactMap(\.assetID)
        let located: [AssetID: LocatedAsset]
        let remarks: [AssetID: PhotoRemarks]
        do {
            located =
                if let choice {
                    try await library.located(ids, version, choice)
                } else {
                    try await library.located(ids, version, acceptedBy: [filter])
                }
            remarks = try await library.remarks(of: ids)
        } catch {
            throw .failed("The library cannot be read: \(error)")
        }
        var known: [Int: Known] = [:]
        for index in items.indices {
            guard let id = items[index].assetID, let asset = located[id] else { continue }
            known[index] = Known(located: asset, remarks: remarks[id])
        }
        return known
    }
}

extension Collection where Self: Sendable, Element: Sendable {
    /// The results of a function for all elements, which is called for all at the same time.
    fileprivate func concurrentMap<Value: Sendable>(
        _ body: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        if let first, count == 1 { return [await body(first)] }
        return await withTaskGroup(of: (Int, Value).self) { group in
            for (index, element) in enumerated() {
                group.addTask { (index, await body(element)) }
            }
            let results = await group.reduce(into: [Int: Value]()) { $0[$1.0] = $1.1 }
            return (0..<count).compactMap { results[$0] }
        }
    }
}

extension PickedItem {
    /// The photo in the library; nil for a file from elsewhere.
    var assetID: AssetID? {
        guard case .asset(let id) = reference else { return nil }
        return id
    }
}

extension Delivery {
    /// Takes items back that must not be delivered after all.
    fileprivate mutating func withdraw(where isStale: (Item) -> Bool) {
        failures += items.filter(isStale).map { .changed($0.id, $0.name) }
        items.removeAll(where: isStale)
    }

    /// Adds an item with the URI at which the app finds it, and records what was changed.
    ///
    /// - Parameter find: The URI at which the app finds a small picture; nil if it cannot.
    mutating func append(
        _ ready: Deliverer.Ready, at uri: String, _ find: (DerivedFiles.Made) -> String?
    ) {
        func found(_ picture: Deliverer.SmallPicture?) -> String? {
            switch picture {
            case .delivered: uri
            case .made(let made): find(made)
            case nil: nil
            }
        }
        var item = ready.item
        item.uri = uri
        item.thumbnail = found(ready.thumbnail)
        item.preview = found(ready.preview)
        items.append(item)
        guard let made = ready.made else { return }
        if made.isLocationRemoved { withoutLocation.append(uri) }
        if made.isConverted { converted.append(uri) }
    }
}
