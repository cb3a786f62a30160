// SPDX-License-Identifier: MIT

import Photos

extension PacketWriter {
    mutating func write(_ derivation: Derivation) {
        write(derivation.removesLocation)
        write(derivation.removesMetadata)
        guard let picture = derivation.picture else { return write(false) }
        write(true)
        write(picture.format.rawValue)
        write(picture.clip != nil)
        if let clip = picture.clip {
            for number in [clip.x, clip.y, clip.width, clip.height] {
                write(UInt32(clamping: number))
            }
        }
        write(UInt8(clamping: picture.rotation.quarters))
        write(Int32(clamping: picture.rotation.hundredths))
        write(UInt32(clamping: picture.size.width))
        write(UInt32(clamping: picture.size.height))
        write(UInt8(clamping: picture.quality))
        write(picture.maximumByteCount != nil)
        write(picture.maximumByteCount ?? 0)
        write(picture.isStandard)
        write(picture.isRound)
    }
}

extension PacketReader {
    mutating func derivation() throws(PacketError) -> Derivation {
        let removesLocation = try bool()
        let removesMetadata = try bool()
        guard try bool() else {
            return Derivation(removesLocation: removesLocation, removesMetadata: removesMetadata)
        }
        guard let format = OutputFormat(rawValue: try uint8()) else { throw PacketError(.value) }
        var clip: PixelRectangle?
        if try bool() {
            clip = PixelRectangle(
                x: Int(try uint32()), y: Int(try uint32()), width: Int(try uint32()),
                height: Int(try uint32()))
        }
        let quarters = Int(try uint8())
        let hundredths = Int(Int32(bitPattern: try uint32()))
        guard quarters < 4, Rotation.angles.contains(hundredths) else { throw PacketError(.value) }
        let size = PixelSize(width: Int(try uint32()), height: Int(try uint32()))
        let quality = Int(try uint8())
        guard OutputOptions.qualities.contains(quality) else { throw PacketError(.value) }
        let hasMaximum = try bool()
        let maximum = try uint64()
        var change = PictureChange(
            format: format, clip: clip,
            rotation: Rotation(quarters: quarters, hundredths: hundredths), size: size,
            quality: quality, maximumByteCount: hasMaximum ? maximum : nil,
            isStandard: try bool())
        change.isRound = try bool()
        return Derivation(
            removesLocation: removesLocation, removesMetadata: removesMetadata, picture: change)
    }
}
