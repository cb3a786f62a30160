// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// What pictures and sidecar files say about themselves.
@Suite struct PhotoDetailsTests {
    init() {
        HEIFFormats.install()
    }

    @Test func `texts, camera, lens, stars and a place are read from a photo`() throws {
        #expect(
            try details("texts/details.jpg")
                == PhotoDetails(
                    title: "Summer & sea", caption: "Two boats, one is red",
                    keywords: ["boat", "Müller", "日落"], rating: 4, camera: "NIKON D90",
                    lens: "35mm f/1.8", hasPlace: true))
    }

    @Test func `texts of Windows are read, and not what a camera writes for every photo`() throws {
        #expect(
            try details("texts/windows.jpg")
                == PhotoDetails(
                    title: "Größe", caption: "A comment", keywords: ["red", "blue"], rating: 2,
                    camera: "Maker Model"))
    }

    @Test func `texts of IPTC records are read`() throws {
        #expect(
            try details("texts/iptc-details.jpg")
                == PhotoDetails(title: "Harbour", caption: "Ropes", keywords: ["mast", "rope"]))
    }

    @Test func `texts of a PNG file are read`() throws {
        #expect(
            try details("texts/title.png") == PhotoDetails(title: "A window", caption: "Grüße"))
    }

    @Test func `texts that tell a place are left out`() throws {
        #expect(
            try details("texts/told-places.jpg")
                == PhotoDetails(title: "Evening", keywords: ["tower"]))
    }

    @Test(arguments: ["jpeg/grey.jpg", "broken/exif-offsets.jpg", "broken/marker-loop.jpg"])
    func `a photo without texts says nothing`(name: String) throws {
        #expect(try details(name).isEmpty)
    }

    @Test(arguments: [
        "raw/canon.cr3", "raw/nikon.nef", "raw/sony.arw", "raw/fujifilm.raf", "formats/blocks.tif",
        "formats/blocks.heic", "formats/blocks.jxl", "formats/blocks.webp", "psd/flat.psd",
    ])
    func `details of every kind of file keep the limits`(name: String) throws {
        #expect(try details(name).isBounded)
    }

    @Test(.enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)))
    func `details of photos of many cameras keep the limits`() throws {
        var cameras: Set<String> = []
        for entry in Corpora.manifest {
            let details = try ImageFacts(
                reading: FileBytes(Descriptor.openForReading(entry.path))
            ).details
            #expect(details.isBounded, "\(entry.name)")
            if let camera = details.camera { cameras.insert(camera) }
        }
        #expect(cameras.count > 5)
    }

    // MARK: - Sidecar files

    @Test func `a sidecar file of darktable is read`() throws {
        #expect(
            try sidecar(Fixtures.bytes("sidecar/darktable.xmp"))
                == PhotoDetails(title: "By darktable", keywords: ["harbour", "rope"], rating: 5))
    }

    @Test func `of a sidecar file of digiKam, the names of places are left out`() throws {
        #expect(
            try sidecar(Fixtures.bytes("sidecar/digikam.xmp"))
                == PhotoDetails(caption: "By digiKam", keywords: ["dog"], hasPlace: true))
    }

    @Test func `another file is no sidecar file`() throws {
        for name in ["jpeg/grey.jpg", "broken/text.jpg"] {
            #expect(throws: PixelError.unsupported) { try sidecar(Fixtures.bytes(name)) }
        }
        // Larger than any packet without pictures.
        let head = Array("<x:xmpmeta>".utf8)
        #expect(throws: PixelError.unsupported) {
            try sidecar(head + [UInt8](repeating: 0x20, count: 1 << 20))
        }
    }

    @Test func `a sidecar file that is cut off anywhere gives texts within the limits`() throws {
        let whole = try Fixtures.bytes("sidecar/digikam.xmp")
        for count in stride(from: 0, to: whole.count, by: 7) {
            guard let details = try? sidecar(Array(whole.prefix(count))) else { continue }
            #expect(details.isBounded)
        }
    }

    @Test(arguments: ["-1", "0", "6", "five", "99999999999999999999"])
    func `a rating that is none is left out`(rating: String) throws {
        let text = String(decoding: try Fixtures.bytes("sidecar/darktable.xmp"), as: UTF8.self)
        let changed = text.replacing("Rating=\"5\"", with: "Rating=\"\(rating)\"")
        #expect(try sidecar(Array(changed.utf8)).rating == nil)
    }

    // MARK: - Names of places

    @Test func `names of places are left out wherever else they are written`() throws {
        // As digiKam writes it: in the packet, in IPTC records and, for Windows, in EXIF data.
        var texts = PhotoTexts(
            WrittenMetadata(
                xmp: packet(keywords: ["Lisbon"], paths: ["Places|Portugal|Lisbon"])[...],
                iptc: Block(keywordRecord("Lisbon") + keywordRecord("tram"))))
        #expect(PhotoDetails(texts, nil).keywords == ["tram"])
        texts = PhotoTexts(
            WrittenMetadata(
                xmp: packet(keywords: ["Lisbon"], paths: ["Places|Portugal|Lisbon"])[...]))
        var others = PhotoTexts()
        others.keywords = ["Portugal", "Lisbon", "tram"]
        #expect(texts.completed(by: others).withoutPlaces.keywords == ["tram"])
        // The packet does not repeat it, and writes blanks.
        texts = PhotoTexts(
            WrittenMetadata(
                xmp: packet(keywords: [], paths: ["Places | Portugal | Lisbon"])[...],
                iptc: Block(keywordRecord("Lisbon"))))
        #expect(PhotoDetails(texts, nil).keywords.isEmpty)
    }

    @Test func `as many keywords are read as are kept, and places among as many`() throws {
        let words = (1...PhotoDetails.mostKeywords).map { "word \($0)" }
        #expect(try sidecar(packet(keywords: words, paths: [])).keywords == words)
        let paths = words.dropLast().map { "Words|\($0)" } + ["Places|Portugal|Lisbon"]
        #expect(
            try sidecar(packet(keywords: ["Lisbon", "tram"], paths: paths)).keywords == ["tram"])
    }

    @Test func `names of cameras and lenses that tell a place are left out`() throws {
        let place = "48.858222 N, 2.2945 E"
        #expect(
            PhotoDetails(title: nil, caption: nil, make: "X", model: place, hasPlace: false)
                .isEmpty)
        var texts = PhotoTexts()
        texts.lens = place
        #expect(PhotoDetails(texts, nil).isEmpty)
        texts = PhotoTexts()
        texts.title = "48.858222 N"
        texts.description = "2.2945 E"
        #expect(PhotoDetails(texts, nil).title == nil)
        // Nothing of what real cameras write.
        texts = PhotoTexts()
        texts.make = "NIKON"
        texts.model = "NIKON D90"
        texts.lens = "18.0-105.0 mm f/3.5-5.6"
        #expect(PhotoDetails(texts, nil).camera == "NIKON D90")
        #expect(PhotoDetails(texts, nil).lens == "18.0-105.0 mm f/3.5-5.6")
    }

    /// An XMP packet, as Lightroom writes it.
    private func packet(keywords: [String], paths: [String]) -> [UInt8] {
        func list(_ name: String, _ items: [String]) -> String {
            let items = items.map { "\n<rdf:li>\($0)</rdf:li>" }.joined()
            return items.isEmpty ? "" : "<\(name)><rdf:Bag>\(items)</rdf:Bag></\(name)>"
        }
        return Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/">\
            \(list("dc:subject", keywords))\(list("lr:hierarchicalSubject", paths))\
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private func keywordRecord(_ keyword: String) -> ArraySlice<UInt8> {
        [0x1C, 2, 25, 0, UInt8(keyword.utf8.count)] + Array(keyword.utf8)
    }

    // MARK: - Helpers

    private func sidecar(_ bytes: [UInt8]) throws -> PhotoDetails {
        try PhotoDetails(
            sidecar: FileBytes(MemoryFile.make(named: "sidecar", holding: bytes)))
    }

    private func details(_ name: String) throws -> PhotoDetails {
        try ImageFacts(reading: FileBytes(Fixtures.open(name))).details
    }
}
