// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// What decides whether a picture and a video with the same stem are a Live Photo.
struct LivePhotoPart: Hashable, Sendable {
    let mediaType: MediaType
    /// What Apple's cameras write into both files.
    let contentIdentifier: String?
    /// When a camera took it, in seconds since 1970; nil if it is not known.
    let captured: Int64?
    /// The duration of a video; nil if it is not known.
    let milliseconds: Int64?

    /// How sure it is that two files belong together; more is better.
    enum Match: Int, Comparable {
        /// Made at the same moment.
        case time
        case identifier

        static func < (one: Match, other: Match) -> Bool { one.rawValue < other.rawValue }
    }

    /// The types of videos beside pictures.
    static let videoTypes: [MediaType] = [.quickTime, .mp4]
    /// More seconds than there are between the dates of both files.
    private static let mostSecondsApart: UInt64 = 3
    /// Longer than the videos of Live Photos.
    private static let longest: Int64 = 5000

    /// How well a video belongs to this picture; nil if it does not.
    ///
    /// A wrong pair would hide a video, and have it deleted with the picture. Files that other programs
    /// exported without identifiers must agree in everything else.
    func match(_ video: LivePhotoPart) -> Match? {
        guard MediaType.cameraPictureTypes.contains(mediaType),
            Self.videoTypes.contains(video.mediaType)
        else { return nil }
        if let contentIdentifier, let other = video.contentIdentifier {
            return contentIdentifier == other ? .identifier : nil
        }
        guard video.mediaType == .quickTime, let captured, let other = video.captured,
            (captured &- other).magnitude <= Self.mostSecondsApart,
            let milliseconds = video.milliseconds, (1...Self.longest).contains(milliseconds)
        else { return nil }
        return .time
    }
}

extension LivePhotoPart {
    /// Reads the columns that `asset` and `resource` have in common.
    init?(_ row: Row) throws {
        guard let type = MediaType(try row.get("mediaType")) else { return nil }
        self.init(
            mediaType: type, contentIdentifier: try row.get("contentIdentifier"),
            captured: try row.get("hasCaptureDate") ? try row.get("date") : nil,
            milliseconds: try row.get("milliseconds"))
    }
}
