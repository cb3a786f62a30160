// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalInterface
import SDBus

extension Deliverer {
    /// Delivers documents in place of files; a sandboxed app never learns the path of a file.
    ///
    /// Several apps share derived files and adjusted versions, so none of them may write to one.
    func handOver(
        _ batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        guard let first = batch.first else { return }
        let grants = grants.subtracting(.location)
        guard grants.contains(.writable), batch.contains(where: \.isOurs) else {
            return try await handOver(alike: batch, appID, grants, &delivery)
        }
        // Keep the order of choice: take the longest prefix with the same permissions.
        let run = batch.prefix { $0.isOurs == first.isOurs }.map(\.self)
        try await handOver(
            alike: run, appID, first.isOurs ? grants.subtracting(.writable) : grants, &delivery)
        try await handOver(Array(batch.dropFirst(run.count)), appID, grants, &delivery)
    }

    private func handOver(
        alike batch: [Ready], _ appID: AppID, _ grants: Grants, _ delivery: inout Delivery
    ) async throws(DBusError) {
        guard !batch.isEmpty else { return }
        do {
            let uris = try await documents.add(
                batch.map(\.file), for: appID, granting: grants)
            let thumbnails = await handOverThumbnails(of: batch, appID, grants)
            for (index, (ready, uri)) in zip(batch, uris).enumerated() {
                delivery.append(ready, at: uri, thumbnails[index])
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

    /// Makes documents of the thumbnails that are files of their own.
    ///
    /// - Returns: Their URIs by the index of the item; none if the portal refuses them.
    private func handOverThumbnails(
        of batch: [Ready], _ appID: AppID, _ grants: Grants
    ) async -> [Int: String] {
        let made = batch.enumerated().compactMap { index, ready in
            if case .made(let made) = ready.thumbnail { (index, made.file) } else { nil }
        }
        guard !made.isEmpty else { return [:] }
        do throws(DBusError) {
            // Several apps share them.
            let uris = try await documents.add(
                made.map(\.1), for: appID, granting: grants.subtracting(.writable))
            return Dictionary(uniqueKeysWithValues: zip(made.map(\.0), uris))
        } catch {
            derived.logger.notice(
                "The thumbnails cannot be delivered.", metadata: ["error": "\(error)"])
            return [:]
        }
    }
}
