// SPDX-License-Identifier: MIT

import Files
import Photos
import SystemPackage

extension Optional: DecoderReply where Wrapped: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(self != nil)
        self?.write(to: &writer)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        self = try reader.bool() ? try Wrapped(from: &reader) : nil
    }
}

extension CacheEntry: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(png)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let most = Self.maximumByteCount(for: PixelSize(width: 1024, height: 1024))
        self.init(png: try reader.sealedFile(1...most))
    }
}

extension SupportedTypes: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(UInt32(types.count))
        for type in types { writer.write(type.rawValue) }
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let count = try reader.uint32()
        guard count <= MediaType.recognized.count else { throw PacketError(.value) }
        var types: [MediaType] = []
        for _ in 0..<count { types.append(try reader.mediaType()) }
        self.init(types: types)
    }
}

extension RawPicture: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(UInt32(clamping: size.width))
        writer.write(UInt32(clamping: size.height))
        writer.write(hasAlpha)
        writer.write(file)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let size = PixelSize(width: Int(try reader.uint32()), height: Int(try reader.uint32()))
        let hasAlpha = try reader.bool()
        guard !size.isEmpty, size.fits(in: Self.maximumSide) else { throw PacketError(.value) }
        let byteCount = Self.byteCount(size, hasAlpha: hasAlpha)
        self.init(
            size: size, hasAlpha: hasAlpha, file: try reader.sealedFile(byteCount...byteCount))
    }
}

extension MadeThumbnail: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        picture.write(to: &writer)
        entry.write(to: &writer)
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        self.init(
            picture: try RawPicture(from: &reader), entry: try CacheEntry(from: &reader))
    }
}

extension ThumbnailClaim: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(uri)
        writer.write(UInt64(bitPattern: modified))
        writer.write(byteCount != nil)
        writer.write(UInt64(bitPattern: byteCount ?? 0))
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let uri = try reader.text()
        let modified = try reader.int64()
        let hasCount = try reader.bool()
        let count = try reader.int64()
        self.init(uri: uri, modified: modified, byteCount: hasCount ? count : nil)
    }
}

extension DerivedFile: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(file)
        writer.write(isLocationRemoved)
        writer.write(isConverted)
        writer.write(parts != nil)
        writer.write(UInt32(clamping: parts?.count ?? 0))
        for part in parts ?? [] {
            writer.write(UInt64(bitPattern: part.lowerBound))
            writer.write(UInt64(bitPattern: part.upperBound))
        }
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let file = try reader.sealedFile(1...Self.maximumByteCount)
        let isLocationRemoved = try reader.bool()
        let isConverted = try reader.bool()
        let hasParts = try reader.bool()
        let count = try reader.uint32()
        guard count <= Self.maximumParts else { throw PacketError(.value) }
        var parts: [Range<Int64>] = []
        for _ in 0..<count {
            let start = try reader.int64()
            let end = try reader.int64()
            guard 0 <= start, start <= end else { throw PacketError(.value) }
            parts.append(start..<end)
        }
        self.init(
            file: file, isLocationRemoved: isLocationRemoved, isConverted: isConverted,
            parts: hasParts ? parts : nil)
    }
}
