// SPDX-License-Identifier: MIT

import TestSupport

/// Thumbnails of many kinds of pictures, in two concurrent requests.
///
/// Counts thumbnails that are missing, that GIO rejects, and that show another picture.
struct Wallpapers {
    /// The PSNR against a full decode below which a thumbnail counts as another picture, in dB.
    private static let leastLikeness = 30.0

    func measure() async throws -> [Row] {
        let files = try await Photographs.wallpapers()
        let ours = try await Thumbnailer.ours.make(
            of: files, "large", cores: 2, isJudged: true)
        let tumbler = try await Thumbnailer.tumbler.make(
            of: files, "large", cores: 2, isJudged: true)
        func row(_ what: String, _ matches: (Thumbnailer.Thumbnail) -> Bool) -> Row {
            .lessIsBetter(
                "wallpapers, of \(files.count): \(what)", unit: "",
                ours: Double(ours.thumbnails.count(where: matches)), peer: "tumblerd",
                theirs: Double(tumbler.thumbnails.count(where: matches)))
        }
        // The number of wallpapers, for comparison.
        func mended(_ what: String, _ fails: (Thumbnailer.Thumbnail) -> Bool) -> Row {
            let failed = zip(ours.thumbnails, tumbler.thumbnails).filter { fails($1) }
            let right = failed.count { $0.0.isRight(above: Self.leastLikeness) }
            return Row(
                name: "wallpapers \(what) with tumblerd, of these right with ours", unit: "",
                ours: Double(right), peer: "tumblerd, how many", theirs: Double(failed.count))
        }
        return [
            .moreIsBetter(
                "\(files.count) wallpapers, 2 requests at a time", unit: "1/s", ours: ours.rate,
                peer: "tumblerd", theirs: tumbler.rate),
            .lessIsBetter(
                "memory of all processes, wallpapers", unit: "MiB", ours: ours.memory,
                peer: "tumblerd", theirs: tumbler.memory),
            row("missing") { $0.likeness == nil },
            row("not valid for GIO") { $0.likeness != nil && !$0.isValid },
            row("wrong picture") { ($0.likeness ?? Self.leastLikeness) < Self.leastLikeness },
            mended("missing") { $0.likeness == nil },
            mended("not valid") { $0.likeness != nil && !$0.isValid },
        ]
    }
}
