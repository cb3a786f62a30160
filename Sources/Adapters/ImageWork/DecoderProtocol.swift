// SPDX-License-Identifier: MIT

package import Files
import Photos
import SystemPackage

/// How jobs and replies are written in packets; both ends are of the same build.
package enum DecoderProtocol {
    /// The largest packet in bytes, either way.
    package static let packetSize = 65_536

    private enum JobCode: UInt8 {
        case probe = 1
        case thumbnail = 2
        case readThumbnail = 3
        case failureMark = 4
        case supportedTypes = 5
        case derive = 6
        case readClaim = 7
        case adoptThumbnail = 8
    }

    private enum ReplyCode: UInt8 {
        case facts = 1
        case picture = 2
        case stale = 3
        case failed = 4
        case types = 5
        case derived = 6
        case unchanged = 7
        case claim = 8
    }

    /// The largest side that a picture in a reply may have.
    private static let maximumSide = 16_384
}

// MARK: - Jobs

extension DecoderProtocol {
    package static func encode(_ job: DecoderJob) -> [UInt8] {
        var writer = PacketWriter()
        switch job {
        case .probe:
            writer.write(JobCode.probe.rawValue)
        case .supportedTypes:
            writer.write(JobCode.supportedTypes.rawValue)
        case .thumbnail(let side, let fidelity, let subject):
            writer.write(JobCode.thumbnail.rawValue)
            writer.write(UInt32(clamping: side))
            writer.write(fidelity.rawValue)
            writer.write(UInt8(subject == nil ? 0 : 1))
            if let subject { write(subject, to: &writer) }
        case .readThumbnail(let subject):
            writer.write(JobCode.readThumbnail.rawValue)
            write(subject, to: &writer)
        case .failureMark(let subject):
            writer.write(JobCode.failureMark.rawValue)
            write(subject, to: &writer)
        case .derive(let derivation):
            writer.write(JobCode.derive.rawValue)
            writer.write(derivation)
        case .readClaim:
            writer.write(JobCode.readClaim.rawValue)
        case .adoptThumbnail(let uri, let subject):
            writer.write(JobCode.adoptThumbnail.rawValue)
            writer.write(uri)
            write(subject, to: &writer)
        }
        return writer.bytes
    }

    /// Reads a job; nil when the packet is none.
    package static func decodeJob(_ packet: [UInt8]) -> DecoderJob? {
        var reader = PacketReader(packet)
        do throws(PacketError) {
            let job: DecoderJob
            switch JobCode(rawValue: try reader.uint8()) {
            case .probe: job = .probe
            case .supportedTypes: job = .supportedTypes
            case .thumbnail:
                let side = Int(try reader.uint32())
                guard (1...maximumSide).contains(side) else { return nil }
                guard let fidelity = Fidelity(rawValue: try reader.uint8()) else { return nil }
                let hasSubject = try reader.uint8() != 0
                job = .thumbnail(
                    side: side, fidelity: fidelity,
                    subject: hasSubject ? try subject(from: &reader) : nil)
            case .readThumbnail: job = .readThumbnail(try subject(from: &reader))
            case .failureMark: job = .failureMark(try subject(from: &reader))
            case .derive:
                guard let derivation = try reader.derivation() else { return nil }
                job = .derive(derivation)
            case .readClaim: job = .readClaim
            case .adoptThumbnail:
                job = .adoptThumbnail(of: try reader.text(), try subject(from: &reader))
            case nil: return nil
            }
            return reader.isAtEnd ? job : nil
        } catch {
            return nil
        }
    }

    private static func write(_ subject: ThumbnailSubject, to writer: inout PacketWriter) {
        writer.write(subject.uri)
        writer.write(UInt64(bitPattern: subject.modified))
        writer.write(UInt64(bitPattern: subject.byteCount))
    }

