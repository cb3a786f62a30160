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
            apply(chunks.exif)
        default: break
        }
        if let size = storedSize, size.isEmpty { storedSize = nil }
    }

    private mutating func apply(_ exif: EXIF?) {
        orientation = exif?.orientation ?? .upright
        taken = exif?.taken
    }
}
