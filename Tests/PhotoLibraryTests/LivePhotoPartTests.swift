// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import PhotoLibrary

/// Which pictures and videos of the same name are a Live Photo.
@Suite struct LivePhotoPartTests {
    private static let picture = part(.jpeg, "A", 1000)
    private static let video = part(.quickTime, "A", 1000, milliseconds: 3000)

    @Test func `the same identifier is enough, whatever else differs`() {
        for picture in [Self.picture, Self.part(.heic, "A", nil), Self.part(.heif, "A", 9)] {
            for type in [MediaType.quickTime, .mp4] {
                #expect(picture.match(Self.part(type, "A", nil)) == .identifier)
                #expect(
                    picture.match(Self.part(type, "A", 5, milliseconds: 60_000)) == .identifier)
            }
        }
    }

    @Test func `other identifiers separate what the same moment would join`() {
        #expect(Self.picture.match(Self.part(.quickTime, "B", 1000, milliseconds: 3000)) == nil)
    }

    @Test func `without an identifier in both, all of the rest must agree`() {
        let stripped = Self.part(.jpeg, nil, 1000)
        #expect(stripped.match(Self.video) == .time)
        #expect(Self.picture.match(Self.part(.quickTime, nil, 997, milliseconds: 5000)) == .time)
        for video in [
            Self.part(.quickTime, nil, 996, milliseconds: 3000),
            Self.part(.quickTime, nil, 1004, milliseconds: 3000),
            Self.part(.quickTime, nil, 1000, milliseconds: 5001),
            Self.part(.quickTime, nil, 1000),
            Self.part(.quickTime, nil, nil, milliseconds: 3000),
            Self.part(.quickTime, nil, .min, milliseconds: 3000),
            Self.part(.mp4, nil, 1000, milliseconds: 3000),
        ] { #expect(stripped.match(video) == nil, "\(video)") }
        #expect(Self.part(.jpeg, nil, nil).match(Self.video) == nil)
    }

    @Test func `only a picture of a camera and a video are a pair`() {
        #expect(Self.part(.png, "A", 1000).match(Self.video) == nil)
        #expect(Self.part(.adobeDNG, "A", 1000).match(Self.video) == nil)
        #expect(Self.picture.match(Self.part(.webm, "A", 1000, milliseconds: 3000)) == nil)
        #expect(Self.picture.match(Self.picture) == nil)
        #expect(Self.video.match(Self.picture) == nil)
    }

    private static func part(
        _ type: MediaType, _ identifier: String?, _ captured: Int64?, milliseconds: Int64? = nil
    ) -> LivePhotoPart {
        LivePhotoPart(
            mediaType: type, contentIdentifier: identifier, captured: captured,
            milliseconds: milliseconds)
    }
}
