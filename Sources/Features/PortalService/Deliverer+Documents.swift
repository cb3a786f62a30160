// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalInterface
import SDBus
import SystemPackage

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
            let small = await handOverSmallPictures(of: batch, appID, grants)
            for (ready, uri) in zip(batch, uris) {
                delivery.append(ready, at: uri) { small[$0.path] }
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

    /// Makes documents of the small pictures that are files of their own.
    ///
    /// - Returns: Their URIs; those that the portal refuses are missing.
    private func handOverSmallPictures(
        of batch: [Ready], _ appID: AppID, _ grants: Grants
    ) async -> [FilePath: String] {
        var found: [FilePath: String] = [:]
        var rest = batch.flatMap(\.smallFiles)[...]
        while !rest.isEmpty {
            let next = rest.prefix(DocumentPortal.batch)
            rest = rest.dropFirst(DocumentPortal.batch)
            do throws(DBusError) {
                // Several apps share them.
                let uris = try await documents.add(
                    next.map(\.file), for: appID, granting: grants.subtracting(.writable))
                for (made, uri) in zip(next, uris) { found[made.path] = uri }
            } catch {
                derived.logger.notice(
                    "Small pictures cannot be delivered.", metadata: ["error": "\(error)"])
            }
        }
        return found
    }
}
