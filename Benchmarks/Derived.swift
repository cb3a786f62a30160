// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport

/// Derived files, made by `portal-pick derive` and by the tools that people use for this.
///
/// Process starts count on both sides; ours include the start of a sandboxed decoder. Everything
/// runs on one core.
struct Derived {
    private static let rounds = 3
    private static let count = 20
    /// HEIC is slow on both sides.
    private static let countOfHEIC = 5

    /// A kind of derived file.
    private struct Work {
        let name: String
        let files: [FilePath]
        /// The reference pictures, in files of the same names.
        var originals: FilePath
        /// The requirements that a result must meet.
        let expectation: [String]
        /// Options of `portal-pick derive`.
        let options: String
        /// One process per file.
        let peers: [Command]
        /// All files at once; ours uses one process for all of them.
        var batchPeers: [Command] = []
    }

    func measure() async throws -> [Row] {
        let photographs = Array(try await Photographs.make().prefix(Self.count))
        let located = try await make(Self.locating, of: photographs, "located", "jpg")
        let pictures = try await make(
            Self.encodingHEIC, of: Array(photographs.prefix(Self.countOfHEIC)), "heic", "heic")
        let originals = Photographs.folder("photographs")
        let work = [
            Work(
                name: "turn a photo, lossless", files: located,
                originals: Photographs.folder("located"), expectation: ["3024x4032"],
                options: "--representation compatible", peers: Self.turning,
                batchPeers: [Self.turningAll]),
            Work(
                name: "a photo of 1280 px", files: photographs, originals: originals,
                expectation: ["1280x960"], options: "--max-dimension 1280", peers: Self.resizing,
                batchPeers: Self.resizingAll),
            Work(
                name: "remove the location", files: located,
                originals: Photographs.folder("located"),
                expectation: ["3024x4032", "--no-location"], options: "--remove-location",
                peers: [Self.hiding], batchPeers: [Self.hidingAll]),
            Work(
                name: "HEIC to JPEG", files: pictures, originals: originals,
                expectation: ["4032x3024"], options: "--representation compatible",
                peers: [Self.converting], batchPeers: [Self.convertingAll]),
        ]
        var rows: [Row] = []
        for work in work {
            rows += try await compare(work, .perFile, work.peers)
            rows += try await compare(work, .perFileOnTwoCores, work.peers)
            if !work.batchPeers.isEmpty {
                rows += try await compare(work, .forAll, work.batchPeers)
            }
        }
        return rows
    }

    /// Which processes there are, and on how many cores.
    fileprivate enum Processes {
        case perFile
        /// Ours checks a part of its result beside the work.
        case perFileOnTwoCores
        case forAll
    }

    /// Alternates with the peers, after each file if there is a process for each; nobody is always first.
    private func compare(
        _ work: Work, _ processes: Processes, _ peers: [Command]
    ) async throws -> [Row] {
        let ours = Command(
            name: "portal-pick",
            line: "'\(Programs.path("portal-pick"))' derive \(work.options)"
                + " -o \"$0\" \"\(processes == .forAll ? "$@" : "$1")\" > /dev/null")
        let commands = [ours] + peers
        let parts = processes == .forAll ? [work.files] : work.files.map { [$0] }
        var times = commands.map { _ in [Double]() }
        var wrong = commands.map { _ in 0.0 }
        for round in 0..<Self.rounds {
            let homes = try commands.map { _ in try TestHome() }
            for (number, files) in parts.enumerated() {
                for turn in commands.indices {
                    let index = (round + number + turn) % commands.count
                    let time = try await commands[index].run(
                        processes, files, into: homes[index].scratch)
                    times[index].append(time / Double(files.count))
                }
            }
            for (index, home) in homes.enumerated() {
                wrong[index] = try await judge(home.scratch, work, home)
            }
        }
        let name =
            switch processes {
            case .perFile: work.name
            case .perFileOnTwoCores: work.name + ", on two cores"
            case .forAll: work.name + ", one process for \(work.files.count)"
            }
        return peers.indices.flatMap { index in
            [
                Row.lessIsBetter(
                    name, unit: "ms", ours: median(times[0]), peer: peers[index].name,
                    theirs: median(times[index + 1])),
                Row.lessIsBetter(
                    "\(name): wrong of \(work.files.count)", unit: "", ours: wrong[0],
                    peer: peers[index].name, theirs: wrong[index + 1]),
            ]
        }
    }

