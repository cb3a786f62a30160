// SPDX-License-Identifier: MIT

import Photos

/// Movies: their tracks and user data.
///
/// - Source: ISO/IEC 14496-12, 8; Apple, QuickTime File Format; 3GPP TS 26.244, 8.2 (`loci`); for
///   makers' boxes, ExifTool's tables of QuickTime.
extension LocationEditor {
    private static let movieBoxes: Set<String> = [
        "mvhd", "iods", "mvex", "ctab", "clip", "prfl", "rmra", "pssh",
    ]
    private static let trackBoxes: Set<String> = [
        "tkhd", "mdia", "edts", "tref", "load", "matt", "clip", "imap", "tapt", "txas", "trgr",
    ]
    /// Text and settings that contain no place.
    private static let harmlessData: Set<String> = [
        "name", "hnti", "hinf", "cprt", "titl", "auth", "perf", "gnre", "dscp", "albm", "yrrc",
        "rtng", "clsf", "kywd", "tsel", "ptv ", "LOOP", "AllF", "SelO", "WLOC", "vndr", "cdis",
        "FIRM", "LENS", "CAME", "SETT", "MUID", "HMMT", "BCID", "GUMI", "Xtra", "smta", "hinv",
        "kind", "strk", "ludt", "tagc", "date", "FOV\0", "modl", "manu", "urat",
    ]

    mutating func editMovie(
        _ movie: Block, in file: Block, isFragmented: Bool, _ depth: Int
    ) throws(PixelError) {
        for box in ISOBox.boxes(in: movie, atMost: 1000) {
            try Self.expectSound(box, elsewhere: Self.boxesOutsideMovies)
            switch box.name {
            case "trak": try editTrack(box, in: file, isFragmented: isFragmented, depth)
            case "udta": try editUserData(box.content, depth)
            case "meta": try editMetadata(box.content, in: file, depth)
            case "uuid": try editExtension(box, depth)
            // The places of a dashcam's positions.
            case "gps ": removePositions(listedIn: box, of: file)
            case "free", "skip", "wide": editFreeSpace(box)
            // A movie header that is compressed.
            case "cmov": throw .locationStays
            case _ where Self.movieBoxes.contains(box.name): continue
            default: remove(box)
            }
        }
    }

    private mutating func editTrack(
        _ track: ISOBox, in file: Block, isFragmented: Bool, _ depth: Int
    ) throws(PixelError) {
        let samples = TrackSamples(track.content, in: file)
        if try !keeps(samples) {
            guard !isFragmented, let chunks = samples.chunks else { throw .locationStays }
            for chunk in chunks { patch.fill(chunk) }
            return remove(track)
        }
        // The name of what made the track, behind its kind.
        if let handler = ISOBox.content(of: "mdia", "hdlr", in: track.content) {
            editComments([handler.dropFirst(24)], with: 0)
        }
        for box in ISOBox.boxes(in: track.content, atMost: 1000) {
            try Self.expectSound(box, elsewhere: Self.boxesOutsideTracks)
            switch box.name {
            case "udta": try editUserData(box.content, depth)
            case "meta": try editMetadata(box.content, in: file, depth)
            case "uuid": try editExtension(box, depth)
            case "free", "skip", "wide": editFreeSpace(box)
            case _ where Self.trackBoxes.contains(box.name): continue
            default: remove(box)
            }
        }
    }

    // MARK: - Sizes

    private static let boxesOfFiles: Set<String> = ["ftyp", "moov", "moof", "mdat", "sidx", "mfra"]
    private static let boxesOfMovies: Set<String> = ["mvhd", "trak", "mvex", "iods"]
    private static let boxesOfTracks: Set<String> = [
        "tkhd", "mdia", "edts", "elst", "mdhd", "minf", "vmhd", "smhd", "dinf",
        "stbl", "stsd", "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stz2", "stco", "co64",
        "sgpd", "sbgp", "sdtp",
    ]
    private static let boxesOutsideMovies = boxesOfFiles.union(boxesOfTracks)
    private static let boxesOutsideTracks = boxesOfFiles.union(boxesOfMovies)
    private static let boxesOutsideFiles = boxesOfMovies.union(boxesOfTracks)

    /// Refuses a box that is only there because of a wrong size: it must not be removed.
    ///
    /// - Parameter elsewhere: The names of boxes that have their place elsewhere.
    static func expectSound(
        _ box: ISOBox, elsewhere: Set<String>
    ) throws(PixelError) {
        if box.isCutOff || elsewhere.contains(box.name) { throw .locationStays }
    }

    /// Refuses a part of a movie at the top of a file.
    static func expectSound(atTop box: ISOBox) throws(PixelError) {
        if boxesOutsideFiles.contains(box.name) { throw .locationStays }
        if box.isCutOff, box.name != "mdat" { throw .locationStays }
    }

