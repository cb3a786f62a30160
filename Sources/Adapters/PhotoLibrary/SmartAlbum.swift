// SPDX-License-Identifier: MIT

package import Photos

/// An album whose photos follow from a rule.
///
/// A new one is a case with its rule here and a name in the window's `AlbumSidebar`. Its id, its
/// row in the database, its count and its covers follow from the case.
package enum SmartAlbum: String, CaseIterable, Sendable {
    /// Everything in the folders for pictures.
    case all
    /// The newest photos of all folders, downloads included.
    case recent
    /// The photos that the person likes best.
    case favorites
    case videos
    /// Pictures of a screen, by their names.
    case screenshots
    /// Photographs that are at least twice as wide as they are high.
    case panoramas
    /// Photos of a phone's front camera.
    case selfies
    /// Pictures that move.
    case animations
    /// Live Photos and motion photos: pictures with a video.
    case live
    /// Several pictures that a camera took in quick succession.
    case bursts
    /// Files of camera sensors, also beside the pictures that the cameras made of them.
    case raw

    /// Which photos belong to the album.
    ///
    /// This is the only place that says so.
    var rule: AlbumRule {
        switch self {
        case .all: AlbumRule(condition: "inAll = 1")
        case .recent: AlbumRule(condition: "TRUE", limit: 200)
        case .favorites: .hiddenWhenEmpty("favorite = 1")
        case .videos:
            .hiddenWhenEmpty("inAll = 1 AND mediaType >= 'video/' AND mediaType < 'video0'")
        case .screenshots: .hiddenWhenEmpty("inAll = 1 AND isScreenshot = 1")
        case .panoramas:
            // Screenshots and pictures for the web are not taken by a camera, and have no such date.
            .hiddenWhenEmpty(
                "inAll = 1 AND hasCaptureDate = 1 AND width >= 2 * height AND width >= 2000"
                    + " AND mediaType < 'video/'")
        case .selfies: .hiddenWhenEmpty("inAll = 1 AND isSelfie = 1")
        case .animations: .hiddenWhenEmpty("inAll = 1 AND isAnimated = 1")
        case .live: .hiddenWhenEmpty("inAll = 1 AND isLive = 1")
        case .bursts: .hiddenWhenEmpty("inAll = 1 AND frames > 0")
        case .raw:
            .hiddenWhenEmpty("inAll = 1 AND (rawTypes IS NOT NULL OR \(Self.isRaw))")
        }
    }

    // No name of a type contains a quotation mark. An index has the same condition.
    private static let isRaw = MediaType.rawTypes.map { "mediaType = '\($0.rawValue)'" }
        .joined(separator: " OR ")

    /// The smart album with an id; nil when the id names another kind of album.
    package init?(_ id: AlbumID) {
        self.init(rawValue: id.rawValue)
    }

    /// Whether the album has the same photos as ``all``, if both have this many.
    fileprivate func equalsAll(having count: Int) -> Bool {
        switch self {
        case .all: false
        // What somebody likes best is seldom everything for long.
        case .favorites: false
        // At its limit, it may leave out photos of the other folders.
        case .recent: rule.limit.map { count < $0 } ?? true
        case .videos, .screenshots, .panoramas, .selfies, .animations, .live, .bursts, .raw: true
        }
    }

    /// The id that apps and windows use.
    package var id: AlbumID {
        guard let id = AlbumID(rawValue) else {
            preconditionFailure("\(rawValue) cannot be the id of an album")
        }
        return id
    }
}

extension [Album] {
    /// Without the smart albums that would show the same photos as the album of all.
    ///
    /// - Parameter opened: An album that stays.
    package func withoutRepetitions(keeping opened: AlbumID) -> [Album] {
        guard let all = first(where: { $0.id == SmartAlbum.all.id }) else { return self }
        return filter { album in
            guard album.id != opened, album.count == all.count, let smart = SmartAlbum(album.id)
            else { return true }
            return !smart.equalsAll(having: album.count)
        }
    }
}

/// Which photos belong to a smart album.
struct AlbumRule: Hashable, Sendable {
    /// An SQL condition on the columns of `asset`, which may be joined with `file`: a name that both
    /// have, such as `id`, needs its table.
    ///
    /// Photos without files never match.
    let condition: String
    /// The most photos that the album has: the newest ones that a filter accepts; nil for all.
    var limit: Int?
    /// Whether nobody sees the album until it has a photo.
    var isHiddenWhenEmpty: Bool

    init(condition: String, limit: Int? = nil, isHiddenWhenEmpty: Bool = false) {
        self.condition = condition
        self.limit = limit
        self.isHiddenWhenEmpty = isHiddenWhenEmpty
    }

    static func hiddenWhenEmpty(_ condition: String) -> AlbumRule {
        AlbumRule(condition: condition, isHiddenWhenEmpty: true)
    }
}
