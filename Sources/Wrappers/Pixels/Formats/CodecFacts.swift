// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// The facts that a codec reads from a header that is too complex for a reader of our own.
struct CodecFacts {
    fileprivate private(set) var size: PixelSize?
    fileprivate private(set) var orientation: Orientation?
    fileprivate private(set) var isAnimated = false
    private(set) var exif: EXIF?
    private(set) var xmp: ArraySlice<UInt8>?

    /// Has a codec read a header; if it fails, everything is unknown.
    ///
    /// - Parameter read: Fills in facts, which are zeroed.
    init(_ read: (inout pp_facts) -> pp_status) {
        var facts = pp_facts()
        defer { pp_facts_free(&facts) }
        guard read(&facts) == PP_OK else { return }
        size = PixelSize(width: Int(facts.width), height: Int(facts.height))
        orientation = UInt8(exactly: facts.orientation).flatMap(Orientation.init(rawValue:))
        isAnimated = facts.is_animated != 0
        if let bytes = facts.exif, facts.exif_size > 0 {
            exif = EXIF(tiff: Array(UnsafeBufferPointer(start: bytes, count: facts.exif_size))[...])
        }
        if let bytes = facts.xmp, facts.xmp_size > 0 {
            xmp = Array(UnsafeBufferPointer(start: bytes, count: facts.xmp_size))[...]
        }
    }
}

extension PictureHeader {
    /// Makes a header from a codec's facts; the codec's orientation overrides that of EXIF.
    init(codec facts: CodecFacts) {
        self.init(
            size: facts.size, isAnimated: facts.isAnimated, exif: facts.exif, xmp: facts.xmp)
        orientation = facts.orientation ?? .upright
    }
}
