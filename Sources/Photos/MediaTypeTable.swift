// SPDX-License-Identifier: MIT

extension MediaType {
    package static let jpeg = MediaType(known: "image/jpeg")
    package static let png = MediaType(known: "image/png")
    package static let gif = MediaType(known: "image/gif")
    package static let webp = MediaType(known: "image/webp")
    package static let heic = MediaType(known: "image/heic")
    package static let heif = MediaType(known: "image/heif")
    package static let avif = MediaType(known: "image/avif")
    package static let jpegXL = MediaType(known: "image/jxl")
    package static let tiff = MediaType(known: "image/tiff")
    package static let bmp = MediaType(known: "image/bmp")
    package static let icon = MediaType(known: "image/vnd.microsoft.icon")
    package static let svg = MediaType(known: "image/svg+xml")
    /// SVG in gzip, with the name that shared-mime-info gives it.
    package static let compressedSVG = MediaType(known: "image/svg+xml-compressed")
    package static let jpeg2000 = MediaType(known: "image/jp2")
    package static let openEXR = MediaType(known: "image/x-exr")
    package static let photoshop = MediaType(known: "image/vnd.adobe.photoshop")
    package static let radiance = MediaType(known: "image/vnd.radiance")
    package static let netpbm = MediaType(known: "image/x-portable-anymap")
    package static let targa = MediaType(known: "image/x-tga")
    package static let pcx = MediaType(known: "image/x-pcx")
    package static let qoi = MediaType(known: "image/qoi")
    package static let canonRaw2 = MediaType(known: "image/x-canon-cr2")
    package static let canonRaw3 = MediaType(known: "image/x-canon-cr3")
    package static let adobeDNG = MediaType(known: "image/x-adobe-dng")
    package static let nikonRaw = MediaType(known: "image/x-nikon-nef")
    package static let sonyRaw = MediaType(known: "image/x-sony-arw")
    package static let pentaxRaw = MediaType(known: "image/x-pentax-pef")
    package static let fujiRaw = MediaType(known: "image/x-fuji-raf")
    package static let panasonicRaw = MediaType(known: "image/x-panasonic-rw2")
    package static let olympusRaw = MediaType(known: "image/x-olympus-orf")
    package static let mp4 = MediaType(known: "video/mp4")
    package static let quickTime = MediaType(known: "video/quicktime")
    package static let webm = MediaType(known: "video/webm")
    package static let matroska = MediaType(known: "video/x-matroska")
    package static let avi = MediaType(known: "video/vnd.avi")
    package static let mpeg = MediaType(known: "video/mpeg")

