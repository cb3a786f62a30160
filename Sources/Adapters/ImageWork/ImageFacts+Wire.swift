// SPDX-License-Identifier: MIT

package import Photos

extension ImageFacts: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(mediaType.rawValue)
        writer.write(UInt32(clamping: storedSize?.width ?? 0))
        writer.write(UInt32(clamping: storedSize?.height ?? 0))
        writer.write(orientation.rawValue)
        writer.write(isAnimated)
        writer.write(milliseconds != nil)
        writer.write(UInt64(bitPattern: milliseconds ?? 0))
        writer.write(contentIdentifier?.text ?? "")
        writer.write(burst?.identifier.text ?? "")
        writer.write(burst?.isPrimary ?? false)
        writer.write(UInt64(bitPattern: motionVideo?.lowerBound ?? 0))
        writer.write(UInt64(bitPattern: motionVideo?.upperBound ?? 0))
        details.write(to: &writer)
        exposure.write(to: &writer)
        writer.write(colour != nil)
        writer.write(UInt32(clamping: colour?.number ?? 0))
        writer.write(position != nil)
        writer.write((position?.latitude ?? 0).bitPattern)
        writer.write((position?.longitude ?? 0).bitPattern)
        guard let taken else { return writer.write(UInt8(0)) }
        writer.write(UInt8(taken.offset == nil ? 1 : 2))
        for field in [
            taken.year, taken.month, taken.day, taken.hour, taken.minute, taken.second,
            (taken.offset ?? 0) + Self.offsetBias,
        ] { writer.write(UInt32(clamping: field)) }
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        self.init(mediaType: try reader.mediaType())
        let size = PixelSize(width: Int(try reader.uint32()), height: Int(try reader.uint32()))
        guard size.fits(in: PixelLimits.maximumStatedSide) else { throw PacketError(.value) }
        storedSize = size.isEmpty ? nil : size
        guard let orientation = Orientation(rawValue: try reader.uint8()) else {
            throw PacketError(.value)
        }
        self.orientation = orientation
        isAnimated = try reader.bool()
        let hasDuration = try reader.bool()
        let duration = try reader.int64()
        guard (0...Self.longest).contains(duration) else { throw PacketError(.value) }
        milliseconds = hasDuration ? duration : nil
        contentIdentifier = try reader.identifier()
        let mark = try reader.identifier()
        let isPrimary = try reader.bool()
        burst = mark.map { BurstMark($0, isPrimary: isPrimary) }
        motionVideo = try Self.motionVideo(from: reader.int64(), to: reader.int64())
        details = try PhotoDetails(from: &reader)
        exposure = try Exposure(from: &reader)
        let hasColour = try reader.bool()
        guard let shown = PhotoColour(number: Int(try reader.uint32())) else {
            throw PacketError(.value)
        }
        colour = hasColour ? shown : nil
        position = try Self.position(from: &reader)
        let hasDate = try reader.uint8()
        guard hasDate > 0 else { return }
        var fields: [Int] = []
        for _ in 0..<7 { fields.append(Int(try reader.uint32())) }
        taken = CaptureDate(
            year: fields[0], month: fields[1], day: fields[2], hour: fields[3],
            minute: fields[4], second: fields[5],
            offset: hasDate == 2 ? fields[6] - Self.offsetBias : nil)
    }

    /// Nil for none, which two zeros say.
    private static func motionVideo(
        from start: Int64, to end: Int64
    ) throws(PacketError) -> Range<Int64>? {
        if (start, end) == (0, 0) { return nil }
        guard start > 0, start < end, end - start <= largestMotionVideo else {
            throw PacketError(.value)
        }
        return start..<end
    }

    private static func position(
        from reader: inout PacketReader
    ) throws(PacketError) -> GeoPosition? {
        let isThere = try reader.bool()
        let latitude = Double(bitPattern: try reader.uint64())
        let longitude = Double(bitPattern: try reader.uint64())
        guard isThere else { return nil }
        guard let position = GeoPosition(latitude: latitude, longitude: longitude) else {
            throw PacketError(.value)
        }
        return position
    }

    /// The longest duration that is believed: 1000 days, in milliseconds.
    private static let longest: Int64 = 86_400_000_000

    /// Added to the offset from UTC, in minutes, so that the field is never negative.
    private static let offsetBias = 10_000
}

extension PhotoDetails: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        // Most photos have only a camera, and every packet is written and read.
        for text in [title, caption, camera, lens] { writer.write(text ?? "") }
        writer.write(UInt8(clamping: rating ?? 0))
        writer.write(hasPlace)
        writer.write(UInt8(clamping: keywords.count))
        for keyword in keywords.prefix(Self.mostKeywords) { writer.write(keyword) }
    }

    /// - Throws: ``PacketError`` if anything is longer than ``PhotoDetails`` allows, or contains
    ///   control characters.
    package init(from reader: inout PacketReader) throws(PacketError) {
        self.init()
        title = try reader.optionalText()
        caption = try reader.optionalText()
        camera = try reader.optionalText()
        lens = try reader.optionalText()
        let stars = Int(try reader.uint8())
        rating = stars == 0 ? nil : stars
        hasPlace = try reader.bool()
        let count = Int(try reader.uint8())
        guard count <= Self.mostKeywords else { throw PacketError(.value) }
        for _ in 0..<count { keywords.append(try reader.text()) }
        guard isBounded else { throw PacketError(.value) }
    }
}

extension Exposure: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        writer.write(nanoseconds ?? 0)
        for number in [aperture, sensitivity, focalLength] {
            writer.write(UInt32(clamping: number ?? 0))
        }
    }

    /// What is not believable, as zeros are not, is unknown.
    package init(from reader: inout PacketReader) throws(PacketError) {
        self.init(
            nanoseconds: try reader.int64(), aperture: Int(try reader.uint32()),
            sensitivity: Int(try reader.uint32()), focalLength: Int(try reader.uint32()))
    }
}

extension PacketReader {
    /// A text; nil if it is empty.
    mutating func optionalText() throws(PacketError) -> String? {
        let text = try text()
        return text.isEmpty ? nil : text
    }

    /// An identifier; nil if it is empty.
    mutating func identifier() throws(PacketError) -> ContentIdentifier? {
        guard let text = try optionalText() else { return nil }
        guard let identifier = ContentIdentifier(text) else { throw PacketError(.value) }
        return identifier
    }

    mutating func mediaType() throws(PacketError) -> MediaType {
        guard let type = MediaType(try text()), MediaType.recognized.contains(type) else {
            throw PacketError(.value)
        }
        return type
    }
}