    /// Returns how many results are missing or wrong.
    private func judge(
        _ folder: FilePath, _ work: Work, _ home: TestHome
    ) async throws -> Double {
        let child = try ChildProcess(
            Programs.source.appending("scripts").appending("judge-derived").string,
            [folder.string, work.originals.string] + work.expectation + ["--"]
                + work.files.compactMap(\.stem),
            environment: home.environment, scratch: home.runtime)
        let status = try await child.exitStatus(within: .seconds(300))
        guard status == 0, let count = Double(child.outputText.split(separator: "\n").last ?? "")
        else { throw NeverHappened(description: "judge-derived: \(child.errorText)") }
        return count
    }

    /// Creates the missing files in a folder of input files.
    private func make(
        _ line: String, of photographs: [FilePath], _ folder: String, _ ending: String
    ) async throws -> [FilePath] {
        let folder = Photographs.folder(folder)
        let command = Command(
            name: "making files",
            line: "f=\"$0/$(basename \"$1\" .jpg)\"; [ -e \"$f.\(ending)\" ] || { \(line); }")
        _ = try await command.run(forEach: photographs, into: folder, cores: 2)
        return photographs.compactMap { $0.stem }.map { folder.appending("\($0).\(ending)") }
    }

    /// A photo as a camera held upright stores it, with a location in EXIF and XMP.
    private static let locating = """
        exiftool -q -q -n -Orientation=6 -GPSLatitude=52.5 -GPSLatitudeRef=N -GPSLongitude=13.4 \
        -GPSLongitudeRef=E -XMP-exif:GPSLatitude=52.5 -XMP-exif:GPSLongitude=13.4 -o "$f.jpg" "$1"
        """
    private static let encodingHEIC = """
        heif-enc -q 80 -p preset=ultrafast -o "$f.part" "$1" > /dev/null && mv "$f.part" "$f.heic"
        """

    // MARK: - Peers

    /// jpegtran does not update the orientation in the metadata, which would rotate the photo
    /// again, so it is told to copy no metadata.
    private static let turning = [
        Command(
            name: "jpegtran -rotate 90 -copy none",
            line: "jpegtran -rotate 90 -copy none -outfile \"$0/${1##*/}\" \"$1\""),
        Command(name: "exiftran -a", line: "exiftran -a -o \"$0/${1##*/}\" \"$1\" 2> /dev/null"),
    ]

    private static let turningAll = Command(
        name: "jpegtran, once for each",
        line: """
            for f; do jpegtran -rotate 90 -copy none -outfile "$0/${f##*/}" "$f" || exit 1; done
            """)

    private static let resizing = [
        Command(
            name: "vipsthumbnail",
            line: "VIPS_CONCURRENCY=1 vipsthumbnail --size 1280 -o \"$0/%s.jpg[Q=90]\" \"$1\""),
        Command(
            name: "ImageMagick",
            line: """
                /usr/bin/convert -define jpeg:size=1280x1280 "$1" -resize 1280x1280 -quality 90 \
                "$0/${1##*/}"
                """),
    ]

    private static let resizingAll = [
        Command(
            name: "vipsthumbnail",
            line: "VIPS_CONCURRENCY=1 vipsthumbnail --size 1280 -o \"$0/%s.jpg[Q=90]\" \"$@\""),
        Command(
            name: "ImageMagick, mogrify",
            line: """
                /usr/bin/mogrify -define jpeg:size=1280x1280 -path "$0" -resize 1280x1280 \
                -quality 90 "$@"
                """),
    ]

    private static let hiding = Command(
        name: "exiftool",
        line: "exiftool -q -q -gps:all= -xmp:geotag= -o \"$0/${1##*/}\" \"$1\"")
    private static let hidingAll = Command(
        name: "exiftool", line: "exiftool -q -q -gps:all= -xmp:geotag= -o \"$0/%f.%e\" \"$@\"")

    private static let converting = Command(
        name: "heif-convert",
        line: "heif-convert -q 90 \"$1\" \"$0/$(basename \"$1\" .heic).jpg\" > /dev/null")
    private static let convertingAll = Command(
        name: "heif-convert, once for each",
        line: """
            for f; do heif-convert -q 90 "$f" "$0/$(basename "$f" .heic).jpg" > /dev/null || exit 1; done
            """)
}

extension Command {
    /// Returns the time in milliseconds.
    fileprivate func run(
        _ processes: Derived.Processes, _ files: [FilePath], into folder: FilePath
    ) async throws -> Double {
        switch processes {
        case .perFile: try await run(forEach: files, into: folder, cores: 1)
        case .perFileOnTwoCores: try await run(oneByOne: files, into: folder)
        case .forAll: try await run(forAll: files, into: folder)
        }
    }
}
