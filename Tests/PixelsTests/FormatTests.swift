// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import Pixels
import Processes
import RareFormats
import SystemPackage
import TestSupport
import Testing

/// Checks of every row of the table of media types; a missing part is named.
///
/// See “Where do I add a picture format” in docs/ARCHITECTURE.md.
@Suite struct FormatTests {
    /// A row, which the output of the test identifies by its type.
    struct Row: Sendable, CustomTestStringConvertible {
        let entry: MediaTypeEntry

        var type: MediaType { entry.type }
        var testDescription: String { type.rawValue }

        /// The labelled picture as a file of this type, found by its extension alone.
        func fixture() throws -> Descriptor {
            let path = FormatTests.fixtures[entry.fileExtension]
            return try Descriptor.openForReading(
                try #require(
                    path,
                    """
                    no fixture of \(type) ends with .\(entry.fileExtension): is the extension \
                    right, and is the file in scripts/make-fixtures?
                    """))
        }
    }

    init() {
        HEIFFormats.install()
        RareFormats.install()
    }

    /// The first file with each extension that shows the labelled picture.
    private static let fixtures: [String: FilePath] = {
        let paths = ["formats", "raw"].flatMap { name in
            let folder = Fixtures.path(name)
            return names(in: folder).map { folder.appending($0) }
        }
        return Dictionary(
            paths.sorted { $0.string < $1.string }.map { ($0.extension ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
    }()

    static let pictures = MediaType.table.filter(\.type.isImage).map { Row(entry: $0) }
    private static let size = PixelSize(width: 48, height: 32)

    // MARK: - The table

    @Test(arguments: pictures)
    func `every type of picture has exactly one format`(row: Row) {
        #expect(
            PictureFormats.mediaTypes.count { $0 == row.type } == 1,
            "\(row.type) needs one PictureFormat that is in PictureFormats.all")
    }

    @Test(arguments: PictureFormats.mediaTypes.map(\.rawValue))
    func `every type of a format has a row in the table`(type: String) {
        #expect(pictureTypes.contains(type), "\(type) needs a row in MediaType.table")
    }

    private var pictureTypes: [String] { Self.pictures.map(\.type.rawValue) }

    @Test func `no two types have the same name, alias or extension`() {
        var names: Set<String> = []
        var extensions: Set<String> = []
        // Desktops use image/heif for every HEIF file.
        let shared: Set = ["image/heif"]
        for entry in MediaType.table {
            for name in [entry.type.rawValue] + entry.aliases where !shared.contains(name) {
                #expect(names.insert(name).inserted, "\(name) is twice in MediaType.table")
                #expect(name == name.lowercased())
            }
            for name in [entry.fileExtension] + entry.otherExtensions {
                #expect(extensions.insert(name).inserted, "\(name) is twice in MediaType.table")
                #expect(name == name.lowercased())
            }
        }
    }

    @Test(arguments: MediaType.table.map { Row(entry: $0) })
    func `the README names every type of pictures and videos`(row: Row) throws {
        let text = String(
            decoding: try Descriptor.openForReading(Programs.source.appending("README.md"))
                .read(upTo: 1 << 20), as: UTF8.self)
        let start = try #require(text.firstRange(of: "## Formats")).upperBound
        let section = text[start...].prefix(
            upTo: text[start...].firstRange(of: "\n## ")?.lowerBound ?? text.endIndex)
        let words = Set(
            section.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let separate: [MediaType: String] = [
            .jpegXL: "JPEG XL", .jpeg2000: "JPEG 2000", .openEXR: "OpenEXR",
        ]
        let names =
            [row.entry.fileExtension] + row.entry.otherExtensions
            + row.type.rawValue.split { "/.+-".contains($0) }.suffix(1).map(String.init)
        #expect(
            names.contains(where: words.contains)
                || separate[row.type].map { section.contains($0) } == true,
            "\(row.type) is missing from the table of formats in README.md")
    }

    // MARK: - A file of each type

    @Test(arguments: pictures)
    func `a file is recognized as the type of its extension`(row: Row) throws {
        let file = try FileBytes(row.fixture())
        #expect(
            MediaType.sniffed(from: file.start) != nil,
            "no signature in MediaType.table fits a file of \(row.type)")
        #expect(try ImageFacts(reading: file).mediaType == row.type)
    }

    @Test(arguments: pictures)
    func `the size of a picture is in its header`(row: Row) throws {
        let facts = try ImageFacts(reading: FileBytes(row.fixture()))
        let size = try #require(facts.size, "the format of \(row.type) reads no size")
        // A raw file states the size of the sensor's picture, which has the same shape.
        #expect(size.width * 2 == size.height * 3, "\(row.type): \(size)")
    }

    @Test(arguments: pictures)
    func `a picture is decoded as it was drawn`(row: Row) throws {
        let file = try row.fixture()
        let (bitmap, _) = try PictureFile.decode(file, fitting: 256)
        #expect(bitmap.size == Self.size)
        let colours: [(x: Int, y: Int, colour: [Int])] = [
            (8, 8, [230, 30, 30]), (24, 8, [30, 200, 30]), (40, 8, [30, 30, 230]),
            (8, 24, [230, 230, 30]), (24, 24, [230, 30, 230]), (40, 24, [30, 230, 230]),
        ]
        for (x, y, colour) in colours {
            let start = y * bitmap.stride + x * bitmap.format.bytesPerPixel
            let pixel = bitmap.bytes[start..<start + 3].map(Int.init)
            let difference = zip(pixel, colour).map { abs($0 - $1) }.max() ?? 255
            #expect(difference < 20, "\(row.type) at \(x), \(y): \(pixel)")
        }
        // Also smaller, like a thumbnail.
        let (small, _) = try PictureFile.decode(file, fitting: 12, .fast)
        #expect(small.size == PixelSize(width: 12, height: 8))
    }

    /// Two photos of the same size that differ only between the samples would be merged.
    @Test(arguments: pictures)
    func `a type that stores plain pixels is compared byte by byte`(row: Row) throws {
        let count = try row.fixture().read(upTo: 1 << 20).count
        let plain = Self.size.width * Self.size.height * 3
        #expect(
            count < plain || !row.entry.isCompressed,
            "\(row.type) is not compressed, so its row must say isCompressed: false")
    }

    @Test(arguments: pictures)
    func `a picture that is truncated anywhere does not trap`(row: Row) throws {
        let bytes = try row.fixture().read(upTo: 1 << 20)
        for count in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 100)) {
            let file = try MemoryFile.make(named: "short", holding: Array(bytes.prefix(count)))
            // Either an error or a picture is fine.
            _ = try? PictureFile.decode(file, fitting: 64)
        }
    }

    @Test(arguments: pictures)
    func `a picture that other bytes follow does not trap`(row: Row) throws {
        let bytes = try row.fixture().read(upTo: 1 << 20)
        let file = try MemoryFile.make(named: "long", holding: bytes + bytes)
        // Either an error or a picture is fine.
        for side in [12, 256] { _ = try? PictureFile.decode(file, fitting: side) }
    }

    @Test func `every type of pictures is supported where Debian's libraries are`() {
        #expect(Set(PictureFormats.supportedTypes) == Set(Self.pictures.map(\.type)))
    }

    // MARK: - The fixtures

    @Test func `make-fixtures makes every fixture, and no other file`() throws {
        let script = Programs.source.appending("scripts").appending("make-fixtures")
        let problems = try ProgramOutput.capture(
            "sh", ["-c", "\(script) --check 2>&1 || true"], timeout: .seconds(60))
        #expect(String(decoding: problems, as: UTF8.self) == "")
    }
}
