// SPDX-License-Identifier: MIT

import Files
import Foundation
import HEIFFormats
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing

/// Derived files, checked by ExifTool and libjpeg's programs.
@Suite struct DerivingTests {
    @Test(arguments: [(2, 2), (1, 12), (15, 40)])
    func `a tiny picture is converted to WebP`(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let colours: [[UInt8]] = [[255, 0, 0], [0, 0, 255], [0, 255, 0], [255, 255, 255]]
        let pixels = (0..<width * height).flatMap { colours[$0 * 7 % 4] }
        let file = try MemoryFile.make(
            named: "tiny", holding: Bitmap(size: size, format: .rgb, bytes: pixels).png())
        let change = PictureChange(format: .webP, size: size, quality: 90)
        let derived = try #require(
            try PictureFile.derive(file, Derivation(removesLocation: false, picture: change)))
        let (bitmap, facts) = try PictureFile.decode(
            try MemoryFile.make(named: "tiny", holding: derived.bytes), fitting: 64)
        #expect(facts.mediaType == .webp)
        #expect(bitmap.flattened.bytes == pixels)
    }

    private let home: TestHome

    init() throws {
        HEIFFormats.install()
        home = try TestHome()
    }

    // MARK: - Location

    /// Each container with a location in EXIF and in XMP.
    @Test(arguments: [
        "jpeg/baseline.jpg", "jpeg/progressive.jpg", "orientation/6.jpg", "png/rgb.png",
        "formats/blocks.heic", "formats/blocks.avif", "formats/blocks.tif",
        "formats/blocks.webp", "formats/motorola.tiff", "formats/moving.gif",
        "raw/canon.cr3",
    ])
    func `a photo loses its location and nothing else`(name: String) throws {
        let photo = try located(name)
        let before = try facts(photo)
        #expect(before.keys.contains { $0.contains("GPSLatitude") })
        let derived = try #require(
            try PictureFile.derive(photo.file, Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && !derived.isConverted)
        let result = try write(whole(derived, of: photo.file), as: photo.path.lastComponent)
        let after = try facts(result)
        #expect(after.keys.filter { $0.contains("GPS") } == [])
        let lost = before.filter { after[$0.key] != $0.value }
        #expect(lost.keys.filter { !$0.contains("GPS") } == [])
        #expect(Set(after.keys).subtracting(before.keys) == [])
        // The pixels are the same bytes.
        let (old, _) = try PictureFile.decode(photo.file, fitting: 4096)
        let (new, _) = try PictureFile.decode(result.file, fitting: 4096)
        #expect(old.bytes == new.bytes)
    }

    @Test func `a photo without a location is unchanged`() throws {
        for name in [
            "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.heic", "jpeg/dated.jpg",
            "raw/canon.cr3",
        ] {
            let file = try Fixtures.open(name)
            #expect(
                try PictureFile.derive(file, Derivation(removesLocation: true)) == nil, "\(name)")
        }
    }

    /// ExifTool confirms for every real photo that no location is left and nothing else is missing.
    @Test(.enabled(if: Corpora.areAvailable, "\(Corpora.skipReason)"))
    func `no real photo keeps its location`() throws {
        var count = 0
        for entry in Corpora.manifest {
            guard let file = try? Descriptor.openForReading(entry.path),
                let derived = try? PictureFile.derive(file, Derivation(removesLocation: true))
            else { continue }
            count += 1
            let before = try facts(Photo(path: entry.path, file: file))
            let after = try facts(
                try write(whole(derived, of: file), as: entry.path.lastComponent))
            #expect(after.keys.filter { $0.contains("GPS") } == [], "\(entry)")
            // ExifTool's warnings about a damaged GPS directory disappear as well.
            let lost = before.filter { after[$0.key] != $0.value && !"\($0)".contains("GPS") }
            // Data that nobody can read, and properties that nobody knows, may tell a place.
            let opaque = ["MakerNote", "XMP-claro", "TextualData", "Warning"]
            let others = lost.filter { fact in
                !LocationTests.tellsPlace(fact.key) && !opaque.contains { fact.key.contains($0) }
            }
            #expect(others == [:], "\(entry)")
        }
        #expect(count > 0)
    }

    // MARK: - Without decoding

    @Test(
        .enabled(if: Corpora.areAvailable, "\(Corpora.skipReason)"), arguments: 2...8)
    func `a turn along the grid of blocks keeps every coefficient`(orientation: Int) throws {
        let original = try blocks(orientation)
        let change = PictureChange(
            format: .jpeg, size: PixelSize(width: 64, height: 32), quality: 90, isStandard: true)
        var wanted = change
        let (upright, _) = try PictureFile.decode(original.file, fitting: 4096)
        wanted.size = upright.size
        let derived = try #require(
            try PictureFile.derive(
                original.file, Derivation(removesLocation: false, picture: wanted)))
        let turned = try write(derived.bytes, as: "turned.jpg")
        #expect(try ImageFacts(reading: FileBytes(turned.file)).orientation == .upright)
        // Turned back, it is identical to the original.
        let back = [
            "", "", "-flip horizontal", "-rotate 180", "-flip vertical", "-transpose",
            "-rotate 270", "-transverse", "-rotate 90",
        ][orientation]
        #expect(
            try scan(turned.path, back) == scan(original.path, ""), "coefficients differ")
        #expect(try PictureFile.decode(turned.file, fitting: 4096).0.size == upright.size)
    }

    @Test func `a crop along the grid of blocks keeps its coefficients`() throws {
        let original = try blocks(1)
        let clip = PixelRectangle(x: 16, y: 16, width: 32, height: 16)
        let derived = try #require(
            try PictureFile.derive(
                original.file,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: .jpeg, clip: clip, size: clip.size, quality: 90))))
        let cut = try write(derived.bytes, as: "cut.jpg")
        #expect(try scan(cut.path, "") == scan(original.path, "-crop 32x16+16+16"))
    }

    @Test func `a crop off the grid is exact to the pixel`() throws {
        let original = try blocks(6)
        let (whole, _) = try PictureFile.decode(original.file, fitting: 4096)
        let clip = PixelRectangle(x: 3, y: 5, width: 20, height: 11)
        let derived = try #require(
            try PictureFile.derive(
                original.file,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: .png, clip: clip, size: clip.size, quality: 90))))
        let cut = try write(derived.bytes, as: "cut.png")
        let (bitmap, _) = try PictureFile.decode(cut.file, fitting: 4096)
        #expect(bitmap.bytes == whole.cropped(to: clip).bytes)
    }

    @Test func `a crop is enlarged if an exact size is requested`() throws {
        let original = try blocks(6)
        let clip = PixelRectangle(x: 2, y: 2, width: 8, height: 4)
        let derived = try #require(
            try PictureFile.derive(
                original.file,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: .png, clip: clip, size: PixelSize(width: 200, height: 100),
                        quality: 90))))
        let cut = try write(derived.bytes, as: "cut.png")
        let (bitmap, _) = try PictureFile.decode(cut.file, fitting: 4096)
        #expect(bitmap.size == PixelSize(width: 200, height: 100))
    }

    // MARK: - With decoding

    @Test(arguments: OutputFormat.allCases)
    func `every format is written, upright and with the photo's date`(format: OutputFormat) throws {
        let photo = try located("orientation/6.jpg")
        let derived = try #require(
            try PictureFile.derive(
                photo.file,
                Derivation(
                    removesLocation: true,
                    picture: PictureChange(
                        format: format, size: PixelSize(width: 24, height: 16), quality: 80,
                        isStandard: true))))
        #expect(derived.isLocationRemoved && derived.isConverted)
        let result = try write(derived.bytes, as: "result")
        let facts = try ImageFacts(reading: FileBytes(result.file))
        #expect(facts.mediaType == format.mediaType)
        #expect(facts.size == PixelSize(width: 24, height: 16))
        #expect(facts.orientation == .upright)
        #expect(facts.taken?.year == 2024)
        #expect(try self.facts(result).keys.filter { $0.contains("GPS") } == [])
        let (bitmap, _) = try PictureFile.decode(result.file, fitting: 100)
        // The first block of the upright picture is red.
        #expect(bitmap.bytes[0] > 180 && bitmap.bytes[1] < 80)
    }

    @Test func `alpha is kept, or becomes white`() throws {
        let clear = Bitmap(
            size: PixelSize(width: 8, height: 8), format: .rgba,
            bytes: Array(repeating: [10, 20, 30, 0], count: 64).flatMap(\.self))
        let file = try MemoryFile.make(named: "clear", holding: clear.png())
        for format in OutputFormat.allCases {
            let derived = try #require(
                try PictureFile.derive(
                    file,
                    Derivation(
                        removesLocation: false,
                        picture: PictureChange(
                            format: format, size: PixelSize(width: 4, height: 4), quality: 90))))
            let (bitmap, _) = try PictureFile.decode(
                try MemoryFile.make(named: "result", holding: derived.bytes), fitting: 8)
            if format == .jpeg {
                #expect(bitmap.format == .rgb && bitmap.bytes.allSatisfy { $0 > 250 })
            } else {
                #expect(bitmap.format == .rgba && bitmap.bytes[3] == 0)
            }
        }
    }

    @Test(arguments: [(OutputFormat.jpeg, 2000), (.webP, 1000), (.png, 3000), (.jpeg, 700)])
    func `quality and then size are reduced until a file is small enough`(
        format: OutputFormat, most: Int
    ) throws {
        let photo = try Fixtures.open("jpeg/baseline.jpg")
        let size = try #require(try ImageFacts(reading: FileBytes(photo)).size)
        let derived = try #require(
            try PictureFile.derive(
                photo,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: format, size: size, quality: 100,
                        maximumByteCount: UInt64(most)))))
        #expect(derived.bytes.count <= most)
        #expect(throws: PixelError.tooLarge) {
            try PictureFile.derive(
                photo,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: format, size: size, quality: 100, maximumByteCount: 10)))
        }
    }

    /// The 18 pictures of the corpus look alike upright, and must stay so.
    @Test(.enabled(if: Corpora.areAvailable, "\(Corpora.skipReason)"))
    func `all orientations give the same picture`() throws {
        for entry in Corpora.files(in: "orientation") where entry.name.hasSuffix(".jpg") {
            let file = try Descriptor.openForReading(entry.path)
            let (before, facts) = try PictureFile.decode(file, fitting: 200)
            let change = PictureChange(
                format: .jpeg, size: try #require(facts.size), quality: 95, isStandard: true)
            guard
                let derived = try PictureFile.derive(
                    file, Derivation(removesLocation: false, picture: change))
            else {
                #expect(facts.orientation == .upright, "\(entry)")
                continue
            }
            let result = try MemoryFile.make(named: "result", holding: derived.bytes)
            let (after, written) = try PictureFile.decode(result, fitting: 200)
            #expect(written.orientation == .upright && after.size == before.size, "\(entry)")
            let difference = zip(before.bytes, after.bytes).reduce(0) {
                $0 + abs(Int($1.0) - Int($1.1))
            }
            #expect(Double(difference) / Double(before.bytes.count) < 3, "\(entry)")
        }
    }

    @Test(.enabled(if: Corpora.areAvailable, "\(Corpora.skipReason)"))
    func `broken files give a file or an error`() throws {
        for entry in Corpora.files(in: "broken/jpeg", "broken/other", "bombs", "jpeg-odd") {
            guard let file = try? Descriptor.openForReading(entry.path) else { continue }
            for derivation in [
                Derivation(removesLocation: true),
                Derivation(
                    removesLocation: true,
                    picture: PictureChange(
                        format: .jpeg, size: PixelSize(width: 64, height: 64), quality: 50,
                        isStandard: true)),
            ] {
                do throws(PixelError) {
                    _ = try PictureFile.derive(file, derivation)
                } catch {}
            }
        }
    }

    /// Truncated or altered metadata never traps, and the file keeps its length.
    @Test(arguments: ["orientation/6.jpg", "formats/blocks.tif", "png/rgb.png"])
    func `damaged metadata is handled safely`(name: String) throws {
        let photo = try located(name)
        let sound = try photo.file.read(upTo: 1 << 20)
        let change = PictureChange(
            format: .jpeg, size: PixelSize(width: 32, height: 48), quality: 50, isStandard: true)
        for round in 0..<400 {
            var bytes = sound
            if round < 16 {
                bytes = Array(sound.prefix(sound.count * round / 16 + 1))
            } else {
                for _ in 0..<Int.random(in: 1...8) {
                    let most = min(sound.count, 4096)
                    bytes[.random(in: 12..<most)] = .random(in: .min ... .max)
                }
            }
            let file = try MemoryFile.make(named: "damaged", holding: bytes)
            let derived = try? PictureFile.derive(file, Derivation(removesLocation: true))
            // Unless it was written anew.
            if let derived, !derived.isConverted {
                #expect(derived.applied(to: bytes).count == bytes.count)
            }
            _ = try? PictureFile.derive(file, Derivation(removesLocation: true, picture: change))
        }
    }

    // MARK: - Files and checks

    private struct Photo {
        let path: FilePath
        let file: Descriptor
    }

    private func whole(_ derived: DerivedPicture, of file: Descriptor) throws -> [UInt8] {
        derived.applied(to: try file.read(upTo: 100 << 20))
    }

    private func write(_ bytes: [UInt8], as name: FilePath.Component?) throws -> Photo {
        let folder = home.scratch.appending("\(UInt64.random(in: .min ... .max))")
        try Directory.make(folder)
        let path = folder.appending(name ?? "file")
        try bytes.withUnsafeBytes { (bytes) throws in try AtomicFile.write(bytes, to: path) }
        return Photo(path: path, file: try Descriptor.openForReading(path))
    }

    /// A copy of a fixture with a location in EXIF and XMP, and a date that must be kept.
    private func located(_ name: String) throws -> Photo {
        let path = try write(try Fixtures.bytes(name), as: FilePath(name).lastComponent).path
        try ExifTool.run([
            "-q", "-overwrite_original", "-n", "-GPSLatitude=48.8584",
            "-GPSLatitudeRef=N", "-GPSLongitude=2.2945", "-GPSLongitudeRef=E", "-GPSAltitude=35",
            "-GPSProcessingMethod=GPS", "-XMP-exif:GPSLatitude=48.8584",
            "-XMP-exif:GPSLongitude=2.2945", "-XMP-dc:Title=Tower",
            "-DateTimeOriginal=2024:05:03 10:00:00", "-Make=Maker", path.string,
        ])
        return Photo(path: path, file: try Descriptor.openForReading(path))
    }

    /// A generated picture whose sides are multiples of 16, in an orientation.
    private func blocks(_ orientation: Int) throws -> Photo {
        var pixels: [UInt8] = []
        for y in 0..<32 {
            for x in 0..<64 {
                pixels += [UInt8(x * 4), UInt8(y * 8), UInt8((x * y) % 256)]
            }
        }
        let bitmap = Bitmap(size: PixelSize(width: 64, height: 32), format: .rgb, bytes: pixels)
        let png = try write(bitmap.png(), as: "blocks.png")
        let derived = try #require(
            try PictureFile.derive(
                png.file,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(format: .jpeg, size: bitmap.size, quality: 90))))
        let path = try write(derived.bytes, as: "blocks.jpg").path
        try ExifTool.run(
            ["-q", "-overwrite_original", "-n", "-Orientation=\(orientation)", path.string])
        return Photo(path: path, file: try Descriptor.openForReading(path))
    }

    /// The file without metadata, after a change that keeps the coefficients: equal coefficients
    /// give equal files.
    private func scan(_ path: FilePath, _ change: String) throws -> Data {
        try run(
            "jpegtran", "-copy", "none", "-optimize",
            arguments: change.split(separator: " ").map(String.init) + [path.string])
    }

    private func facts(_ photo: Photo) throws -> [String: String] {
        let output = try ExifTool.run(
            ["-j", "-G1", "-a", "-ee", "--File:all", "--System:all", photo.path.string])
        let list = try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return (list?.first ?? [:]).mapValues { "\($0)" }.filter { $0.key != "SourceFile" }
    }

    private func run(_ program: String, _ words: String..., arguments: [String] = []) throws -> Data
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
        process.arguments = words + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
