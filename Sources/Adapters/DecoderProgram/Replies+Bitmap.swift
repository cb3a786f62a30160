// SPDX-License-Identifier: MIT

import Files
package import ImageWork
import Photos
package import Pixels

extension RawPicture {
    package init(_ bitmap: Bitmap) throws {
        self.init(
            size: bitmap.size, hasAlpha: bitmap.format == .rgba,
            file: try MemoryFile.make(named: "pixels", holding: bitmap.bytes))
    }
}

extension CacheEntry {
    /// Encodes a picture as a cache entry with texts.
    package init(_ bitmap: Bitmap, _ texts: [ThumbnailSubject.Text]) throws {
        self.init(png: try MemoryFile.make(named: "thumbnail", holding: bitmap.png(texts: texts)))
    }
}

extension MadeThumbnail {
    package init(_ bitmap: Bitmap, _ texts: [ThumbnailSubject.Text]) throws {
        self.init(picture: try RawPicture(bitmap), entry: try CacheEntry(bitmap, texts))
    }
}

extension DecodeError {
    /// The error to send for one that a performer threw.
    package init(_ error: any Error) {
        self =
            switch error as? PixelError {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .unreadable: .unreadable
            case .needsLibheif: .needsLibheif
            case .needsLibRaw: .needsLibRaw
            case .miswritten: .miswritten
            case .locationStays: .locationStays
            // Any other error comes from making a memory file: out of memory, or over the limit.
            case .tooLarge, nil: .tooLarge
            }
    }
}
