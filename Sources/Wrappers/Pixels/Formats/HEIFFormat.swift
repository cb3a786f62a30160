// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// HEIF with HEVC or AV1, by libheif in `photo-portal-heif`.
///
/// The container's own rotation counts; EXIF only repeats it.
enum HEIFFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.heic, .heif, .avif]

    static var isInstalled: Bool { pp_has_heif_codecs() != 0 }

    static func decodes(_ type: MediaType) -> Bool {
        type == .avif ? pp_heif_decodes_av1() != 0 : pp_heif_decodes_hevc() != 0
    }

    static func prepare() {
        // libheif may load its decoders from separate files.
        pp_heif_decodes_hevc()
        pp_heif_decodes_av1()
    }

    static func header(of file: FileBytes) -> PictureHeader {
        let facts = facts(of: file)
        var header = PictureHeader(codec: facts)
        header.texts = { PhotoTexts(WrittenMetadata(xmp: facts.xmp)) }
        header.motionVideo = { _ in MotionVideo.range(inHEIF: file) }
        header.isAnimated = MediaType.isSequence(file.start)
        if header.size == nil, header.isAnimated { header.size = trackSize(in: file) }
        if header.isAnimated { header.taken = header.taken ?? movieDate(in: file) }
        return header
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(xmp: facts(of: file).xmp)
    }

    private static func facts(of file: FileBytes) -> CodecFacts {
        let hidden = groups(in: file)
        let turns = Int32(ItemTurns.count(in: metadata(in: file)))
        return CodecFacts { pp_heif_read_facts(file.number, hidden, turns, &$0) }
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        // There may be a picture beside the track of a sequence.
        if request.facts.isAnimated, metadata(in: request.bytes) == nil {
            return try request.extra(.sequence)
        }
        // No embedded thumbnail is large enough for the full size. They are compressed so much that
        // they are sharp only at half their size.
        let side = min(request.side, PixelLimits.maximumSide)
        let enough = request.fidelity == .fast ? UInt32(clamping: side * 2) : .max
        let hidden = groups(in: request.bytes)
        let isTurned: Int32 = turnsPictures(request.bytes) ? 1 : 0
        var turns = isTurned == 0 ? 0 : Int32(ItemTurns.count(in: metadata(in: request.bytes)))
        do throws(PixelError) {
            let bitmap = try request.whole {
                pp_heif_decode(request.number, enough, hidden, isTurned, &turns, &$0)
            }
            return bitmap.upright(from: ItemTurns.orientation(of: Int(turns)))
        } catch {
            throw isTooNew(request.bytes) ? .needsLibheif : error
        }
    }

    /// The first version that reads uncompressed pictures, as libheif counts: 1.19.0.
    private static let uncompressedVersion: UInt32 = 0x0113_0000

    /// Whether a later libheif reads the file.
    ///
    /// - Source: ISO/IEC 23001-17 (`unci`).
    private static func isTooNew(_ file: FileBytes) -> Bool {
        guard pp_heif_version() < uncompressedVersion, let meta = metadata(in: file) else {
            return false
        }
        let boxes = ISOBox.boxes(in: meta, atMost: maximumBoxes)
        return ItemEntry.primary(in: boxes)?.type == "unci"
    }

    /// Whether the file turns or mirrors a picture, perhaps only a thumbnail.
    ///
    /// - Source: ISO/IEC 23008-12, 6.5.10 (`irot`) and 6.5.12 (`imir`).
    private static func turnsPictures(_ file: FileBytes) -> Bool {
        guard let meta = metadata(in: file),
            let properties = ISOBox.content(of: "iprp", "ipco", in: meta)
        else { return false }
        return ISOBox.boxes(in: properties, atMost: maximumBoxes).contains {
            $0.name == "imir" || $0.name == "irot" && $0.content.bytes(count: 1) != [0]
        }
    }

    // MARK: - Sequences

    /// The upright size of the first track.
    ///
    /// - Source: ISO/IEC 14496-12, 8.3.2 (`tkhd`): a matrix of nine numbers, then width and height
    ///   with 16 bits of fraction.
    private static func trackSize(in file: FileBytes) -> PixelSize? {
        guard let track = ISOBox.content(of: "moov", "trak", "tkhd", in: Block(file)) else {
            return nil
        }
        let start = track.starts(with: [1]) ? 52 : 40
        let fields = track.reader(at: start, count: 44, .bigEndian)
        guard let width = fields.uint32(at: 36), let height = fields.uint32(at: 40) else {
            return nil
        }
        let isTurned = fields.uint32(at: 0) == 0 && fields.uint32(at: 16) == 0
        let size = PixelSize(width: Int(width >> 16), height: Int(height >> 16))
        return isTurned ? PixelSize(width: size.height, height: size.width) : size
    }

    /// When the movie of a sequence was made.
    ///
    /// - Source: ISO/IEC 14496-12, 8.2.2 (`mvhd`): seconds since 1904 in UTC.
    private static func movieDate(in file: FileBytes) -> CaptureDate? {
        guard let movie = ISOBox.content(of: "moov", "mvhd", in: Block(file)) else { return nil }
        let width = movie.starts(with: [1]) ? 8 : 4
        return movie.number(at: 4, width: width, .bigEndian).flatMap {
            CaptureDate(secondsInUTC: Int64($0) - 2_082_844_800)
        }
    }

    /// The most boxes to search.
    private static let maximumBoxes = 256

    /// The offset of the type of the box with entity groups; 0 if there is none.
    ///
    /// libheif 1.15 rejects files whose groups contain more than a list of entities, such as the
    /// levels of a pyramid. The primary picture needs no groups, so they are hidden from libheif.
    private static func groups(in file: FileBytes) -> Int64 {
        let groups = metadata(in: file)
            .map { ISOBox.boxes(in: $0, atMost: maximumBoxes) }?
            .first { $0.name == "grpl" }
        return groups.map { Int64($0.typeField.range.lowerBound) } ?? 0
    }

    /// The boxes that describe the pictures.
    private static func metadata(in file: FileBytes) -> Block? {
        let meta = ISOBox.boxes(in: Block(file), atMost: maximumBoxes).first { $0.name == "meta" }
        // A full box, which starts with a version and flags.
        return meta?.content.dropFirst(4)
    }
}
