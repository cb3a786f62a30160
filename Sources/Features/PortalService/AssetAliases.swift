// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PortalInterface

/// The ids of photos and albums as apps see them.
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

    /// The key for the names of new files.
    var nameKey: [UInt8] { Digest.authenticate(Array("names of files".utf8), key: secret) }

    /// The ids of an app.
    func names(for app: AppIdentity) -> AppAliases { AppAliases(key: key(of: app)) }

    /// Replaces the library's ids in what an app receives.
    func replaceIDs(in delivery: inout Delivery, for app: AppIdentity) {
        let names = names(for: app)
        func replace(_ id: inout String) {
            // Files that are not in the library have no id.
            guard let asset = AssetID(id) else { return }
            id = names.alias(of: asset).description
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
}

/// The ids that one app sees.
struct AppAliases: Sendable {
    /// Nil for a program outside a sandbox, which sees the library's own ids.
    let key: [UInt8]?

    /// The rounds of the two kinds of ids, so that no id of one kind tells anything of the other.
    private static let assetRounds = 0..<4
    private static let albumRounds = 4..<8

    /// The id that the app sees for a photo.
    func alias(of asset: AssetID) -> AssetID {
        key.map { asset.encrypted(Self.assetRounds, $0) } ?? asset
    }

    /// The photo that the app means by an id; no photo has the result if the app invented the id.
    func asset(_ alias: AssetID) -> AssetID {
        key.map { alias.decrypted(Self.assetRounds, $0) } ?? alias
    }

    /// The id that the app sees for an album.
    ///
    /// The library's id of a folder's album is computed from its path.
    func alias(of album: AlbumID) -> AlbumID {
        guard let key, let (kind, number) = album.parts else { return album }
        return AlbumID(kind, number.encrypted(Self.albumRounds, key).description) ?? album
    }

    /// The album that the app means by an id; no album has the result if the app invented the id.
    func album(_ alias: AlbumID) -> AlbumID {
        guard let key, let (kind, digits) = alias.kindAndDigits else { return alias }
        guard let number = AssetID(digits)?.decrypted(Self.albumRounds, key),
            kind == .user || number.halves.low == 0
        else { return .nowhere }
        let text = number.description
        return AlbumID(kind, kind == .folder ? String(text.prefix(16)) : text) ?? .nowhere
    }
}

extension AlbumID {
    fileprivate enum NumberedKind: CaseIterable {
        case folder, user

        var prefix: String {
            switch self {
            case .folder: AlbumID.folderPrefix
            case .user: AlbumID.userPrefix
            }
        }
    }

    fileprivate init?(_ kind: NumberedKind, _ digits: String) {
        self.init(kind.prefix + digits)
    }

    /// What follows from files or people, and its digits; nil for an album of a rule.
    fileprivate var kindAndDigits: (NumberedKind, String)? {
        NumberedKind.allCases.first { rawValue.hasPrefix($0.prefix) }
            .map { ($0, String(rawValue.dropFirst($0.prefix.count))) }
    }

    /// The digits as a number of 16 bytes; nil for an album of a rule.
    fileprivate var parts: (NumberedKind, AssetID)? {
        kindAndDigits.flatMap { kind, digits in
            let padding = String(repeating: "0", count: max(0, 32 - digits.count))
            return AssetID(digits + padding).map { (kind, $0) }
        }
    }
}

extension AssetID {
    fileprivate func encrypted(_ rounds: Range<Int>, _ key: [UInt8]) -> AssetID {
        var (left, right) = halves
        for round in rounds { (left, right) = (right, left ^ Self.mix(right, round, key)) }
        return AssetID(left, right)
    }

    fileprivate func decrypted(_ rounds: Range<Int>, _ key: [UInt8]) -> AssetID {
        var (left, right) = halves
        for round in rounds.reversed() {
            (left, right) = (right ^ Self.mix(left, round, key), left)
        }
        return AssetID(left, right)
    }

    private static func mix(_ half: UInt64, _ round: Int, _ key: [UInt8]) -> UInt64 {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        return Digest.authenticate([UInt8(round)] + bytes, key: key)
            .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
