// SPDX-License-Identifier: MIT

package import Photos

extension ImageFacts {
    /// Reads what a file's header says, without decoding a pixel.
    ///
    /// - Throws: ``PixelError/unsupported`` when the content is no picture or video that we
    ///   recognize. A picture whose header is damaged is not an error: its size is nil.
    package init(reading file: FileBytes) throws(PixelError) {
        guard let type = MediaType.sniffed(from: file.start) else { throw .unsupported }
        self.init(mediaType: type)
        switch type {
        case .jpeg:
            let header = JPEGHeader(file)
            storedSize = header.size
            apply(header.exif)
        case .png:
            let chunks = PNGChunks(file)
            storedSize = chunks.size
            isAnimated = chunks.isAnimated
            apply(chunks.exif)
        case .webp:
            let chunks = WebPChunks(file)
            storedSize = chunks.size
            isAnimated = chunks.isAnimated
            apply(chunks.exif)
        case .gif:
            let blocks = GIFBlocks(file)
            storedSize = blocks.size
            isAnimated = blocks.isAnimated
        case .heic, .heif, .avif:
            // The container's own turns count, and the codec makes them; EXIF's is only told.
            apply(.heif(file.file))
            isAnimated = MediaType.isSequence(file.start)
        case .jpegXL: apply(.jpegXL(file.file))
        case .tiff:
            let raw = RawFile(tiff: file)
            if let type = raw.mediaType {
                mediaType = type
                apply(raw)
            } else {
                let structure = TIFFStructure(file)
                storedSize = structure?.size
                apply(structure?.exif)
            }
        case .canonRaw2, .olympusRaw, .panasonicRaw: apply(RawFile(tiff: file))
        case .canonRaw3: apply(RawFile(canon: file))
        case .fujiRaw: apply(RawFile(fujifilm: file))
        case .bmp: storedSize = WindowsHeaders.bitmapSize(file)
        case .icon: storedSize = WindowsHeaders.iconSize(file)
        case .svg: apply(.svg(file.file))
        default: break
        }
        if let size = storedSize, size.isEmpty { storedSize = nil }
    }

    private mutating func apply(_ exif: EXIF?) {
        orientation = exif?.orientation ?? .upright
        taken = exif?.taken
    }

    private mutating func apply(_ raw: RawFile) {
        storedSize = raw.size
        apply(raw.exif)
    }

    private mutating func apply(_ facts: CodecFacts) {
        storedSize = facts.size
        orientation = facts.orientation ?? .upright
        isAnimated = facts.isAnimated
        taken = facts.exif?.taken
    }
}
