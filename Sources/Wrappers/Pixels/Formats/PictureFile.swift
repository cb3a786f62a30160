// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// A file whose header was read.
package struct PictureFile {
    let bytes: FileBytes
    /// What is decoded: the drawing in a compressed file, and otherwise the file itself.
    let content: FileBytes
    package let facts: ImageFacts
    /// EXIF data, starting with the byte order, if the file contains it in one piece.
    let exif: ArraySlice<UInt8>?
    /// Nil for videos.
    private let format: (any PictureFormat.Type)?

    /// Reads the header without decoding pixels.
    ///
    /// - Throws: ``PixelError/unsupported`` if the content is not a picture or video that we
    ///   recognize, or one whose headers only another program reads. A damaged picture header is not
    ///   an error, but the size is then nil.
    init(_ bytes: FileBytes) throws(PixelError) {
        let start = try Start(bytes)
        let header = start.header
        self.bytes = bytes
        content = start.content
        facts = ImageFacts(start.type, header)
        exif = header?.exif
        format =
            header?.mediaType.map { PictureFormats.format(of: $0) } ?? start.format
    }

    /// What the first bytes of a file say.
    fileprivate struct Start {
        let type: MediaType
        let content: FileBytes
        let format: (any PictureFormat.Type)?

        init(_ bytes: FileBytes) throws(PixelError) {
            guard let type = MediaType.sniffed(from: bytes.start) else { throw .unsupported }
            self.type = type
            content = type == .compressedSVG ? try CompressedDrawing.drawing(in: bytes) : bytes
            format = PictureFormats.format(of: type)
            if let format, !format.isInstalled { throw .unsupported }
        }

        /// Nil for videos.
        var header: PictureHeader? { format?.header(of: content) }

        /// Reads what the picture says about itself.
        func readDetails(_ header: PictureHeader, to facts: inout ImageFacts) {
            let format = header.mediaType.map { PictureFormats.format(of: $0) } ?? format
            let texts =
                header.texts?() ?? format.map { PhotoTexts($0.written(in: content)) }
                ?? PhotoTexts()
            let source =
                header.exif.flatMap { EXIFSource(Block($0)) } ?? format?.metadata(of: content)
            facts.details = PhotoDetails(texts, source)
            facts.position = GeoPosition(source, texts)
            facts.exposure = source?.exif.map(Exposure.init) ?? Exposure()
            let note = source.flatMap(AppleNote.init)
            facts.contentIdentifier = note?.contentIdentifier
            // What somebody made of a picture is no longer one of many: they want to see it.
            let isEdited = source.map { EXIF($0.main, $0.exif).isEdited } ?? false
            facts.burst = isEdited ? nil : texts.burst ?? note?.burst
            facts.motionVideo = header.motionVideo?(source)
            facts.colour = header.colour?()
        }
    }

    /// The directories of the EXIF data.
    var metadata: EXIFSource? {
        exif.flatMap { EXIFSource(Block($0)) } ?? format?.metadata(of: content)
    }

    /// Where the file keeps what people wrote about the photo outside of EXIF data.
    var written: WrittenMetadata { format?.written(in: content) ?? WrittenMetadata(xmp: nil) }

    /// Decodes the picture as it is stored, in sRGB.
    func stored(fitting side: Int, _ fidelity: Fidelity) throws(PixelError) -> Bitmap {
        guard let format else { throw .unsupported }
        return try format.decode(
            DecodeRequest(
                file: content.file, bytes: content, facts: facts, side: side, fidelity: fidelity))
    }

    /// Whether every program shows it as it is meant; only for formats that we write.
    var isStandard: Bool { format?.isStandard(bytes.file) ?? true }

    /// Checks the size in the header before anything is allocated for it.
    func checkSize() throws(PixelError) {
        if let size = facts.storedSize, !PixelLimits.allow(size) { throw .tooLarge }
    }
}

extension ImageFacts {
    /// Reads the header of a file; see ``PictureFile``.
    package init(reading file: FileBytes) throws(PixelError) {
        let start = try PictureFile.Start(file)
        let header = start.header
        self.init(start.type, header)
        if let header { start.readDetails(header, to: &self) }
        if let size = storedSize, max(size.width, size.height) > PixelLimits.maximumStatedSide {
            storedSize = nil
        }
    }

    /// The facts in a header; only the type if there is none.
    fileprivate init(_ type: MediaType, _ header: PictureHeader?) {
        guard let header else {
            self.init(mediaType: type)
            return
        }
        self.init(
            mediaType: header.mediaType ?? type,
            storedSize: header.size.flatMap { $0.isEmpty ? nil : $0 },
            orientation: header.orientation, taken: header.taken, isAnimated: header.isAnimated)
    }
}

extension PictureFile {
    /// Decodes a picture to fit a square, upright and in sRGB.
    ///
    /// The aspect ratio is kept and the picture is never enlarged. For a truncated file the result
    /// is a picture whose lower part is grey or transparent, if any of it could be read. For an
    /// animated picture the result is the first frame.
    ///
    /// - Parameters:
    ///   - file: An open file; its position is neither used nor changed.
    ///   - side: The longest allowed side, 1 or more, in pixels.
    /// - Returns: The picture, and the facts from the header.
    /// - Throws: ``PixelError``: `.unsupported` for types that are not in
    ///   ``PictureFormats/supportedTypes``, `.tooLarge` beyond ``Photos/PixelLimits``, `.damaged`
    ///   if nothing can be shown, `.unreadable`.
    /// - Isolation: any thread; blocks for one decode.
    package static func decode(
        _ file: Descriptor, fitting side: Int, _ fidelity: Fidelity = .exact
    ) throws(PixelError) -> (Bitmap, ImageFacts) {
        let picture = try PictureFile(FileBytes(file))
        try picture.checkSize()
        let bitmap = try picture.stored(fitting: side, fidelity)
        return (bitmap.upright(from: picture.facts.orientation), picture.facts)
    }
}
