// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PortalInterface

/// The ids of photos as apps see them.
///
/// An id in the library is computed from the photo's content. An app in a sandbox must not see it:
/// whoever has a copy without the location could find out the location by trying, and two apps
/// could find out that they were given the same photo. Each of these apps sees ids that are
/// encrypted with a key of its own, so that the service can decrypt them without a table. Programs
/// outside a sandbox can read the library and see its ids.
///
/// - Source: Luby and Rackoff, “How to Construct Pseudorandom Permutations from Pseudorandom
///   Functions”: four rounds of a Feistel network.
package struct AssetAliases: Sendable {
    private let secret: [UInt8]

    /// Makes the aliases of an installation.
    ///
    /// - Parameter secret: Random bytes, known only to this person's service.
    package init(secret: [UInt8]) {
        self.secret = secret
    }

    /// The id that an app sees for a photo.
    func alias(of asset: AssetID, for app: AppIdentity) -> AssetID {
        guard let key = key(of: app) else { return asset }
        var (left, right) = asset.halves
        for round in 0..<4 { (left, right) = (right, left ^ mix(right, round, key)) }
        return AssetID(left, right)
    }

    /// The photo that an app means by an id; no photo has the result if the app invented the id.
    func asset(_ alias: AssetID, from app: AppIdentity) -> AssetID {
        guard let key = key(of: app) else { return alias }
        var (left, right) = alias.halves
        for round in (0..<4).reversed() { (left, right) = (right ^ mix(left, round, key), left) }
        return AssetID(left, right)
    }

    /// Replaces the library's ids in what an app receives.
    func replaceIDs(in delivery: inout Delivery, for app: AppIdentity) {
        func replace(_ id: inout String) {
            // Files that are not in the library have no id.
            guard let asset = AssetID(id) else { return }
            id = alias(of: asset, for: app).description
        }
        for index in delivery.items.indices { replace(&delivery.items[index].id) }
        for index in delivery.failures.indices { replace(&delivery.failures[index].id) }
    }

    /// The key of an app in a sandbox; nil for other programs.
    private func key(of app: AppIdentity) -> [UInt8]? {
        let kind: String
        switch app.sandbox {
        case .none: return nil
        case .flatpak: kind = "flatpak"
        case .snap: kind = "snap"
        }
        return Digest.authenticate(Array("\(kind) \(app.appID.rawValue)".utf8), key: secret)
    }

    private func mix(_ half: UInt64, _ round: Int, _ key: [UInt8]) -> UInt64 {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        return Digest.authenticate([UInt8(round)] + bytes, key: key)
            .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
