// SPDX-License-Identifier: MIT

internal import CCodecs
package import Files
package import Photos

/// Checks of a file that was just written: it is read again before anybody gets it.
///
/// A mistake here, in a library or in a file that lies about itself would otherwise be found by the
/// app that gets the file, or by nobody.
package struct OutputCheck {
    private let bytes: [UInt8]
    private let picture: PictureFile
    /// A sealed file that holds the bytes.
    package var file: Descriptor { picture.bytes.file }

    /// Reads the header.
    ///
    /// - Throws: ``PixelError/miswritten`` unless it is what was to be written.
    package init(
        _ bytes: [UInt8], is type: MediaType, _ size: PixelSize?, _ orientation: Orientation
    ) throws(PixelError) {
        self.bytes = bytes
        do {
            picture = try PictureFile(
                FileBytes(try MemoryFile.make(named: "derived", holding: bytes)))
        } catch let error as PixelError {
            throw error == .unsupported ? .miswritten : error
        } catch {
            throw .tooLarge
        }
        guard picture.facts.mediaType == type, picture.facts.size == size,
            picture.facts.orientation == orientation
        else { throw .miswritten }
    }

    // MARK: - Encoded pictures

    /// The longer side at which pictures are compared.
    ///
    /// Details are lost by lossy compression, the average colour of a part of a picture is not.
    private static let comparedSide = 32
    /// The least number of pixels for each that is compared: twice the side of a JPEG's block.
    private static let averagedSide = 16
    /// The size at which a picture is decoded to be compared.
    ///
    /// At an eighth, sides are rounded up to whole blocks, which moves the edges of a small picture by
    /// a good part of what is averaged; at a quarter by half as much.
    private static func decodedSide(_ longer: Int) -> Int {
        switch longer {
        case ...768: longer
        case ...2048: longer / 4
        default: comparedSide
        }
    }
    /// How much an average may differ at the lowest quality.
    private static let toleranceOfAverages = 80

    /// Decodes the file and compares it with the picture that was encoded.
    package func shows(_ bitmap: Bitmap) throws(PixelError) {
        let longer = max(bitmap.size.width, bitmap.size.height)
        let side = max(1, min(Self.comparedSide, longer / Self.averagedSide))
        let wanted = bitmap.size.fitted(in: side)
        let expected = bitmap.scaled(to: wanted).flattened
        let found = try decoded(max(side, Self.decodedSide(longer))).scaled(to: wanted).flattened
        guard found.size == expected.size,
            found.resembles(expected, atMost: Self.toleranceOfAverages)
        else { throw .miswritten }
    }

    /// Compares the file with another one whose picture it must have to the bit, or which cannot be decoded
    /// either.
    func shows(sameAs other: PictureFile) throws(PixelError) {
        let (mine, theirs) = (
            try? picture.stored(fitting: Self.exactSide, .exact),
            try? other.stored(fitting: Self.exactSide, .exact)
        )
        guard mine?.size == theirs?.size, mine?.bytes == theirs?.bytes else { throw .miswritten }
    }

    /// The size at which pictures are compared that must be the same to the bit: each pixel has a part in it.
    private static let exactSide = 512

    // MARK: - Pictures that were not decoded

    /// Compares the mean of each block of a JPEG with what it must be.
    func hasBlocks(_ means: inout pp_block_means) throws(PixelError) {
        guard pp_jpeg_check_means(bytes, bytes.count, &means) == PP_OK else { throw .miswritten }
    }

    // MARK: - Decoding

    private func decoded(_ side: Int) throws(PixelError) -> Bitmap {
        do throws(PixelError) {
            return try picture.stored(fitting: side, .exact)
        } catch {
            throw error == .tooLarge ? .tooLarge : .miswritten
        }
    }
}

extension Bitmap {
    /// Whether no channel of any pixel differs by more than a number.
    fileprivate func resembles(_ other: Bitmap, atMost most: Int) -> Bool {
        guard size == other.size, format == other.format else { return false }
        return bytes.withUnsafeBufferPointer { mine in
            other.bytes.withUnsafeBufferPointer { theirs in
                // All are looked at, so that the compiler can compare many at a time.
                var largest: UInt8 = 0
                for index in mine.indices {
                    let (low, high) = (
                        min(mine[index], theirs[index]), max(mine[index], theirs[index])
                    )
                    largest = max(largest, high &- low)
                }
                return Int(largest) <= most
            }
        }
    }
}
