// SPDX-License-Identifier: MIT

import Photos

extension PacketWriter {
    mutating func write(_ derivation: Derivation) {
        write(UInt8(derivation.removesLocation ? 1 : 0))
        guard let picture = derivation.picture else { return write(UInt8(0)) }
        write(UInt8(1))
        write(picture.format.rawValue)
        write(UInt8(picture.clip == nil ? 0 : 1))
        if let clip = picture.clip {
            for number in [clip.x, clip.y, clip.width, clip.height] {
                write(UInt32(clamping: number))
            }
        }
        write(UInt32(clamping: picture.size.width))
        write(UInt32(clamping: picture.size.height))
        write(UInt8(clamping: picture.quality))
        write(UInt8(picture.maximumByteCount == nil ? 0 : 1))
        write(picture.maximumByteCount ?? 0)
        write(UInt8(picture.isStandard ? 1 : 0))
    }
}

extension PacketReader {
    /// Nil when the numbers make no sense.
    mutating func derivation() throws(PacketError) -> Derivation? {
        let removesLocation = try uint8() != 0
        guard try uint8() != 0 else { return Derivation(removesLocation: removesLocation) }
        guard let format = OutputFormat(rawValue: try uint8()) else { return nil }
        var clip: PixelRectangle?
        if try uint8() != 0 {
            clip = PixelRectangle(
                x: Int(try uint32()), y: Int(try uint32()), width: Int(try uint32()),
                height: Int(try uint32()))
        }
        let size = PixelSize(width: Int(try uint32()), height: Int(try uint32()))
        let quality = Int(try uint8())
        guard OutputOptions.qualities.contains(quality) else { return nil }
        let hasMaximum = try uint8() != 0
        let maximum = try uint64()
        return Derivation(
            removesLocation: removesLocation,
            picture: PictureChange(
                format: format, clip: clip, size: size, quality: quality,
                maximumByteCount: hasMaximum ? maximum : nil, isStandard: try uint8() != 0))
    }
}
