// SPDX-License-Identifier: MIT

import Files
import Foundation
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport

/// Reading headers (orientation, date and size) of files that are in memory.
struct Metadata {
    private static let rounds = 5
    /// How often files are read in a round: one pass takes two milliseconds, and says more about caches
    /// than about the code.
    private static let passes = 50

    func measure() async throws -> [Row] {
        let photographs = try await Photographs.make()
        var rows = try await compare(photographs, "photographs")
        rows.append(try await inDecoder(photographs))
        // Files from many cameras, and broken ones, if available.
        let others = Self.corpora
        if !others.isEmpty { rows += try await compare(others, "cameras' and odd files") }
        return rows
    }

    private static var corpora: [FilePath] {
        guard let folder = Programs.corpora else { return [] }
        return (FileManager.default.enumerator(atPath: folder.string)?.allObjects ?? [])
            .compactMap { $0 as? String }
            .filter { $0.lowercased().hasSuffix(".jpg") }.sorted()
            .map { FilePath("\(folder.string)/\($0)") }
    }

    /// A reader's results, and its time.
    private struct Reading {
        /// Microseconds per file.
        var time = 0.0
        /// The values of the EXIF tag; 1 if it is missing or invalid.
        var orientations: [UInt8] = []

        /// Keeps the median of the times.
        static func median(_ readings: [Reading]) -> Reading {
            Reading(
                time: photo_portal_bench.median(readings.map(\.time)),
                orientations: readings.first?.orientations ?? [])
        }
    }

    private func compare(_ files: [FilePath], _ what: String) async throws -> [Row] {
        var ours: [Reading] = []
        var library: [Reading] = []
        var program: [Reading] = []
        _ = try await read(files)
        for _ in 0..<Self.rounds {
            ours.append(try await read(files))
            library.append(try await runLibrary(files))
            program.append(try await runExiftool(files))
        }
        let readings = (Reading.median(ours), Reading.median(library), Reading.median(program))
        let name = "metadata of \(files.count) \(what)"
        func wrong(_ reading: Reading) -> Double {
            Double(zip(reading.orientations, readings.2.orientations).count { $0 != $1 })
        }
        return [
            .lessIsBetter(
                name, unit: "µs", ours: readings.0.time, peer: "libexif",
                theirs: readings.1.time),
            .lessIsBetter(
                name, unit: "µs", ours: readings.0.time, peer: "exiftool -fast, one process",
                theirs: readings.2.time),
            .lessIsBetter(
                "\(name): orientation unlike exiftool's", unit: "", ours: wrong(readings.0),
                peer: "libexif", theirs: wrong(readings.1)),
        ]
    }

    // MARK: - Readers

    private func read(_ files: [FilePath]) async throws -> Reading {
        var reading = Reading()
        reading.orientations.reserveCapacity(files.count)
        let time = try await milliseconds {
            for _ in 0..<Self.passes {
                reading.orientations.removeAll(keepingCapacity: true)
                for path in files {
                    let file = try FileBytes(try Descriptor.openForReading(path))
                    // A file that is not a picture has no orientation.
                    let facts = try? ImageFacts(reading: file)
                    reading.orientations.append((facts?.orientation ?? .upright).rawValue)
                }
            }
        }
        reading.time = time * 1000 / Double(Self.passes) / Double(files.count)
        return reading
    }

    /// libexif, in a C program that reads the same fields.
    private func runLibrary(_ files: [FilePath]) async throws -> Reading {
        let (output, _) = try await run(
            Photographs.folder("peers").appending("exif").string, files.map(\.string))
        let lines = output.split(separator: "\n")
        return Reading(
            time: lines.first.flatMap { Double($0) } ?? .nan,
            orientations: lines.dropFirst().map { Self.orientation(Int($0)) })
    }

    private func runExiftool(_ files: [FilePath]) async throws -> Reading {
        let options = [
            "-fast", "-json", "-n", "-m", "-IFD0:Orientation", "-DateTimeOriginal", "-CreateDate",
            "-ModifyDate", "-ImageWidth", "-ImageHeight",
        ]
        let (output, time) = try await run("exiftool", options + files.map(\.string))
        let entries = try JSONDecoder().decode([Entry].self, from: Data(output.utf8))
        return Reading(
            time: time * 1000 / Double(files.count),
            orientations: entries.map { Self.orientation($0.Orientation) })
    }

    /// A line of exiftool's output.
    private struct Entry: Decodable {
        let Orientation: Int?
    }

    private static func orientation(_ value: Int?) -> UInt8 {
        let value = value.flatMap { UInt8(exactly: $0) }.flatMap { Orientation(rawValue: $0) }
        return (value ?? .upright).rawValue
    }

    /// Runs a program to its end and ignores its exit status.
    private func run(
        _ program: String, _ arguments: [String]
    ) async throws -> (output: String, time: Double) {
        let home = try TestHome()
        var output = ""
        let time = try await milliseconds {
            let child = try ChildProcess(
                program, arguments, environment: home.environment, scratch: home.scratch)
            _ = try await child.exitStatus(within: .seconds(120))
            output = child.outputText
        }
        return (output, time)
    }

    /// Reads headers as the service does: one after the other, in a sandboxed decoder.
    private func inDecoder(_ photos: [FilePath]) async throws -> Row {
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        func probe() async throws {
            for photo in photos {
                let file = try Descriptor.openForReading(photo)
                _ = try await pool.run(.probe, on: file, priority: .visible)
            }
        }
        // Starts the process.
        try await probe()
        let time = try await milliseconds { try await probe() }
        let other = try await runExiftool(photos)
        return .lessIsBetter(
            "metadata of \(photos.count) photographs, in a decoder", unit: "µs",
            ours: time * 1000 / Double(photos.count), peer: "exiftool -fast, one process",
            theirs: other.time)
    }
}
