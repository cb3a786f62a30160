// SPDX-License-Identifier: MIT

import Photos

/// The notes of camera makers in EXIF data.
///
/// - Source: ExifTool's tables of the makers.
extension LocationEditor {
    /// The notes of one maker.
    private struct Maker: Sendable {
        /// The first bytes of the note; empty if it has no name.
        let name: [UInt8]
        /// The maker according to the EXIF data; empty for any.
        var make = ""
        /// Where the note's directory is; nil if there are no places in it.
        var directory: Int?
        /// Whether there is a TIFF structure of its own.
        var hasStructure = false
        /// The tags with a place.
        var places: Set<UInt16> = []

        init(
            _ name: String, make: String = "", directory: Int? = nil, hasStructure: Bool = false,
            places: Set<UInt16> = []
        ) {
            self.name = Array(name.utf8)
            self.make = make
            self.directory = directory
            self.hasStructure = hasStructure
            self.places = places
        }
    }

    /// Location, country, state, city and landmark.
    private static let panasonicPlaces: Set<UInt16> = [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]

    private static let makers: [Maker] = [
        Maker("Nikon\0\u{2}", directory: 10, hasStructure: true, places: [0x0039]),
        Maker("Nikon\0\u{1}"), Maker("RECONYX"),
        Maker("Panasonic\0", directory: 12, places: panasonicPlaces),
        Maker("LEICA\0\0\0", directory: 8, places: panasonicPlaces),
        Maker("LEICA CAMERA AG\0", directory: 18, places: panasonicPlaces),
        Maker("Apple iOS\0"), Maker("FUJIFILM"), Maker("GENERALE"), Maker("OLYMP"),
        Maker("OM SYSTEM"), Maker("EPSON\0"), Maker("SONY "), Maker("SEMC MS\0"), Maker("VHAB"),
        Maker("AOC\0"), Maker("PENTAX "), Maker("LEICA"), Maker("KDK"), Maker("Kodak"),
        Maker("MINOL"), Maker("CAMER"), Maker("MLT0"), Maker("KC\0"), Maker("+M+M"),
        Maker("SIGMA\0"), Maker("FOVEON\0"), Maker("QVC\0"), Maker("DCI\0"), Maker("Ricoh"),
        Maker("RICOH"), Maker("Rev0"), Maker("RV0"), Maker("GE\0\0"), Maker("GENIC\0"),
        Maker("SANYO\0"), Maker("KYOCERA"), Maker("IIII"), Maker("XIAOMI"),
        Maker("", make: "Samsung", directory: 0, places: [0x0030, 0x0031]),
        Maker("", make: "Canon"), Maker("", make: "CASIO"), Maker("", make: "Nikon"),
        Maker("", make: "Asahi"), Maker("", make: "Minolta"), Maker("", make: "Konica"),
        Maker("", make: "Leica"), Maker("", make: "Sony"), Maker("", make: "JVC"),
        Maker("", make: "HP"), Maker("", make: "Hewlett"), Maker("", make: "Kodak"),
        Maker("", make: "Eastman"), Maker("", make: "Hasselblad"), Maker("", make: "Phase One"),
        Maker("", make: "Leaf"), Maker("", make: "Reconyx"), Maker("", make: "DJI"),
        Maker("", make: "FLIR"), Maker("", make: "Ricoh"), Maker("", make: "Olympus"),
        Maker("", make: "Pentax"), Maker("", make: "Fuji"), Maker("", make: "Panasonic"),
        Maker("", make: "Sanyo"), Maker("", make: "Toshiba"), Maker("", make: "Concord"),
        Maker("", make: "GE"), Maker("", make: "General"), Maker("", make: "Vivitar"),
        Maker("", make: "Polaroid"), Maker("", make: "Motorola"), Maker("", make: "Google"),
        Maker("", make: "SKANHEX"),
    ]

    /// Whether a maker's note can stay, after its places have been removed.
    mutating func keepsMakerNote(
        _ note: Block, of directory: TIFFDirectory, _ make: String
    ) throws(PixelError) -> Bool {
        try keepsMakerNote(note, in: directory.structure, directory.order, make)
    }

