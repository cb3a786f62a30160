// SPDX-License-Identifier: MIT

package import Files
import Processes

/// Fetches pictures of the web, and keeps those that their servers let anybody keep.
package struct CachedFetcher: Sendable {
    private let fetcher: WebFetcher
    private let cache: WebCache

    /// How long a disk may take; without an answer, there is no cache.
    private static let patience = Duration.seconds(5)

    package init(_ fetcher: WebFetcher, _ cache: WebCache = WebCache()) {
        self.fetcher = fetcher
        self.cache = cache
    }

    /// Gets a picture, from the cache if the server has said that this is true for so long.
    ///
    /// - Parameters:
    ///   - app: The app that shows it. No app can find out what another one has shown.
    ///   - isRenewed: Whether what was kept is no use, whatever the server said of it.
    ///   - progress: Called on any thread.
    /// - Returns: A sealed memory file with the bytes, which may be of any kind.
    /// - Throws: ``FetchError``.
    package func fetch(
        _ uri: String, for app: String, isRenewed: Bool = false,
        progress: @escaping WebFetcher.Progress = { _, _ in }
    ) async throws(FetchError) -> Descriptor {
        let known = isRenewed ? nil : await onDisk { $0.entry(uri, of: app) } ?? nil
        if let known, known.isFresh { return known.file }
        var request = FetchRequest(uri: uri)
        request.entityTag = known?.freshness.entityTag
        request.lastModified = known?.freshness.lastModified
        switch try await fetcher.fetch(request, progress: progress) {
        case .fetched(let file, let freshness):
            await store(file, freshness, uri, app)
            return file
        case .unchanged(let freshness):
            // Nothing is asked whether it has changed that is not known.
            guard let known else { throw .broken }
            await store(known.file, known.freshness.updated(by: freshness), uri, app)
            return known.file
        }
    }

    private func store(
        _ file: Descriptor, _ freshness: Freshness, _ uri: String, _ app: String
    ) async {
        await onDisk { cache in cache.store(file, freshness, uri, of: app) }
    }

    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (WebCache) -> Value
    ) async -> Value? {
        await FileCalls.shared.run(on: cache.folder, within: Self.patience) { [cache] _ in
            body(cache)
        }
    }
}
