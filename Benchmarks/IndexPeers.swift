// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport

/// The first index of 10,000 photos, beside programs that read as much of them: ExifTool, which only
/// prints, and the indexer of GNOME's desktop.
struct IndexPeers {
    private static let count = 10_000
    /// The folder of Debian's package `tracker-miner-fs`.
    private static let trackers: FilePath = "/usr/libexec"
    private static let services: FilePath = "/usr/share/dbus-1/services"
    private static let trackerName = "org.freedesktop.Tracker3.Miner.Files"

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count)
        // The first run reads the files into the kernel's cache.
        _ = try await index(home)
        let ours = try await Double(Self.count) / index(home)
        let exif =
            try await Double(Self.count) * 1000 / milliseconds { try await readWithExifTool(home) }
        var rows = [row(ours, "exiftool -fast2 -r, a process for each core", exif)]
        if isFile(Self.trackers.appending("tracker-miner-fs-3")) {
            let tracker =
                try await Double(Self.count) * 1000 / milliseconds { try await track(home) }
            rows.append(row(ours, "tracker-miner-fs", tracker))
        }
        return rows
    }

    private func row(_ ours: Double, _ peer: String, _ theirs: Double) -> Row {
        .moreIsBetter("index 10,000 photos", unit: "1/s", ours: ours, peer: peer, theirs: theirs)
    }

    private func isFile(_ path: FilePath) -> Bool {
        FileManager.default.isExecutableFile(atPath: path.string)
    }

    /// The seconds that a new index takes.
    private func index(_ home: TestHome) async throws -> Double {
        removeTree(home.database.removingLastComponent())
        let session = try await Session.start(home: home)
        let service = try session.start("photo-portal", ["--verbose"])
        let seconds = try await indexingTime(service)
        try await service.stop()
        return seconds
    }

    private func readWithExifTool(_ home: TestHome) async throws {
        let line =
            "find \"$0\" -mindepth 1 -type d -print0 | "
            + "xargs -0 -n 10 -P 2 exiftool -q -fast2 -r -json > /dev/null"
        let child = try ChildProcess(
            "sh", ["-c", line, home.pictures.string], environment: home.environment,
            scratch: home.scratch)
        guard try await child.exitStatus(within: .seconds(600)) == 0 else {
            throw NeverHappened(description: "exiftool: \(child.errorText)")
        }
    }

    /// Waits until the desktop's indexer knows the width of each photo.
    private func track(_ home: TestHome) async throws {
        // What reads the files is started when the names of some are known.
        let services = home.scratch.appending("services")
        let extractor = "org.freedesktop.Tracker3.Miner.Extract.service"
        try home.write(
            Descriptor.openForReading(Self.services.appending(extractor)).read(upTo: 10_000),
            to: services.appending(extractor))
        let session = try await Session.start(home: home, services: services)
        let environment = [
            "GSETTINGS_BACKEND": "keyfile",
            // It leaves out the folder of temporary files, in which the photos are.
            "TMPDIR": home.scratch.string,
        ]
        let folders = "['\(home.pictures.string)']"
        for (key, value) in [
            ("index-recursive-directories", folders), ("index-single-directories", "[]"),
        ] {
            _ = try await session.run(
                "gsettings", ["set", Self.trackerName, key, value],
                environment: environment)
        }
        let miner = try session.start(
            Self.trackers.appending("tracker-miner-fs-3").string, ["--initial-sleep=0"],
            environment: environment)
        try await session.waitForOwner(of: Self.trackerName, miner)
        try await eventually("tracker's index", within: .seconds(600)) {
            let (_, output, _) = try await session.run(
                "tracker3",
                [
                    "sparql", "--dbus-service", Self.trackerName, "-q",
                    "SELECT COUNT(?photo) { ?photo nfo:width ?width }",
                ],
                environment: environment)
            return output.split(whereSeparator: \.isWhitespace).contains("\(Self.count)")
        }
        try await miner.stop()
    }
}
