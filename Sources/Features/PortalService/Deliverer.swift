// SPDX-License-Identifier: MIT

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
    let derived: DerivedFiles
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
    static let patience = Duration.seconds(20)

    // MARK: - What is delivered

    /// The requested form of all items.
    struct Order: Sendable {
        let filter: MediaFilter
        let clip: ClipOptions
        let output: OutputOptions
        let removesLocation: Bool
        /// Whose turn it is to have a decoder.
        let client: String
    }

    enum Outcome: Sendable {
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
    mutating func append(_ ready: Deliverer.Ready, at uri: String) {
        var item = ready.item
        item.uri = uri
        items.append(item)
        guard let made = ready.made else { return }
        if made.isLocationRemoved { withoutLocation.append(uri) }
        if made.isConverted { converted.append(uri) }
    }
}
