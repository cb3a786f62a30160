// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// What decides whether files with the same stem are of one shot: a picture and its raw file, or a picture and
/// the video of a Live Photo.
struct ShotPart: Hashable, Sendable {
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
    /// More seconds than there are between the dates of a raw file and its picture, one of which may be in
    /// another time zone.
    private static let mostSecondsBesideRaw: UInt64 = 86_400
    /// Longer than the videos of Live Photos.
    private static let longest: Int64 = 5000

    /// How well a file belongs to this picture in a role; nil if it does not.
    func match(_ other: ShotPart, as role: ResourceRole) -> Match? {
        switch role {
        case .primary, .burst: nil
        case .raw: matchRaw(other)
        case .pairedVideo: matchVideo(other)
        }
    }

    /// The name alone decides, unless both files say that they were taken on different days: a camera that
    /// counts to 9999, or a second one, gives a name again.
    private func matchRaw(_ raw: ShotPart) -> Match? {
        guard MediaType.cameraPictureTypes.contains(mediaType),
            MediaType.rawTypes.contains(raw.mediaType)
        else { return nil }
        guard let captured, let other = raw.captured else { return .identifier }
        let (distance, isFar) = captured.subtractingReportingOverflow(other)
        return isFar || distance.magnitude > Self.mostSecondsBesideRaw ? nil : .identifier
    }

    /// The identifiers of both files decide, or all of the rest.
    ///
    /// A wrong pair would hide a video, and have it deleted with the picture. Files that other programs
    /// exported without identifiers must agree in everything else.
    private func matchVideo(_ video: ShotPart) -> Match? {
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

extension ShotPart {
    /// Reads the columns that `asset` and `resource` have in common.
    init?(_ row: Row) throws {
        guard let type = MediaType(try row.get("mediaType")) else { return nil }
        self.init(
            mediaType: type, contentIdentifier: try row.get("contentIdentifier"),
            captured: try row.get("hasCaptureDate") ? try row.get("date") : nil,
            milliseconds: try row.get("milliseconds"))
    }
}