    private static func subject(
        from reader: inout PacketReader
    ) throws(PacketError) -> ThumbnailSubject {
        ThumbnailSubject(
            uri: try reader.text(), modified: Int64(bitPattern: try reader.uint64()),
            byteCount: Int64(bitPattern: try reader.uint64()))
    }
}

// MARK: - Replies

extension DecoderProtocol {
    /// A reply as a packet, and the descriptors that go with it.
    package static func encode(_ reply: DecoderReply) -> ([UInt8], [Descriptor]) {
        var writer = PacketWriter()
        switch reply {
        case .types(let types):
            writer.write(ReplyCode.types.rawValue)
            writer.write(UInt32(types.count))
            for type in types { writer.write(type.rawValue) }
            return (writer.bytes, [])
        case .facts(let facts):
            writer.write(ReplyCode.facts.rawValue)
            write(facts, to: &writer)
            return (writer.bytes, [])
        case .picture(let picture, let png):
            writer.write(ReplyCode.picture.rawValue)
            writer.write(UInt32(clamping: picture.size.width))
            writer.write(UInt32(clamping: picture.size.height))
            writer.write(UInt8(picture.hasAlpha ? 1 : 0))
            return (writer.bytes, [picture.file] + (png.map { [$0] } ?? []))
        case .stale:
            writer.write(ReplyCode.stale.rawValue)
            return (writer.bytes, [])
        case .derived(let derived):
            writer.write(ReplyCode.derived.rawValue)
            writer.write(UInt8(derived.isLocationRemoved ? 1 : 0))
            writer.write(UInt8(derived.isConverted ? 1 : 0))
            writer.write(UInt8(derived.parts == nil ? 0 : 1))
            writer.write(UInt32(clamping: derived.parts?.count ?? 0))
            for part in derived.parts ?? [] {
                writer.write(UInt64(bitPattern: part.lowerBound))
                writer.write(UInt64(bitPattern: part.upperBound))
            }
            return (writer.bytes, [derived.file])
        case .unchanged:
            writer.write(ReplyCode.unchanged.rawValue)
            return (writer.bytes, [])
        case .claim(let claim):
            writer.write(ReplyCode.claim.rawValue)
            writer.write(claim.uri)
            writer.write(UInt64(bitPattern: claim.modified))
            writer.write(UInt8(claim.byteCount == nil ? 0 : 1))
            writer.write(UInt64(bitPattern: claim.byteCount ?? 0))
            return (writer.bytes, [])
        case .failed(let error):
            writer.write(ReplyCode.failed.rawValue)
            writer.write(error.rawValue)
            return (writer.bytes, [])
        }
    }

    /// Reads a reply; nil when the packet is none, or promises more than it brings.
    package static func decodeReply(
        _ packet: [UInt8], _ descriptors: [Descriptor]
    ) -> DecoderReply? {
        var reader = PacketReader(packet)
        do throws(PacketError) {
            let reply: DecoderReply?
            switch ReplyCode(rawValue: try reader.uint8()) {
            case .types: reply = try types(from: &reader).map { .types($0) }
            case .facts: reply = try facts(from: &reader).map { .facts($0) }
            case .picture: reply = try picture(from: &reader, descriptors)
            case .stale: reply = .stale
            case .derived:
                let isLocationRemoved = try reader.uint8() != 0
                let isConverted = try reader.uint8() != 0
                let hasParts = try reader.uint8() != 0
                guard let parts = try parts(from: &reader) else { return nil }
                reply = descriptors.first.map {
                    .derived(
                        DerivedFile(
                            file: $0, isLocationRemoved: isLocationRemoved,
                            isConverted: isConverted, parts: hasParts ? parts : nil))
                }
            case .unchanged: reply = .unchanged
            case .claim: reply = .claim(try claim(from: &reader))
            case .failed: reply = DecodeError(rawValue: try reader.uint8()).map { .failed($0) }
            case nil: reply = nil
            }
            return reader.isAtEnd ? reply : nil
        } catch {
            return nil
        }
    }

