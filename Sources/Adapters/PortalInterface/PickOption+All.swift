// SPDX-License-Identifier: MIT

import Photos

extension PickOption {
    /// All options, in the order of the XML.
    package static let all: [PickOption] = [
        PickOption(
            "handle_token", .token, ofCall: \.token, sample: HandleToken("sample_1") ?? .standard),
        PickOption("modal", .flag, at: \.isModal, sample: false),
        PickOption(
            "accept_label", .text(), at: \.acceptLabel, absent: "translated", sample: "Send"),
        PickOption(
            "reason", .text(atMost: reasonLength), at: \.reason, absent: "none",
            sample: "For your album"),
        PickOption(
            "media_types", .mediaTypes, at: \.mediaTypes,
            sample: MediaFilter([.exactly(.png), .anyVideo]) ?? .images),
        PickOption(
            "filter", .photoFilter, at: \.filter, absent: "everything fits",
            sample: PhotoFilter.sample),
        PickOption(
            "sources", .sources, at: \.sources, absent: "all that there are",
            sample: [.library, .files]),
        PickOption("album", .album, at: \.album, absent: "all photos", sample: .all),
        PickOption("only_album", .flag, at: \.isOnlyAlbum, sample: true),
        PickOption(
            "preselected", .assets, at: \.preselected,
            sample: [AssetID("00112233445566778899aabbccddeeff")].compactMap(\.self)),
        PickOption(
            "immediate", .optionalFlag, at: \.isImmediate,
            absent: "`true` in a sheet, otherwise `false`", sample: true),
        PickOption("layout", .choice, at: \.layout, sample: .sheet),
        PickOption(
            "actions", .actions, at: \.actions,
            sample: [SheetAction(.recent, label: "Latest", iconName: "camera-photo-symbolic")]),
        PickOption("persistent", .flag, at: \.wishes[.persistent], sample: true),
        PickOption("writable", .flag, at: \.wishes[.writable], sample: true),
        PickOption("include_location", .flag, at: \.wishes[.location], sample: true),
        PickOption("clip_mode", .choice, at: \.clip.mode, sample: .required),
        PickOption(
            "clip_aspect", .size(sides: ClipOptions.aspects), at: \.clip.aspect,
            absent: "any, or square when required", sample: PixelSize(width: 3, height: 2)),
        PickOption(
            "clip_size", .size(sides: ClipOptions.sides), at: \.clip.size, absent: "none",
            sample: PixelSize(width: 60, height: 40)),
        PickOption("clip_shape", .choice, at: \.clip.outline, sample: .circle),
        PickOption("representation", .choice, at: \.output.representation, sample: .preview),
        PickOption(
            "formats", .formats, at: \.output.formats, absent: "any", sample: [.webP, .jpeg]),
        PickOption("max_dimension", .maximum, at: \.output.maximumSide, sample: 800),
        PickOption("max_bytes", .maximum, at: \.output.maximumByteCount, sample: 9000),
        PickOption(
            "quality", .number(in: OutputOptions.qualities), at: \.output.quality, sample: 50),
        PickOption(
            "thumbnail_size", .side(upTo: thumbnailSide), at: \.thumbnailSide, sample: 256),
        PickOption("preview", .flag, at: \.wantsPreview, sample: true),
        PickOption("detached", .flag, ofCall: \.isDetached, sample: true),
        PickOption("max_count", .maximum, ofCount: \.maximum, sample: 5),
        PickOption("min_count", .count, ofCount: \.minimum, sample: 2),
        PickOption("ordered", .flag, at: \.isOrdered, for: [.pickImages], sample: true),
        PickOption("continuous", .flag, at: \.isContinuous, for: [.pickImages], sample: true),
    ]

    /// The longest side of the small picture that comes with a photo, in pixels.
    static let thumbnailSide = 4096

    /// The most characters of a reason that an app gives.
    static let reasonLength = 256
}
