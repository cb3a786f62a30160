// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport

/// Thumbnails of 12-megapixel photographs, compared with other programs on the same cores.
struct Thumbnails {
    /// Slower programs get fewer photographs, which is enough to measure a rate.
    private static let countForOthers = 40
    /// The PSNR against a full decode below which a thumbnail counts as wrong, in dB.
    private static let leastLikeness = 38.0

    private let photos: [FilePath]

    init() async throws {
        photos = try await Photographs.make()
    }

    func measure() async throws -> [Row] {
        var rows: [Row] = []
        for cores in [1, 2] {
            let ours = try await make(.ours, "large", cores)
            let tumbler = try await make(.tumbler, "large", cores)
            let name = "thumbnails, 256 px, \(cores) \(cores == 1 ? "core" : "cores")"
            func row(_ peer: String, _ rate: Double) -> Row {
                .moreIsBetter(name, unit: "1/s", ours: ours.rate, peer: peer, theirs: rate)
            }
            rows.append(row("tumblerd, a queue for each core", tumbler.rate))
            for peer in Self.peers {
                let photos = photos.prefix(Self.countForOthers)
                let home = try TestHome()
                let time = try await peer.run(forEach: photos, into: home.scratch, cores: cores)
                rows.append(row(peer.name, Double(photos.count) / time * 1000))
            }
            rows.append(
                .lessIsBetter(
                    "memory of all processes, 256 px, \(cores) cores", unit: "MiB",
                    ours: ours.memory, peer: "tumblerd", theirs: tumbler.memory))
            rows += judged(ours, tumbler, cores)
        }
        let ours = try await make(.ours, "normal", 1)
        let tumbler = try await make(.tumbler, "normal", 1)
        rows.append(
            .moreIsBetter(
                "thumbnails, 128 px, previews used, 1 core", unit: "1/s", ours: ours.rate,
                peer: "tumblerd", theirs: tumbler.rate))
        return rows
    }

    private func make(
        _ thumbnailer: Thumbnailer, _ flavor: String, _ cores: Int
    ) async throws -> Thumbnailer.Outcome {
        try await thumbnailer.make(of: photos, flavor, cores: cores, isJudged: flavor == "large")
    }

    private func judged(
        _ ours: Thumbnailer.Outcome, _ tumbler: Thumbnailer.Outcome, _ cores: Int
    ) -> [Row] {
        func missing(_ outcome: Thumbnailer.Outcome) -> Double {
            Double(outcome.thumbnails.count { $0.likeness == nil })
        }
        func wrong(_ outcome: Thumbnailer.Outcome) -> Double {
            Double(
                outcome.thumbnails.count { $0.likeness.map { $0 < Self.leastLikeness } ?? false })
        }
        func worst(_ outcome: Thumbnailer.Outcome) -> Double {
            outcome.thumbnails.compactMap(\.likeness).min() ?? .nan
        }
        return [
            .lessIsBetter(
                "missing of \(photos.count), \(cores) cores", unit: "", ours: missing(ours),
                peer: "tumblerd", theirs: missing(tumbler)),
            .lessIsBetter(
                "wrong of \(photos.count), \(cores) cores", unit: "", ours: wrong(ours),
                peer: "tumblerd", theirs: wrong(tumbler)),
            .moreIsBetter(
                "worst PSNR, \(cores) cores", unit: "dB", ours: worst(ours), peer: "tumblerd",
                theirs: worst(tumbler)),
        ]
    }

    // MARK: - Programs for one file

    private static let peers = [
        Command(
            name: "gdk-pixbuf-thumbnailer",
            line: "gdk-pixbuf-thumbnailer -s 256 \"$1\" \"$0/${1##*/}.png\""),
        Command(
            name: "vipsthumbnail",
            line: "VIPS_CONCURRENCY=1 vipsthumbnail -s 256 -o \"$0/${1##*/}.png\" \"$1\""),
        Command(
            name: "ImageMagick",
            line:
                "/usr/bin/convert -define jpeg:size=512x512 \"$1\" -thumbnail 256x256 \"$0/${1##*/}.png\""
        ),
    ]
}
