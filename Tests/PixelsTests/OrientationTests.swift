// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// JPEGs whose sides are no multiples of their blocks, as 4000 × 3000 and 1920 × 1080 pixels: turned by their
/// metadata, they lose nothing.
@Suite struct OrientationTests {
    private let photos: TaggedPhotos

    init() throws { photos = try TaggedPhotos() }

    private func photo(_ words: [String]) throws -> Descriptor {
        let size = PixelSize(width: 37, height: 23)
        let bytes = (0..<size.width * size.height * 3).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let bitmap = Bitmap(size: size, format: .rgb, bytes: bytes)
        let file = try bitmap.encoded(
            as: .jpeg, quality: 90, metadata: FileMetadata(), isSmall: false)
        guard !words.isEmpty else { return try MemoryFile.make(named: "photo", holding: file) }
        return try photos.file(file, "photo.jpg", words)
    }

    /// Encoded again in the lowest quality, the picture would be another one.
    private func turned(
        _ photo: Descriptor, _ quarters: Int, isStandard: Bool = false,
        removesLocation: Bool = false, removesMetadata: Bool = false
    ) throws -> (file: [UInt8], bitmap: Bitmap, facts: ImageFacts) {
        let size = try #require(try ImageFacts(reading: FileBytes(photo)).size)
        let rotation = Rotation(quarters: quarters)
        let change = PictureChange(
            format: .jpeg, rotation: rotation, size: rotation.applied(to: size), quality: 1,
            isStandard: isStandard)
        let derived = try #require(
            try PictureFile.derive(
                photo,
                Derivation(
                    removesLocation: removesLocation, removesMetadata: removesMetadata,
                    picture: change)))
        #expect(derived.isLocationRemoved == removesLocation)
        let file = try MemoryFile.make(named: "turned", holding: derived.bytes)
        let (bitmap, facts) = try PictureFile.decode(file, fitting: 4096)
        return (derived.bytes, bitmap, facts)
    }

    @Test(arguments: 1...8, 1..<4)
    func `a JPEG whose blocks cannot be turned keeps every pixel`(
        tag: Int, quarters: Int
    ) throws {
        for words in [["-Orientation=\(tag)"], ["-Model=Model 1"], []]
        where tag == 1 || !words.isEmpty {
            let photo = try photo(words)
            let (whole, _) = try PictureFile.decode(photo, fitting: 4096)
            let (_, bitmap, facts) = try turned(photo, quarters)
            #expect(facts.size == whole.turned(quarters).size)
            let differences = zip(bitmap.bytes, whole.turned(quarters).bytes)
                .map { abs(Int($0) - Int($1)) }
            // Blocks that could be turned are rounded in another order.
            let most = facts.orientation == .upright ? 4 : 0
            #expect(differences.max() ?? 255 <= most, "\(words)")
        }
    }

    /// Programs differ in which of them counts.
    @Test func `an orientation that is repeated is changed everywhere`() throws {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let exif =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 2] + entry + entry + [0, 0, 0, 0]
        let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        let plain = try photo([]).read(upTo: 1 << 20)
        let file = Array(plain[..<2]) + segment + plain[2...]
        let memory = try MemoryFile.make(named: "repeated", holding: file)
        let new = try turned(memory, 1).file
        let places = new.indices.filter { new[$0...].starts(with: entry.prefix(8)) }
        #expect(places.map { new[$0 + 9] } == [3, 3])
    }

    @Test func `a JPEG that is turned keeps its metadata`() throws {
        let photo = try photo([
            "-Orientation=6", "-XMP-tiff:Orientation=6", "-XMP-dc:Title=Tower",
            "-IPTC:Headline=Tower", "-EXIF:Model=Model 1", "-Comment=At night",
        ])
        let found = try photos.tags(of: try turned(photo, 1).file, "-G1", "-all")
        #expect(found["XMP-dc:Title"] == "Tower")
        #expect(found["IPTC:Headline"] == "Tower")
        #expect(found["IFD0:Model"] == "Model 1")
        #expect(found["File:Comment"] == "At night")
        #expect(found["IFD0:Orientation"] == "3")
        #expect(found["XMP-tiff:Orientation"] == "3")
    }

    @Test func `a JPEG whose blocks are turned says in its packet that it is upright`() throws {
        let photo = try photos.copy(
            "orientation/6.jpg", ["-XMP-tiff:Orientation=6", "-XMP-dc:Title=Tower"])
        let found = try photos.tags(of: try turned(photo, 1).file, "-G1", "-all")
        #expect(found["IFD0:Orientation"] == "1")
        #expect(found["XMP-tiff:Orientation"] == "1")
        #expect(found["XMP-dc:Title"] == "Tower")
    }

    @Test func `a JPEG that is turned loses its location, or all metadata`() throws {
        let photo = try photo([
            "-XMP-dc:Title=Tower", "-EXIF:GPSLatitude=48.8584", "-EXIF:GPSLatitudeRef=N",
            "-EXIF:GPSLongitude=2.2945", "-EXIF:GPSLongitudeRef=E",
        ])
        let (whole, _) = try PictureFile.decode(photo, fitting: 4096)
        let hidden = try turned(photo, 1, removesLocation: true)
        #expect(hidden.bitmap.bytes == whole.turned(1).bytes)
        let found = try photos.tags(of: hidden.file, "-EXIF:all", "-XMP:all")
        #expect(found["GPSLatitude"] == nil)
        #expect(found["Title"] == "Tower")
        let bare = try turned(photo, 1, removesMetadata: true)
        #expect(bare.bitmap.bytes == whole.turned(1).bytes)
        #expect(
            try photos.tags(of: bare.file, "-EXIF:all", "-XMP:all") == ["Orientation": "6"])
    }

    /// Programs that know no orientation read it, too.
    @Test func `a compatible JPEG is upright even if it must be encoded again`() throws {
        let photo = try photo(["-Orientation=6"])
        let (_, bitmap, facts) = try turned(photo, 1, isStandard: true)
        #expect(facts.orientation == .upright)
        #expect(bitmap.size == PixelSize(width: 37, height: 23))
    }
}