    private static func types(
        from reader: inout PacketReader
    ) throws(PacketError) -> [MediaType]? {
        let count = try reader.uint32()
        var types: [MediaType] = []
        for _ in 0..<count {
            guard let type = MediaType(try reader.text()) else { return nil }
            types.append(type)
        }
        return types
    }

    private static func parts(
        from reader: inout PacketReader
    ) throws(PacketError) -> [Range<Int64>]? {
        let count = try reader.uint32()
        guard count <= DerivedFile.maximumParts else { return nil }
        var parts: [Range<Int64>] = []
        for _ in 0..<count {
            let start = Int64(bitPattern: try reader.uint64())
            let end = Int64(bitPattern: try reader.uint64())
            guard 0 <= start, start <= end else { return nil }
            parts.append(start..<end)
        }
        return parts
    }

    private static func claim(
        from reader: inout PacketReader
    ) throws(PacketError) -> ThumbnailClaim {
        let uri = try reader.text()
        let modified = Int64(bitPattern: try reader.uint64())
        let hasCount = try reader.uint8() != 0
        let count = Int64(bitPattern: try reader.uint64())
        return ThumbnailClaim(uri: uri, modified: modified, byteCount: hasCount ? count : nil)
    }

    private static func picture(
        from reader: inout PacketReader, _ descriptors: [Descriptor]
    ) throws(PacketError) -> DecoderReply? {
        let size = PixelSize(width: Int(try reader.uint32()), height: Int(try reader.uint32()))
        let hasAlpha = try reader.uint8() != 0
        guard let file = descriptors.first, !size.isEmpty,
            max(size.width, size.height) <= maximumSide
        else { return nil }
        let picture = RawPicture(size: size, hasAlpha: hasAlpha, file: file)
        // At most 16384 × 16384 × 4: no overflow.
        guard let information = try? file.information(),
            information.size >= picture.stride * size.height
        else { return nil }
        return .picture(picture, png: descriptors.dropFirst().first)
    }

    private static func write(_ facts: ImageFacts, to writer: inout PacketWriter) {
        writer.write(facts.mediaType.rawValue)
        writer.write(UInt32(clamping: facts.storedSize?.width ?? 0))
        writer.write(UInt32(clamping: facts.storedSize?.height ?? 0))
        writer.write(facts.orientation.rawValue)
        writer.write(UInt8(facts.isAnimated ? 1 : 0))
        guard let taken = facts.taken else { return writer.write(UInt8(0)) }
        writer.write(UInt8(taken.offset == nil ? 1 : 2))
        for field in [
            taken.year, taken.month, taken.day, taken.hour, taken.minute, taken.second,
            (taken.offset ?? 0) + offsetBias,
        ] { writer.write(UInt32(clamping: field)) }
    }

    private static func facts(
        from reader: inout PacketReader
    ) throws(PacketError) -> ImageFacts? {
        guard let mediaType = MediaType(try reader.text()) else { return nil }
        var facts = ImageFacts(mediaType: mediaType)
        let size = PixelSize(width: Int(try reader.uint32()), height: Int(try reader.uint32()))
        facts.storedSize = size.isEmpty ? nil : size
        guard let orientation = Orientation(rawValue: try reader.uint8()) else { return nil }
        facts.orientation = orientation
        facts.isAnimated = try reader.uint8() != 0
        let hasDate = try reader.uint8()
        guard hasDate > 0 else { return facts }
        var fields: [Int] = []
        for _ in 0..<7 { fields.append(Int(try reader.uint32())) }
        facts.taken = CaptureDate(
            year: fields[0], month: fields[1], day: fields[2], hour: fields[3],
            minute: fields[4], second: fields[5],
            offset: hasDate == 2 ? fields[6] - offsetBias : nil)
        return facts
    }

    /// Makes the offset from UTC, in minutes, a number that is not negative.
    private static let offsetBias = 10_000
}
