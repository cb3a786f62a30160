// SPDX-License-Identifier: MIT

import Files
import Photos
import Pixels
import Processes
import SystemPackage
import TestSupport
import Testing
import Videos

/// Videos lose their location; ExifTool and FFmpeg check the results.
@Suite struct MovieLocationTests {
    private let home: TestHome
    private let movie: FilePath

    init() throws {
        VideoFile.prepare()
        home = try TestHome()
        movie = home.scratch.appending("movie.mp4")
        try home.write(Fixtures.bytes("video/moving.mp4"), to: movie)
    }

    /// Every way in which cameras and programs write a location.
    @Test(arguments: [
        ["-Keys:GPSCoordinates=48.8584 2.2945 35", "-Keys:LocationName=Tower"],
        ["-UserData:GPSCoordinates=48.8584 2.2945 35"],
        ["-ItemList:GPSCoordinates=48.8584 2.2945 35"],
        ["-UserData:LocationInformation=Tower Role=shooting Lat=48.8584 Lon=2.2945 Alt=35"],
        ["-XMP-exif:GPSLatitude=48.8584", "-XMP-exif:GPSLongitude=2.2945"],
        [
            "-Keys:GPSCoordinates=48.8584 2.2945 35", "-UserData:GPSCoordinates=48.8584 2.2945 35",
            "-XMP-exif:GPSLatitude=48.8584",
        ],
    ])
    func `a video loses its location and nothing else`(tags: [String]) throws {
        try tag(tags)
        let before = try facts(movie)
        #expect(before.contains { Self.tellsPlace($0) }, "\(before)")
        let result = home.scratch.appending("result.mp4")
        try #require(try remove(from: movie, to: result))
        let after = try facts(result)
        #expect(after.filter(Self.tellsPlace) == [])
        #expect(after.contains { $0.contains("Title") && $0.hasSuffix(": Summer") })
        #expect(Set(after).isSuperset(of: before.filter { !Self.tellsPlace($0) }))
        #expect(try result.stat().size == movie.stat().size)
        #expect(try frames(result) == frames(movie))
        let bytes = try Descriptor.openForReading(result).read(upTo: 1 << 20)
        for place in ["48.85", "Tower"] { #expect(bytes.firstRange(of: place.utf8) == nil) }
        // Nothing more remains to be removed.
        #expect(try !remove(from: result, to: home.scratch.appending("again.mp4")))
    }

    @Test(arguments: ["subtitles.mkv", "subtitles.webm"])
    func `only the subtitles that tell a place go`(name: String) throws {
        let original = Fixtures.path("location/\(name)")
        let result = home.scratch.appending(name)
        try #require(try remove(from: original, to: result))
        #expect(try subtitles(0, original).contains("GPS(2.2945,48.8584,35)"))
        let left = try subtitles(0, result)
        #expect(left == (try subtitles(1, original)) && left.contains("Hello"))
        #expect(throws: (any Error).self) { try subtitles(1, result) }
        #expect(try pictures(result) == pictures(original))
    }

    @Test func `the chapters of a video stay, with the names that tell no place`() throws {
        let result = home.scratch.appending("texts.mkv")
        try #require(try remove(from: Fixtures.path("location/texts.mkv"), to: result))
        let chapters = try run(
            "ffprobe", "-v", "error", "-show_chapters", "-of", "compact", result.string
        ).split(separator: "\n")
        #expect(chapters.count == 2)
        #expect(chapters.first?.hasSuffix("tag:title=Morning") == true)
    }

    @Test func `a QuickTime movie loses its location, too`() throws {
        let path = home.scratch.appending("phone.mov")
        _ = try run(
            "ffmpeg", "-v", "error", "-i", movie.string, "-c", "copy", "-metadata",
            "location=+48.8584+002.2945/", path.string)
        #expect(try facts(path).contains { Self.tellsPlace($0) })
        let result = home.scratch.appending("result.mov")
        try #require(try remove(from: path, to: result))
        #expect(try facts(result).filter(Self.tellsPlace) == [])
        #expect(try frames(result) == frames(path))
    }

    @Test func `a video without a location is unchanged`() throws {
        #expect(try !remove(from: movie, to: home.scratch.appending("result.mp4")))
        try tag(["-XMP-dc:Title=Winter"])
        #expect(try !remove(from: movie, to: home.scratch.appending("result.mp4")))
    }

    @Test func `a damaged video is handled safely`() throws {
        try tag(["-Keys:GPSCoordinates=48.8584 2.2945 35", "-XMP-exif:GPSLatitude=48.8584"])
        let sound = try Descriptor.openForReading(movie).read(upTo: 1 << 20)
        for round in 0..<2000 {
            var bytes = sound
            if round < 64 {
                bytes = Array(sound.prefix(sound.count * round / 64 + 1))
            } else {
                for _ in 0..<Int.random(in: 1...8) {
                    bytes[.random(in: 12..<bytes.count)] =
                        [0, 1, 0x7F, 0xFF, .random(in: 2...254)]
                        .randomElement() ?? 0
                }
            }
            let file = try MemoryFile.make(named: "damaged", holding: bytes)
            guard let edit = try? PictureFile.derive(file, Derivation(removesLocation: true)) else {
                continue
            }
            let parts = try #require(edit.parts)
            #expect(parts.reduce(0) { $0 + $1.count } == edit.bytes.count)
            #expect(parts.allSatisfy { $0.upperBound <= bytes.count })
        }
    }

    // MARK: - Checks

    private static func tellsPlace(_ line: String) -> Bool {
        ["GPS", "Location"].contains { line.contains($0) }
    }

    private func tag(_ tags: [String]) throws {
        try ExifTool.run(
            ["-q", "-overwrite_original", "-n", "-Keys:Title=Summer"] + tags + [movie.string])
    }

    /// - Returns: Whether there was a location to remove.
    private func remove(from path: FilePath, to result: FilePath) throws -> Bool {
        let file = try Descriptor.openForReading(path)
        let derived = try PictureFile.derive(file, Derivation(removesLocation: true))
        guard let derived, let parts = derived.parts else { return false }
        #expect(derived.isLocationRemoved && !derived.isConverted)
        var bytes = try file.read(upTo: 1 << 20)
        var start = 0
        for part in parts {
            bytes.replaceSubrange(part, with: derived.bytes[start..<start + part.count])
            start += part.count
        }
        try home.write(bytes, to: result)
        return true
    }

    /// The output of ExifTool without facts about the file itself.
    private func facts(_ path: FilePath) throws -> [String] {
        String(decoding: try ExifTool.run(["-a", "-G1", "-s", "-n", path.string]), as: UTF8.self)
            .split(separator: "\n").map(String.init)
            .filter { !$0.contains("[System]") && !$0.contains("[Composite]") }
    }

    private func frames(_ path: FilePath) throws -> String {
        try run("ffmpeg", "-v", "error", "-i", path.string, "-f", "framemd5", "-")
    }

    private func pictures(_ path: FilePath) throws -> String {
        try run(
            "ffmpeg", "-v", "error", "-i", path.string, "-map", "0:v", "-f", "framemd5", "-")
    }

    private func subtitles(_ track: Int, _ path: FilePath) throws -> String {
        try run(
            "ffmpeg", "-v", "error", "-i", path.string, "-map", "0:s:\(track)", "-f", "srt", "-")
    }

    private func run(_ program: String, _ arguments: String...) throws -> String {
        try run(program, arguments: arguments)
    }

    private func run(_ program: String, arguments: [String]) throws -> String {
        String(
            decoding: try ProgramOutput.capture(program, arguments, timeout: .seconds(60)),
            as: UTF8.self)
    }
}
