// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import PhotoLibrary

/// Which files of the same name are of one shot.
@Suite struct ShotPartTests {
    private static let picture = part(.jpeg, "A", 1000)
    private static let video = part(.quickTime, "A", 1000, milliseconds: 3000)

    @Test func `the same identifier is enough, whatever else differs`() {
        for picture in [Self.picture, Self.part(.heic, "A", nil), Self.part(.heif, "A", 9)] {
            for type in [MediaType.quickTime, .mp4] {
                #expect(picture.match(Self.part(type, "A", nil), as: .pairedVideo) == .identifier)
                #expect(
                    picture.match(Self.part(type, "A", 5, milliseconds: 60_000), as: .pairedVideo)
                        == .identifier)
            }
        }
    }

    @Test func `other identifiers separate what the same moment would join`() {
        #expect(
            Self.picture.match(
                Self.part(.quickTime, "B", 1000, milliseconds: 3000), as: .pairedVideo) == nil)
    }

    @Test func `without an identifier in both, all of the rest must agree`() {
        let stripped = Self.part(.jpeg, nil, 1000)
        #expect(stripped.match(Self.video, as: .pairedVideo) == .time)
        #expect(
            Self.picture.match(
                Self.part(.quickTime, nil, 997, milliseconds: 5000), as: .pairedVideo) == .time)
        for video in [
            Self.part(.quickTime, nil, 996, milliseconds: 3000),
            Self.part(.quickTime, nil, 1004, milliseconds: 3000),
            Self.part(.quickTime, nil, 1000, milliseconds: 5001),
            Self.part(.quickTime, nil, 1000),
            Self.part(.quickTime, nil, nil, milliseconds: 3000),
            Self.part(.quickTime, nil, .min, milliseconds: 3000),
            Self.part(.mp4, nil, 1000, milliseconds: 3000),
        ] { #expect(stripped.match(video, as: .pairedVideo) == nil, "\(video)") }
        #expect(Self.part(.jpeg, nil, nil).match(Self.video, as: .pairedVideo) == nil)
    }

    @Test func `only a picture of a camera and a video are a pair`() {
        #expect(Self.part(.png, "A", 1000).match(Self.video, as: .pairedVideo) == nil)
        #expect(Self.part(.adobeDNG, "A", 1000).match(Self.video, as: .pairedVideo) == nil)
        #expect(
            Self.picture.match(Self.part(.webm, "A", 1000, milliseconds: 3000), as: .pairedVideo)
                == nil)
        #expect(Self.picture.match(Self.picture, as: .pairedVideo) == nil)
        #expect(Self.video.match(Self.picture, as: .pairedVideo) == nil)
    }

    @Test func `a raw file belongs to a picture, unless both say that they are of different days`()
    {
        let raw = Self.part(.nikonRaw, nil, 100_000)
        for date in [nil, 100_000, 13_600, 186_400] as [Int64?] {
            #expect(Self.part(.jpeg, nil, date).match(raw, as: .raw) == .identifier)
        }
        for date in [.min, 13_599, 186_401, .max] as [Int64] {
            #expect(Self.part(.heic, nil, date).match(raw, as: .raw) == nil, "\(date)")
        }
        #expect(Self.picture.match(Self.part(.nikonRaw, nil, nil), as: .raw) == .identifier)
        #expect(Self.part(.png, nil, nil).match(raw, as: .raw) == nil)
        #expect(Self.picture.match(Self.video, as: .raw) == nil)
        #expect(Self.picture.match(raw, as: .pairedVideo) == nil)
        #expect(Self.picture.match(Self.picture, as: .primary) == nil)
    }

    private static func part(
        _ type: MediaType, _ identifier: String?, _ captured: Int64?, milliseconds: Int64? = nil
    ) -> ShotPart {
        ShotPart(
            mediaType: type, contentIdentifier: identifier, captured: captured,
            milliseconds: milliseconds)
    }
}
