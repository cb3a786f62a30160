// SPDX-License-Identifier: MIT

import Files
import GtkKit
import Photos
import SystemPackage
import WebFetch

/// The pictures of the web that a window shows: each is fetched once, and only while it is in view or beside
/// what is.
@UIActor
final class WebPictures {
    private let fetcher: CachedFetcher
    private let appID: AppID
    private let uris: [AssetID: String]
    /// What stands for them until they are there.
    private let thumbnails: [AssetID: AssetID]
    private var fetches: [AssetID: Task<Result<Descriptor, FetchError>, Never>] = [:]
    private var files: [AssetID: Descriptor] = [:]
    /// Those that the person wants to be fetched anew.
    private var renewed: Set<AssetID> = []
    /// The part of each that has come, from 0 to 1; nil while the size of the whole is unknown.
    private var progress: [AssetID: Double?] = [:]

    /// Called when another part of a picture has come, or when it is being fetched no more.
    var onProgress: @UIActor (AssetID) -> Void = { _ in }

    init(_ fetcher: CachedFetcher, for appID: AppID, _ images: [ShownImage]) {
        self.fetcher = fetcher
        self.appID = appID
        uris = Dictionary(images.compactMap { image in image.uri.map { (image.id, $0) } }) { $1 }
        thumbnails = Dictionary(
            images.compactMap { image in image.thumbnail.map { (image.id, $0) } }
        ) { $1 }
    }

    /// What stands for a picture until it is there.
    func thumbnail(of id: AssetID) -> AssetID? { thumbnails[id] }

    /// The part of a picture that has come; nil unless it is being fetched.
    func progress(of id: AssetID) -> Double?? { progress[id] }

    /// Where a picture is on the web; nil for one of this machine.
    func uri(of id: AssetID) -> String? { uris[id] }

    /// Ends all fetches, and forgets all files, but for these pictures.
    func keep(_ ids: Set<AssetID>) {
        for (id, fetch) in fetches where !ids.contains(id) {
            fetch.cancel()
            fetches[id] = nil
            progress[id] = nil
        }
        files = files.filter { ids.contains($0.key) }
    }

    /// Has a picture fetched anew the next time, because what has come is no use.
    func renew(_ id: AssetID) {
        files[id] = nil
        renewed.insert(id)
    }

    /// Gets the file of a picture; nil if it is none of the web.
    ///
    /// Who asks again after an error has it fetched again.
    ///
    /// - Throws: ``WebFetch/FetchError``, `.cancelled` once nobody keeps it.
    func file(of id: AssetID) async throws(FetchError) -> Descriptor? {
        guard let uri = uris[id] else { return nil }
        if let file = files[id] { return file }
        let fetch = fetches[id] ?? begin(id, uri)
        let result = await fetch.value
        if fetches[id] == fetch {
            fetches[id] = nil
            progress[id] = nil
            if case .success(let file) = result { files[id] = file }
            onProgress(id)
        }
        return try result.get()
    }

    private func begin(
        _ id: AssetID, _ uri: String
    ) -> Task<Result<Descriptor, FetchError>, Never> {
        progress[id] = .some(nil)
        let isRenewed = renewed.remove(id) != nil
        let fetch = Task { [weak self, fetcher, appID] in
            do throws(FetchError) {
                let file = try await fetcher.fetch(
                    uri, for: appID.rawValue, isRenewed: isRenewed
                ) { count, whole in
                    let part = whole.map { Double(count) / Double(max($0, 1)) }
                    Task { @UIActor in self?.note(part, of: id) }
                }
                return Result<Descriptor, FetchError>.success(file)
            } catch {
                return .failure(error)
            }
        }
        fetches[id] = fetch
        onProgress(id)
        return fetch
    }

    private func note(_ part: Double?, of id: AssetID) {
        guard fetches[id] != nil else { return }
        progress[id] = .some(part)
        onProgress(id)
    }
}