    /// - Parameter structure: What the offsets in the note are relative to; nil if it is not there.
    private mutating func keepsMakerNote(
        _ note: Block, in structure: Block?, _ order: ByteReader.Order, _ make: String
    ) throws(PixelError) -> Bool {
        let bytes = note.bytes(count: min(note.count, Self.maximumMetadata))
        if bytes.allSatisfy({ $0 == 0 }) { return true }
        // Encrypted logs of Google's phones.
        if bytes.starts(with: "HDRP".utf8) { return false }
        // A number of Reconyx, whose files may not name the maker.
        if bytes.starts(with: [0x01, 0xF1]) { return !PlaceText.namesPosition(bytes) }
        let make = make.lowercased()
        guard
            let maker = Self.makers.first(where: {
                bytes.starts(with: $0.name) && make.hasPrefix($0.make.lowercased())
            })
        else { return false }
        if PlaceText.namesPosition(bytes) {
            if needsMakerNote { throw .locationStays }
            return false
        }
        guard let start = maker.directory else { return true }
        let found: TIFFDirectory?
        if maker.hasStructure {
            found = TIFFDirectory.first(in: note.dropFirst(start))
        } else {
            // Its offsets are relative to the EXIF data.
            found = structure.map { structure in
                let offset = note.range.lowerBound - structure.range.lowerBound + start
                return TIFFDirectory(in: structure, order, at: offset)
            }
        }
        guard let found else { return false }
        if maker.hasStructure, let entry = found.entry(Self.nikonCapture),
            let settings = found.longValue(of: entry)
        {
            editNikonCapture(settings)
        }
        let places = found.entries.filter { maker.places.contains($0.tag) }
        for place in places {
            // Cameras without GPS write blanks or dashes.
            if let value = found.longValue(of: place) {
                if value.hasLetters { patch.fill(value.prefix(65_536)) }
            } else if let value = found.valueField(of: place) {
                blank(value)
            }
        }
        return true
    }

    /// The settings of Nikon's programs, among which are IPTC records.
    private static let nikonCapture: UInt16 = 0x0E01

    /// Edits the records that Nikon's programs keep beside their settings.
    ///
    /// - Source: ExifTool's table `NikonCapture::Main`: behind a head of 22 bytes, each setting is a number, 14
    ///   bytes, its size with that of the size itself, and a value.
    private mutating func editNikonCapture(_ settings: Block) {
        var rest = settings.dropFirst(22)
        while let number = rest.uint32(at: 0, .littleEndian),
            let size = rest.uint32(at: 18, .littleEndian), size >= 4
        {
            let value = rest.dropFirst(22).prefix(Int(size) - 4)
            if number == 0x9EF5_F6E0 { editIPTC(value) }
            rest = rest.dropFirst(18 + Int(size))
        }
    }

    /// Whether the private data of a DNG file can stay, after its places have been removed.
    ///
    /// - Source: DNG 1.6, “DNGPrivateData”; ExifTool's table `DNG::AdobeData`.
    mutating func keepsPrivateData(
        _ data: Block, of directory: TIFFDirectory, _ make: String
    ) throws(PixelError) -> Bool {
        let name = Array("Adobe\0".utf8)
        guard data.starts(with: name) else {
            return try keepsMakerNote(data, of: directory, make)
        }
        var rest = data.dropFirst(name.count)
        while let size = rest.uint32(at: 4, .bigEndian).map(Int.init) {
            let content = rest.dropFirst(8).prefix(size)
            if rest.starts(with: "MakN".utf8),
                try !keepsConvertedNote(content, in: directory.structure, make)
            {
                blank(content)
            }
            rest = rest.dropFirst(8).dropFirst(size + size % 2)
        }
        return true
    }

    /// Whether a maker's note stays that comes from another file, after its places have been removed.
    ///
    /// It follows its byte order and its offset in that file, to which its offsets are relative.
    private mutating func keepsConvertedNote(
        _ content: Block, in file: Block, _ make: String
    ) throws(PixelError) -> Bool {
        let note = content.dropFirst(6)
        guard let old = content.uint32(at: 2, .bigEndian).map(Int.init) else { return false }
        let start = note.range.lowerBound - file.range.lowerBound - old
        let structure = start >= 0 ? file.dropFirst(start) : nil
        let isLittle = content.starts(with: "II".utf8)
        return try keepsMakerNote(
            note, in: structure, isLittle ? .littleEndian : .bigEndian, make)
    }
}

extension Block {
    /// Whether its bytes contain letters or digits, apart from a version at the start.
    fileprivate var hasLetters: Bool {
        bytes(at: 4, count: 65_536).contains { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
    }
}
