// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport

/// The first index of 100,000 photos: the time it takes, and the processor time and memory it uses; and the
/// time to look through them again, when nothing has changed.
///
/// When `PHOTO_PORTAL_BASELINE` names a folder with the programs of another build, that build
/// indexes the same photos in the same run.
struct FirstIndex {
    private static let count = 100_000
    /// The memory that the service may have of its own, in MiB (RssAnon).
    private static let memoryLimit = 40.0

    private struct Figures {
        var seconds: Double
        var processorSeconds: Double
        var memory: Double
    }

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count)
        let baseline = environmentVariable("PHOTO_PORTAL_BASELINE").map { FilePath($0) }
        // The first run only reads the files into the kernel's cache.
        _ = try await index(home, "photo-portal")
        let ours = try await index(home, "photo-portal")
        var theirs: Figures?
        if let baseline {
            theirs = try await index(home, baseline.appending("photo-portal").string)
        }
        let peer = baseline == nil ? nil : "PHOTO_PORTAL_BASELINE"
        return [
            .lessIsBetter(
                "index 100,000 photos, first time", unit: "s", ours: ours.seconds, peer: peer,
                theirs: theirs?.seconds),
            .lessIsBetter(
                "processor time of the service for that", unit: "s", ours: ours.processorSeconds,
                peer: peer, theirs: theirs?.processorSeconds),
            .lessIsBetter(
                "largest memory of the service during that", unit: "MiB", ours: ours.memory,
                peer: "the limit", theirs: Self.memoryLimit),
            try await secondLook(home),
        ]
    }

    private static let looks = 5

    /// Compares the photos with the database of the last index; `find` compares their times of change with
    /// that of a file.
    private func secondLook(_ home: TestHome) async throws -> Row {
        var ours: [Double] = []
        var theirs: [Double] = []
        let find = ["find", home.pictures.string, "-newer", home.database.string, "-print"]
        for _ in 0..<Self.looks {
            let session = try await Session.start(home: home)
            let service = try session.start("photo-portal", ["--verbose"])
            ours.append(try await indexingTime(service) * 1000)
            try await service.stop()
            theirs.append(
                try await milliseconds {
                    let child = try ChildProcess(
                        find[0], Array(find.dropFirst()), environment: home.environment,
                        scratch: home.scratch)
                    guard try await child.exitStatus(within: .seconds(60)) == 0 else {
                        throw NeverHappened(description: "find: \(child.errorText)")
                    }
                })
        }
        return .lessIsBetter(
            "look through 100,000 unchanged photos", unit: "ms", ours: median(ours),
            peer: "find -newer", theirs: median(theirs))
    }

    /// Indexes the photos into a new database.
    private func index(_ home: TestHome, _ program: String) async throws -> Figures {
        removeTree(home.database.removingLastComponent())
        let session = try await Session.start(home: home)
        let service = try session.start(program, ["--verbose"])
        let process = service.processID
        let (seconds, memory) = try await peak(of: { anonymousMemory(of: process) }) {
            try await indexingTime(service)
        }
        let processor = processorTime(of: process)
        try await service.stop()
        return Figures(seconds: seconds, processorSeconds: processor, memory: memory)
    }
}

/// Fills the pictures of a home with small photos.
func fillLibrary(_ home: TestHome, count: Int, perFolder: Int = 500) async throws {
    let maker = try ChildProcess(
        Programs.source.appending("scripts").appending("make-library").string,
        [home.pictures.string, "\(count)", "\(perFolder)"], environment: home.environment,
        scratch: home.scratch)
    guard try await maker.exitStatus(within: .seconds(600)) == 0 else {
        throw NeverHappened(description: "make-library: \(maker.errorText)")
    }
}

/// Waits until the library is indexed; returns the seconds that the service reports.
func indexingTime(_ service: ChildProcess) async throws -> Double {
    let line = try await eventually("index", within: .seconds(600)) {
        service.errorText.split(separator: "\n").first { $0.contains("Looked through") }
    }
    let time = line.split(separator: "took=").last?.split(separator: " ").first
    return time.flatMap { Double($0) } ?? .nan
}