    /// The types that we recognize, one row each.
    ///
    /// If the signatures of several rows match, the first row counts. Everything that depends only
    /// on a type is in its row; the code that reads and decodes its files is in Pixels'
    /// `PictureFormat`.
    ///
    /// - Source: the formats' own specifications and WHATWG MIME Sniffing for signatures;
    ///   shared-mime-info, gdk-pixbuf's loaders and Chromium's net/base/mime_util.cc for aliases and
    ///   extensions.
    package static let table: [MediaTypeEntry] = [
        .picture(
            .jpeg, "jpg", others: ["jpeg", "jpe", "jfif", "pjpeg", "pjp"],
            aliases: ["image/jpg", "image/pjpeg"], isCompressed: true, conversion: .jpeg,
            .bytes([0xFF, 0xD8, 0xFF])),
        .picture(
            .png, "png", others: ["apng"],
            aliases: ["image/x-png", "image/apng", "image/vnd.mozilla.apng"],
            isCompressed: true, conversion: .png,
            .bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
        .picture(
            .gif, "gif", isCompressed: true, conversion: .png, .text("GIF87a"), .text("GIF89a")),
        .picture(
            .webp, "webp", aliases: ["image/x-webp"], isCompressed: true, conversion: .jpeg,
            .riff("WEBP")),
        .picture(
            .heic, "heic", others: ["heics"], aliases: ["image/heif", "image/heic-sequence"],
            isCompressed: true, conversion: .jpeg, by: .heif,
            .brands("heic", "heix", "heim", "heis", "hevc", "hevx")),
        .picture(
            .heif, "heif", others: ["hif", "heifs"], aliases: ["image/heif-sequence"],
            isCompressed: true, conversion: .jpeg, by: .heif, .generalBrands("mif1", "msf1")),
        .picture(
            .avif, "avif", others: ["avifs"], aliases: ["image/avif-sequence"],
            isCompressed: true, conversion: .jpeg, by: .heif, .brands("avif", "avis")),
        .picture(
            .jpegXL, "jxl", isCompressed: true, conversion: .jpeg, by: .heif,
            .bytes([0xFF, 0x0A]),
            .bytes([0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A])),
        .picture(
            .canonRaw2, "cr2", isCompressed: true, conversion: .jpeg,
            .bytes([0x49, 0x49, 0x2A, 0], and: Array("CR".utf8) + [2], at: 8),
            .bytes([0x4D, 0x4D, 0, 0x2A], and: Array("CR".utf8) + [2], at: 8)),
        .picture(
            .tiff, "tif", others: ["tiff"], aliases: ["image/x-tiff"],
            isCompressed: false, conversion: .jpeg,
            .bytes([0x49, 0x49, 0x2A, 0]), .bytes([0x4D, 0x4D, 0, 0x2A]),
            // BigTIFF.
            .bytes([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]), .bytes([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0])),
        .picture(
            .bmp, "bmp", aliases: ["image/x-bmp", "image/x-ms-bmp"],
            isCompressed: false, conversion: .png, .text("BM")),
        .picture(
            .icon, "ico",
            aliases: [
                "image/x-icon", "image/x-ico", "image/ico", "image/icon", "application/ico",
                "text/ico", "image/x-win-bitmap",
            ],
            isCompressed: false, conversion: .png, .bytes([0, 0, 1, 0])),
        .picture(
            .svg, "svg",
            aliases: ["image/svg", "image/svg-xml", "image/vnd.adobe.svg+xml", "text/xml-svg"],
            isCompressed: false, conversion: .png, by: .rare,
            .content(FileSignature.isSVG)),
        // Anything else in gzip has this signature, too; only a decoder can tell.
        .picture(
            .compressedSVG, "svgz", isCompressed: true, conversion: .png, by: .rare,
            .bytes([0x1F, 0x8B, 8])),
        .picture(
            .jpeg2000, "jp2", others: ["j2k", "j2c", "jpc", "jpf", "jpx"],
            aliases: [
                "image/jpeg2000", "image/jpeg2000-image", "image/x-jpeg2000-image", "image/jpx",
                "image/x-jp2-codestream",
            ],
            isCompressed: true, conversion: .jpeg, by: .rare,
            .bytes([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8) + [0x87, 0x0A]),
            .bytes([0xFF, 0x4F, 0xFF, 0x51])),
        .picture(
            .openEXR, "exr", aliases: ["image/aces", "image/exr"],
            isCompressed: false, conversion: .jpeg, by: .rare,
            .bytes([0x76, 0x2F, 0x31, 0x01])),
        .picture(
            .photoshop, "psd", others: ["psb"],
            aliases: [
                "image/psd", "image/x-psd", "image/photoshop", "image/x-photoshop",
                "application/photoshop", "application/x-photoshop",
            ],
            isCompressed: false, conversion: .jpeg, .text("8BPS")),
        .picture(
            .radiance, "hdr", others: ["rgbe", "xyze"], aliases: ["image/x-hdr", "image/hdr"],
            isCompressed: false, conversion: .jpeg, .text("#?RADIANCE"), .text("#?RGBE")),
        .picture(
            .netpbm, "pnm", others: ["pbm", "pgm", "ppm", "pam", "pfm"],
            aliases: [
                "image/x-portable-bitmap", "image/x-portable-graymap", "image/x-portable-pixmap",
                "image/x-portable-arbitrarymap", "image/x-portable-floatmap",
            ],
            isCompressed: false, conversion: .jpeg, .content(FileSignature.isNetpbm)),
        .picture(
            .pcx, "pcx", aliases: ["image/vnd.zbrush.pcx"],
            isCompressed: false, conversion: .png, .content(FileSignature.isPCX)),
        .picture(
            .qoi, "qoi", aliases: ["image/x-qoi"],
            isCompressed: true, conversion: .png, .text("qoif")),
        .picture(
            .targa, "tga", others: ["icb", "vda", "vst"],
            aliases: [
                "image/tga", "image/targa", "image/x-targa", "image/x-icb", "application/tga",
                "application/x-tga", "application/x-targa",
            ],
            isCompressed: false, conversion: .png, .content(FileSignature.isTarga)),
        .picture(.canonRaw3, "cr3", isCompressed: true, conversion: .jpeg, .brands("crx ")),
        .picture(.adobeDNG, "dng", isCompressed: true, conversion: .jpeg),
        .picture(.nikonRaw, "nef", isCompressed: true, conversion: .jpeg),
        .picture(.sonyRaw, "arw", isCompressed: true, conversion: .jpeg),
        .picture(.pentaxRaw, "pef", isCompressed: true, conversion: .jpeg),
        .picture(
            .fujiRaw, "raf", isCompressed: true, conversion: .jpeg, .text("FUJIFILMCCD-RAW")),
        .picture(.panasonicRaw, "rw2", isCompressed: true, conversion: .jpeg, .text("IIU\0")),
        .picture(.olympusRaw, "orf", isCompressed: true, conversion: .jpeg, .text("IIRO")),
        .video(
            .mp4, "mp4", others: ["m4v"], aliases: ["video/x-m4v"],
            .brands(
                "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash",
                "M4V ", "3gp4", "3gp5", "3gp6", "3g2a")),
        .video(.quickTime, "mov", others: ["qt"], .brands("qt  ")),
        .video(.webm, "webm", .content(FileSignature.isWebM)),
        .video(.matroska, "mkv", aliases: ["video/matroska"], .bytes(FileSignature.ebml)),
        .video(
            .avi, "avi", aliases: ["video/x-msvideo", "video/avi", "video/msvideo"], .riff("AVI ")),
        .video(
            .mpeg, "mpg", others: ["mpeg", "mpe"], aliases: ["video/x-mpeg"],
            .bytes([0, 0, 1, 0xBA]), .bytes([0, 0, 1, 0xB3])),
    ]
}
