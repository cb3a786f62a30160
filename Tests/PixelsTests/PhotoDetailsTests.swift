// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// What pictures and sidecar files say about themselves.
@Suite struct PhotoDetailsTests {
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

    private func sidecar(_ bytes: [UInt8]) throws -> PhotoDetails {
        try PhotoDetails(
            sidecar: FileBytes(MemoryFile.make(named: "sidecar", holding: bytes)))
    }

    private func details(_ name: String) throws -> PhotoDetails {
        try ImageFacts(reading: FileBytes(Fixtures.open(name))).details
    }
}
