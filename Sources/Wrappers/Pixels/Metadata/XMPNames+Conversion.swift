// SPDX-License-Identifier: MIT

extension XMPNames {
    /// Whether a property of a packet describes the photo, and not its file, how its colours were made,
    /// or a part of its pixels.
    ///
    /// - Parameters:
    ///   - name: The name without its prefix.
    ///   - namespace: As ``normalized(_:)`` returns it; nil if the packet does not define it.
    /// - Source: XMP Specification Part 1, 8, and Part 2; Exif 2.32 metadata for XMP (CIPA DC-010); IPTC
    ///   Photo Metadata 2021.1; PLUS LDF 1.2.1; ExifTool's tables `XMP::*`.
    static func describesPhoto(_ name: String, in namespace: String?) -> Bool {
        guard let namespace else { return false }
        return isStructure(namespace)
            || describing.contains(namespace) && !ofFiles.contains(name)
    }

    private static let describing: Set<String> = [
        "http://purl.org/dc/elements/1.1", "http://purl.org/dc/terms",
        "http://ns.adobe.com/xap/1.0", "http://ns.adobe.com/xap/1.0/rights",
        "http://ns.adobe.com/photoshop/1.0", "http://ns.adobe.com/lightroom/1.0",
        "http://ns.adobe.com/tiff/1.0", "http://ns.adobe.com/exif/1.0",
        "http://ns.adobe.com/exif/1.0/aux", "http://cipa.jp/exif/1.0",
        "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns",
        "http://iptc.org/std/Iptc4xmpExt/2008-02-29", "http://ns.useplus.org/ldf/xmp/1.0",
        "http://creativecommons.org/ns", "http://web.resource.org/cc",
        "http://www.digikam.org/ns/1.0", "http://www.digikam.org/ns/kipi/1.0",
        "http://ns.microsoft.com/photo/1.0", "http://ns.acdsee.com/iptc/1.0",
        "http://ns.iview-multimedia.com/mediapro/1.0",
        "http://ns.microsoft.com/expressionmedia/1.0",
        "http://ns.camerabits.com/photomechanic/1.0", "http://ns.fastpictureviewer.com/fpv/1.0",
        "http://www.metadataworkinggroup.com/schemas/collections",
        "http://www.metadataworkinggroup.com/schemas/keywords",
        "http://prismstandard.org/namespaces/basic/2.0",
        "http://prismstandard.org/namespaces/prismusagerights/2.1",
        "http://xmp.gettyimages.com/gift/1.0",
    ]

    /// Properties of these namespaces that are about a file, its encoding, or some of its pixels.
    private static let ofFiles: Set<String> = [
        // Dublin Core, XMP and Photoshop.
        "format", "Format", "Thumbnails", "PageInfo", "ColorMode", "ICCProfile",
        "DocumentAncestors", "TextLayers", "LegacyIPTCDigest", "EmbeddedXMPDigest", "History",
        "SidecarForExtension",
        // TIFF.
        "ImageWidth", "ImageLength", "BitsPerSample", "Compression", "PhotometricInterpretation",
        "Orientation", "SamplesPerPixel", "PlanarConfiguration", "YCbCrSubSampling",
        "YCbCrPositioning", "XResolution", "YResolution", "ResolutionUnit", "TransferFunction",
        "WhitePoint", "PrimaryChromaticities", "YCbCrCoefficients", "ReferenceBlackWhite",
        "NativeDigest",
        // EXIF.
        "FlashpixVersion", "ColorSpace", "ComponentsConfiguration", "CompressedBitsPerPixel",
        "PixelXDimension", "PixelYDimension", "MakerNote", "InteroperabilityIndex", "SubjectArea",
        "SubjectLocation", "Gamma", "CFAPattern", "SpatialFrequencyResponse",
        // IPTC extension: parts of the picture, and its largest size.
        "ImageRegion", "MaxAvailWidth", "MaxAvailHeight",
    ]
}
