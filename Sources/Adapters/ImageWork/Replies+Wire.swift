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
        self.init(png: try reader.descriptor())
    }
}

extension SupportedTypes: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(UInt32(types.count))
        for type in types { writer.write(type.rawValue) }
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        var types: [MediaType] = []
        for _ in 0..<(try reader.uint32()) { types.append(try reader.mediaType()) }
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
        self.init(
            size: PixelSize(width: Int(try reader.uint32()), height: Int(try reader.uint32())),
            hasAlpha: try reader.bool(), file: try reader.descriptor())
        guard !size.isEmpty, max(size.width, size.height) <= Self.maximumSide else {
            throw PacketError(.value)
        }
        do {
            // Cannot overflow, because it is at most 16384 × 16384 × 4.
            guard try file.information().size >= stride * size.height else {
                throw PacketError(.value)
            }
        } catch {
            throw PacketError(.value)
        }
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
        let file = try reader.descriptor()
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
