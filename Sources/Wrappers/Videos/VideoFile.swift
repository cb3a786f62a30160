// SPDX-License-Identifier: MIT

internal import CVideo
package import Files
package import Photos
package import Pixels

/// A video whose header was read, with FFmpeg's libraries.
package final class VideoFile {
    private let file: Descriptor
    private let video: OpaquePointer
    private let mediaType: MediaType

    /// Loads what the libraries load at first use, which a sandbox would prevent, and makes Pixels use
    /// them for sequences of pictures, and to check videos whose location was removed.
    package static func prepare() {
        pp_video_prepare()
        ReadFailures.add { pp_video_take_read_failure() != 0 }
        ExtraCodec.sequence.install { file, size throws(PixelError) in
            ExtraPicture(try VideoFile(file).frame(fitting: max(size.width, size.height)))
        }
        PacketCheck.install { file, ranges, bytes throws(PixelError) in
            try VideoFile.hasSamePackets(file, ranges, bytes)
        }
    }

    /// Whether new bytes in some ranges of a file change no packet of its pictures and its sound.
    ///
    /// - Parameters:
    ///   - file: An open file; its position changes.
    ///   - ranges: In order, inside the file.
    ///   - bytes: The new bytes of all ranges, one after the other.
    /// - Throws: ``Pixels/PixelError``, `.tooLarge` if the memory does not suffice.
    /// - Isolation: any thread; reads the whole file twice.
    private static func hasSamePackets(
        _ file: Descriptor, _ ranges: [Range<Int>], _ bytes: [UInt8]
    ) throws(PixelError) -> Bool {
        var start = 0
        let parts = ranges.map { range in
            defer { start += range.count }
            return pp_video_part(
                start: Int64(range.lowerBound), end: Int64(range.upperBound), replacement: start)
        }
        var isEqual: CInt = 0
        try check(pp_video_compare(file.rawValue, parts, parts.count, bytes, &isEqual))
        return isEqual != 0
    }

    /// Reads the header.
    ///
    /// - Parameter file: An open file; its position changes.
    /// - Throws: ``Pixels/PixelError``: `.unsupported` if it is neither a video of a recognized type
    ///   nor a sequence of pictures, or has no decoder.
    package convenience init(_ file: Descriptor) throws(PixelError) {
        try self.init(file) { type, head in type.isVideo || MediaType.isSequence(head) }
    }

    /// Reads the header of whatever moves: also that of a GIF or an animated PNG.
    convenience init(moving file: Descriptor) throws(PixelError) {
        try self.init(file) { type, head in
            type.isVideo || type == .gif || type == .png || MediaType.isSequence(head)
        }
    }

    private init(
        _ file: Descriptor, isAccepted: (MediaType, [UInt8]) -> Bool
    ) throws(PixelError) {
        let head: [UInt8]
        do {
            head = try file.read(upTo: MediaType.sniffedByteCount)
        } catch {
            throw .unreadable
        }
        guard let type = MediaType.sniffed(from: head), isAccepted(type, head) else {
            throw .unsupported
        }
        var video: OpaquePointer?
        try Self.check(pp_video_open(file.rawValue, &video))
        guard let video else { throw .damaged }
        self.file = file
        self.video = video
        mediaType = type
    }

    deinit {
        pp_video_close(video)
    }

    /// The facts from the header.
    package var facts: ImageFacts {
        var header = pp_video_facts()
        pp_video_read_facts(video, &header)
        let size = PixelSize(width: Int(header.width), height: Int(header.height))
        let created = withUnsafeBytes(of: header.created) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let details = PhotoDetails(
            title: header.title.map { String(cString: $0) },
            caption: header.description.map { String(cString: $0) },
            make: header.make.map { String(cString: $0) },
            model: header.model.map { String(cString: $0) }, hasPlace: header.position != nil)
        var facts = ImageFacts(
            mediaType: mediaType, storedSize: size.isEmpty ? nil : size,
            orientation: Orientation(rawValue: header.orientation) ?? .upright,
            taken: Self.date(created),
            milliseconds: header.milliseconds < 0 ? nil : header.milliseconds,
            contentIdentifier: header.content_identifier.flatMap {
                ContentIdentifier(String(cString: $0))
            }, details: details)
        facts.position = header.position.flatMap { GeoPosition(iso6709: String(cString: $0)) }
        return facts
    }

    /// Decodes a frame from the first tenth, upright.
    ///
    /// - Parameter side: The longest allowed side in pixels; the frame is never enlarged.
    /// - Isolation: any thread; blocks until a frame is found.
    package func frame(fitting side: Int) throws(PixelError) -> Bitmap {
        var frame = pp_video_frame()
        try Self.check(pp_video_decode(video, UInt32(clamping: side), &frame))
        defer { pp_video_release(&frame) }
        return Bitmap(copying: frame).upright(from: facts.orientation)
    }

    /// Begins to play.
    ///
    /// - Returns: What must be freed while the video still exists.
    func makePlayer() throws(PixelError) -> OpaquePointer {
        var player: OpaquePointer?
        try Self.check(pp_video_play(video, &player))
        guard let player else { throw .damaged }
        return player
    }

    /// Reads `2024-05-06T07:08:09`, with fractions and the offset at the end, if there are any.
    ///
    /// A clock that was never set shows the year 1904 or 1970.
    private static func date(_ text: String) -> CaptureDate? {
        let zone: String?
        if text.hasSuffix("Z") {
            zone = "+00:00"
        } else if let sign = text.dropFirst(19).lastIndex(where: { "+-".contains($0) }) {
            let digits = text[sign...].filter { $0 != ":" }
            zone = digits.count == 5 ? "\(digits.prefix(3)):\(digits.suffix(2))" : nil
        } else {
            zone = nil
        }
        guard let date = CaptureDate(exif: text, offset: zone), date.year > 1970 else { return nil }
        return date
    }

    static func check(_ status: pp_video_status) throws(PixelError) {
        switch status {
        case PP_VIDEO_OK: return
        case PP_VIDEO_UNSUPPORTED: throw .unsupported
        case PP_VIDEO_TOO_LARGE: throw .tooLarge
        default: throw .damaged
        }
    }
}
