// SPDX-License-Identifier: MIT

/// Where a file keeps what people wrote about the photo outside of EXIF data.
struct WrittenMetadata {
    /// An XMP packet.
    private(set) var xmp: ArraySlice<UInt8>?
    /// IPTC records.
    private(set) var iptc: Block?
    /// What the format has a place of its own for, which counts least.
    private(set) var others: PhotoTexts?

    init(xmp: ArraySlice<UInt8>?, iptc: Block? = nil, others: PhotoTexts? = nil) {
        self.xmp = xmp
        self.iptc = iptc
        self.others = others
    }

    /// What Photoshop's resources contain.
    init(_ resources: PhotoshopResources?) {
        xmp = resources?.content(PhotoshopResources.xmp)?.metadata
        iptc = resources?.content(PhotoshopResources.iptc)
    }

    /// What is in the tags of a TIFF file, or of a raw file that is based on TIFF.
    init(tiff file: Block) {
        guard let main = TIFFDirectory.first(in: file) else { return }
        xmp = main.bytes(Tag.xmp)
        let resources = main.entry(Tag.photoshop).flatMap { main.longValue(of: $0) }
            .map { PhotoshopResources($0) }
        iptc =
            main.entry(Tag.iptc).flatMap { main.longValue(of: $0) }
            ?? resources?.content(PhotoshopResources.iptc)
    }
}