    /// Refuses a change to the samples of a track that stays, or to the whole movie.
    ///
    /// - Parameter boxes: The boxes of the file.
    func expectSamples(in boxes: [ISOBox], of file: Block) throws(PixelError) {
        let changed = patch.ranges
        for movie in boxes where movie.name == "moov" {
            for box in ISOBox.boxes(in: movie.content, atMost: 1000) where box.name == "trak" {
                let track = TrackSamples(box.content, in: file)
                guard Self.media.contains(track.handler), let chunks = track.chunks else {
                    continue
                }
                if chunks.contains(where: { Patch.overlaps(changed, $0.range) }) {
                    throw .locationStays
                }
            }
        }
    }

    // MARK: - Tracks

    /// Pictures, sound, time codes and hints.
    private static let media: Set<String> = [
        "vide", "soun", "tmcd", "clcp", "auxv", "pict", "hint", "sdsm", "odsm",
    ]
    private static let maximumText = 16 << 20

    /// Whether a track stays.
    private func keeps(_ track: TrackSamples) throws(PixelError) -> Bool {
        switch track.handler {
        case _ where Self.media.contains(track.handler): return true
        // Subtitles, in which drones write their position.
        case "text", "sbtl", "subt":
            guard let chunks = track.chunks, chunks.reduce(0, { $0 + $1.count }) < Self.maximumText
            else { throw .locationStays }
            return !chunks.contains { PlaceText.describesPlace($0.bytes(count: $0.count)) }
        case "meta":
            let keys = bytes(track.descriptions)
            if keys[...].firstIndex(of: Array("CTMD".utf8), from: 0) != nil { return true }
            return track.isTimedMetadata && Self.areHarmless(keys)
        default: return false
        }
    }

    /// Whether all keys of a track of metadata are Apple's and name no place.
    ///
    /// A Live Photo has such a track, which says which frame is the photo.
    private static func areHarmless(_ descriptions: [UInt8]) -> Bool {
        guard !PlaceText.tellsPlace(descriptions) else { return false }
        var position = 0
        while let key = descriptions[...].firstIndex(of: Array("mdta".utf8), from: position) {
            position = key + 4
            guard descriptions[position...].starts(with: "com.apple.quicktime.".utf8) else {
                return false
            }
        }
        return position > 0
    }

    // MARK: - User data

    mutating func editUserData(_ data: Block, _ depth: Int) throws(PixelError) {
        for box in ISOBox.boxes(in: data, atMost: 1000) {
            switch box.name {
            case "meta": try editMetadata(box.content, in: data, depth)
            case "XMP_": try editXMP(box.content)
            case "uuid": try editExtension(box, depth)
            case "GPMF" where !isStrict: try editGoPro(box.content)
            case "CNTH": try editCanonThumbnail(box.content, depth)
            case "NCDT": try editNikon(box.content, depth)
            case "free", "skip", "wide": editFreeSpace(box)
            case _ where isStrict: remove(box)
            default:
                // A copyright sign, and the name of a text.
                let isText = box.type >> 24 == 0xA9
                let isKnown = isText || Self.harmlessData.contains(box.name)
                // “xyz”.
                let isPlace = box.type == 0xA978_797A
                let content = bytes(box.content)
                let tellsPlace =
                    isText ? PlaceText.describesPlace(content) : PlaceText.tellsPlace(content)
                if isPlace || !isKnown || tellsPlace { remove(box) }
            }
        }
    }

    private mutating func editCanonThumbnail(_ data: Block, _ depth: Int) throws(PixelError) {
        for box in ISOBox.boxes(in: data) {
            // A JPEG with EXIF data.
            if box.name == "CNDA", box.content.starts(with: [0xFF, 0xD8]) {
                try edit(box.content, depth: depth + 1)
            } else if !["CNCV", "CNMN", "CNFV", "CNOP"].contains(box.name) {
                remove(box)
            }
        }
    }

    /// - Source: ExifTool's table `Nikon::NCTG`: the EXIF tags of GPS, and Nikon's place.
    private mutating func editNikon(_ data: Block, _ depth: Int) throws(PixelError) {
        for box in ISOBox.boxes(in: data) {
            switch box.name {
            case "NCHD": continue
            case "NCTH", "NCVW": try edit(box.content, depth: depth + 1)
            case "NCTG":
                var offset = 0
                while let tag = box.content.uint32(at: offset, .bigEndian),
                    let type = box.content.uint16(at: offset + 4, .bigEndian),
                    let count = box.content.uint16(at: offset + 6, .bigEndian)
                {
                    let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
                    guard sizes.indices.contains(Int(type)) else { return remove(box) }
                    let size = sizes[Int(type)] * Int(count)
                    if (0x0120_0000...0x0120_00FF).contains(tag) || tag == 0x0200_0039 || isStrict {
                        blank(box.content.dropFirst(offset).prefix(8 + size))
                    }
                    offset += 8 + size
                }
            default: remove(box)
            }
        }
    }
}
