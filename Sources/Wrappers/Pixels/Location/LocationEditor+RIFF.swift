// SPDX-License-Identifier: MIT

import Photos

/// WebP and AVI.
///
/// - Source: RFC 9649, 2; Microsoft, AVI RIFF File Reference; for makers' chunks, ExifTool's tables of
///   RIFF.
extension LocationEditor {
    private static let harmlessChunks: Set<String> = [
        // WebP
        "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM",
        // AVI
        "avih", "strh", "strf", "strn", "vprp", "dmlh", "indx", "idx1", "IDIT", "ISMP", "tcdl",
        "time",
    ]
    /// Texts that name no place.
    private static let harmlessTexts: Set<String> = [
        "INAM", "IART", "ICMT", "ICOP", "ICRD", "IDIT", "IENG", "IGNR", "IKEY", "IMED", "IPRD",
        "ISBJ", "ISFT", "ISMP", "ISRC", "ISRF", "ITCH", "ITRK", "TAPE", "TCDO", "ILNG", "IWRI",
        "IPRO", "IPRT", "ICNM", "IEDT", "ICMS", "IRTD", "IAS1", "ISTR", "ICDS",
    ]
    /// Lists with a header, or with facts about makers, that are searched.
    private static let lists: Set<String> = ["hdrl", "strl", "odml", "INFO", "ncdt", "exif"]

    mutating func editRIFF(_ file: Block, _ depth: Int) throws(PixelError) {
        if file.starts(with: "AVI ".utf8, at: 8) { return try editVideo(file, depth) }
        var offset = 0
        while file.starts(with: "RIFF".utf8, at: offset),
            let size = file.uint32(at: offset + 4, .littleEndian).map(Int.init)
        {
            let content = file.dropFirst(offset + 8).prefix(size)
            try editChunks(content.dropFirst(4), depth, 0)
            offset += 8 + size + size % 2
        }
        if offset < file.count { blank(file.dropFirst(offset)) }
    }

    /// Edits an AVI file chunk by chunk.
    private mutating func editVideo(_ file: Block, _ depth: Int) throws(PixelError) {
        var parts = AVIParts(file)
        while let part = try parts.next() {
            switch part {
            case .media: continue
            case .chunk(let chunk, let isInMovie):
                // What a wrong size makes a part of the metadata must not be overwritten.
                if !isInMovie, AVIParts.containsMedia(chunk.content) { throw .locationStays }
                if isInMovie, !Self.isKnownInMovie(chunk) {
                    if tellsPlace(chunk.content) { throw .locationStays }
                } else {
                    try edit(chunk, depth, 0)
                }
            case .gap(let gap, let isInMovie):
                guard tellsPlace(gap) || PlaceText.describesPlace(bytes(gap)) else { continue }
                if isInMovie { throw .locationStays }
                patch.fill(gap)
            case .rest(let rest): blank(rest)
            }
        }
    }

    /// Whether a chunk between samples may be edited.
    private static func isKnownInMovie(_ chunk: RIFFPiece) -> Bool {
        harmlessChunks.contains(chunk.text) || ["LIST", "JUNK"].contains(chunk.text)
    }

    private mutating func editChunks(
        _ list: Block, _ depth: Int, _ level: Int
    ) throws(PixelError) {
        var offset = 0
        var count = 0
        while let name = list.uint32(at: offset, .bigEndian),
            let size = list.uint32(at: offset + 4, .littleEndian).map(Int.init)
        {
            count += 1
            guard count < Self.maximumBoxes else { throw .locationStays }
            let content = list.dropFirst(offset + 8).prefix(size)
            let chunk = RIFFPiece(name: name, start: list.dropFirst(offset), content: content)
            try edit(chunk, depth, level)
            offset += 8 + size + size % 2
        }
        blank(list.dropFirst(offset))
    }

    private mutating func edit(
        _ chunk: RIFFPiece, _ depth: Int, _ level: Int
    ) throws(PixelError) {
        let name = chunk.text
        switch name {
        case "LIST":
            let kind = String(decoding: chunk.content.bytes(count: 4), as: UTF8.self)
            if kind == "movi" { return }
            guard Self.lists.contains(kind), level < 4, !isStrict || kind != "INFO" else {
                return blank(chunk.content.dropFirst(4))
            }
            try editChunks(chunk.content.dropFirst(4), depth, level + 1)
        case "EXIF":
            let exif = JPEGSegments.Segment.exifName
            let isNamed = chunk.content.starts(with: exif)
            try editEXIF(chunk.content.dropFirst(isNamed ? exif.count : 0), depth)
        case "XMP ", "_PMX": try editXMP(chunk.content)
        case "ICCP": editProfile(chunk.content)
        // The frame of an animation: chunks behind its place and duration.
        case "ANMF" where level == 0:
            try editChunks(chunk.content.dropFirst(RIFFChunk.frameHeaderSize), depth, level + 1)
        case "JUNK": if isStrict || tellsPlace(chunk.content) { blank(chunk.content) }
        case "C2PA": if mayTellPlace(manifest: bytes(chunk.content)) { blank(chunk.content) }
        case "nctg": editNikon(chunk.content)
        case "ncvw": try edit(chunk.content, depth: depth + 1)
        // The name of a version, and facts about the camera: text.
        case "nctv", "ever", "erel", "etim", "ecor", "emdl", "emnt", "eucm", "strd":
            if isStrict || tellsPlace(chunk.content) { blank(chunk.content) }
        case _ where Self.harmlessChunks.contains(name): return
        case _ where Self.harmlessTexts.contains(name) && !isStrict:
            if PlaceText.describesPlace(bytes(chunk.content)) { blank(chunk.content) }
        default:
            patch.write(Array("JUNK".utf8), over: chunk.start)
            patch.fill(chunk.content)
        }
    }

    /// Whether padding contains text about a position.
    private func tellsPlace(_ padding: Block) -> Bool {
        let bytes = bytes(padding)
        return PlaceText.tellsPosition(inData: bytes)
            || bytes[...].firstIndex(of: Array("GPS".utf8), from: 0) != nil
            || bytes[...].firstIndex(of: Array("Exif".utf8), from: 0) != nil
            || bytes[...].firstIndex(of: Array("AVIF".utf8), from: 0) != nil
    }

    /// - Source: ExifTool's table `Nikon::AVITags`.
    private mutating func editNikon(_ data: Block) {
        var offset = 0
        while let tag = data.uint16(at: offset, .littleEndian),
            let size = data.uint16(at: offset + 2, .littleEndian)
        {
            // 0x03 to 0x19 are facts about the picture.
            if isStrict || tag > 0x19 { blank(data.dropFirst(offset + 4).prefix(Int(size))) }
            offset += 4 + Int(size)
        }
    }
}
