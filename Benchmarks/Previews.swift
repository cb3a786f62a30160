// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport

/// Thumbnails of photographs that contain a smaller version of themselves, which is large enough.
struct Previews {
    private static let rounds = 3
    private static let count = 40
    /// The PSNR against a full decode below which a thumbnail counts as wrong, in dB.
    private static let leastLikeness = 30.0

    func measure() async throws -> [Row] {
        let photos = try await Photographs.makeWithPreviews(Self.count)
        var ours: [Thumbnailer.Outcome] = []
        var tumbler: [Thumbnailer.Outcome] = []
        for round in 0..<Self.rounds {
            for isOurs in [true, false] {
                let outcome = try await (isOurs ? Thumbnailer.ours : .tumbler).make(
                    of: photos, "large", cores: 1, isJudged: round == 0)
                if isOurs { ours.append(outcome) } else { tumbler.append(outcome) }
            }
        }
        func wrong(_ outcomes: [Thumbnailer.Outcome]) -> Double {
            let thumbnails = outcomes.first?.thumbnails ?? []
            return Double(thumbnails.count { !$0.isRight(above: Self.leastLikeness) })
        }
        return [
            .moreIsBetter(
                "thumbnails, 256 px, previews of 1440 px in the files, 1 core", unit: "1/s",
                ours: median(ours.map(\.rate)), peer: "tumblerd",
                theirs: median(tumbler.map(\.rate))),
            .lessIsBetter(
                "the same: missing, invalid or wrong of \(photos.count)", unit: "",
                ours: wrong(ours), peer: "tumblerd", theirs: wrong(tumbler)),
        ]
    }
}
