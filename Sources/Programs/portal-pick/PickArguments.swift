// SPDX-License-Identifier: MIT

import ArgumentParser
import Photos
import PortalInterface
import SDBus

/// The options of a pick that a person gives on the command line.
struct PickArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The most photos to choose; 0 for no limit.", valueName: "N"))
    var max: UInt32?

    @Option(help: ArgumentHelp("The fewest photos to choose; 0 to allow none.", valueName: "N"))
    var min: UInt32?

    @Flag(help: "Choose exactly one photo.")
    var single = false

    @Flag(help: "Number the photos in the order you choose them.")
    var ordered = false

    @Flag(help: "Print each change of the choice as a line of JSON, before the result.")
    var continuous = false

    @Flag(
        inversion: .prefixedNo, help: "Finish with the first click; the default with --sheet.")
    var immediate: Bool?

    @Flag(help: "Show a small window with the newest photos, above rows of actions.")
    var sheet = false

    @Option(
        help: ArgumentHelp(
            "A row of --sheet: library, camera, recent, files or close, then your label and the "
                + "name of an icon. May be repeated.", valueName: "type[:label[:icon]]"))
    var action: [SheetAction] = []

    @Flag(help: "Offer the newest photo, in a small window: --sheet with rows for that alone.")
    var latest = false

    @Option(
        help: ArgumentHelp(
            "A MIME type to choose from, image/* or video/*. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(
        help: ArgumentHelp(
            "A rule that photos must follow, such as min_width=800 or favorites. May be repeated.",
            valueName: "rule"))
    var filter: [FilterRule] = []

    @Option(
        help: "Where photos may come from: library, camera, files or clipboard. May be repeated.")
    var source: [PickedItem.Source] = []

    @Option(help: ArgumentHelp("Why you ask; shown in the window.", valueName: "text"))
    var reason: String?

    @Option(help: ArgumentHelp("The label of the Select button.", valueName: "label"))
    var acceptLabel: String?

    @Option(help: ArgumentHelp("The album to open, by its id.", valueName: "id"))
    var album: String?

    @Flag(help: "Show only the photos of --album.")
    var onlyAlbum = false

    @Option(
        help: ArgumentHelp(
            "A photo to select in advance, by its id. May be repeated.", valueName: "id"))
    var preselect: [String] = []

    @Option(help: "Whether you get a part of each photo: none, optional or required.")
    var clip: ClipOptions.Mode?

    @Option(
        help: ArgumentHelp(
            "The shape of the part, width to height; WxH means the same.", valueName: "W:H"))
    var clipAspect: Dimensions?

    @Option(help: ArgumentHelp("The size of the part in pixels.", valueName: "WxH"))
    var clipSize: Dimensions?

    @Option(help: "What is seen of the part: rectangle or circle.")
    var clipShape: ClipOptions.Outline?

    @Option(
        help: ArgumentHelp(
            "original, compatible (upright, sRGB), or preview (the same, within 1280 pixels, the "
                + "shorter side of a panorama)."))
    var representation: Representation?

    @Option(
        help: ArgumentHelp(
            "A format you accept: jpeg, png or webp, or its MIME type. May be repeated; photos in "
                + "other formats are converted to the first.", valueName: "F"))
    var accept: [OutputFormat] = []

    @Option(help: ArgumentHelp("The longest side in pixels.", valueName: "N"))
    var maxDimension: UInt32?

    @Option(help: ArgumentHelp("The largest file size in bytes.", valueName: "N"))
    var maxBytes: UInt64?

    @Option(help: ArgumentHelp("The quality of lossy compression, 1 to 100.", valueName: "N"))
    var quality: UInt32?

    @Option(
        help: ArgumentHelp(
            "The longer side of a small picture of each photo, in pixels; see --format json.",
            valueName: "N"))
    var thumbnailSize: UInt32?

    @Flag(help: "Make a preview of each photo as well, within 1280 pixels; see --format json.")
    var preview = false

    @Flag(
        help: "Ask to keep the location of photos, in a sandbox; --format json says what it is.")
    var includeLocation = false

    @Flag(help: "Ask for access that lasts, in a sandbox.")
    var persistent = false

    @Flag(help: "Ask for permission to change the photos, in a sandbox.")
    var writable = false

    func validate() throws {
        if single && (max != nil || min != nil || ordered || continuous) {
            throw ValidationError(
                "--single cannot be combined with --max, --min, --ordered or --continuous.")
        }
        if let max, max != 0, let min, min > max {
            throw ValidationError("--min \(min) is more than --max \(max).")
        }
        let isWhole = clip == nil || clip == ClipOptions.Mode.none
        if isWhole && (clipAspect != nil || clipSize != nil || clipShape != nil) {
            throw ValidationError(
                "--clip-aspect, --clip-size and --clip-shape need --clip optional or --clip required."
            )
        }
        if latest && (sheet || !action.isEmpty) {
            throw ValidationError("--latest cannot be combined with --sheet or --action.")
        }
        if !action.isEmpty && !sheet { throw ValidationError("--action needs --sheet.") }
        if onlyAlbum && album == nil { throw ValidationError("--only-album needs --album.") }
    }

    /// The rows of the sheet; none for the usual ones.
    var actions: [SheetAction] {
        latest ? [SheetAction(.recent), SheetAction(.close)] : action
    }

    /// The options of the portal that were given on the command line.
    var vardict: Vardict {
        var vardict: Vardict = [:]
        for flag in PickFlag.all { vardict[flag.key] = flag.value(self) }
        return vardict
    }
}

/// A flag of `portal-pick` and the option of the portal that it sets.
struct PickFlag: Sendable {
    /// The flag, without the dashes.
    let name: String
    /// The key of the option.
    let key: String
    /// Returns the option's value; nil when the flag was not given.
    let value: @Sendable (PickArguments) -> Variant?

    private init(
        _ name: String, sets key: String, _ value: @escaping @Sendable (PickArguments) -> Variant?
    ) {
        self.name = name
        self.key = key
        self.value = value
    }

    /// A switch.
    private init(
        _ name: String, sets key: String,
        if isGiven: @escaping @Sendable (PickArguments) -> Bool
    ) {
        self.init(name, sets: key) { isGiven($0) ? true.variant : nil }
    }

    static let all = [
        PickFlag("max", sets: "max_count") { $0.max?.variant },
        PickFlag("min", sets: "min_count") { $0.min?.variant },
        PickFlag("ordered", sets: "ordered", if: \.ordered),
        PickFlag("continuous", sets: "continuous", if: \.continuous),
        PickFlag("immediate", sets: "immediate") { $0.immediate?.variant },
        PickFlag("sheet", sets: "layout") {
            $0.sheet || $0.latest ? PickLayout.sheet.rawValue.variant : nil
        },
        PickFlag("action", sets: "actions") {
            $0.actions.isEmpty
                ? nil
                : $0.actions.map { SheetActionFields($0) }.variant
        },
        PickFlag("type", sets: "media_types") { $0.type.isEmpty ? nil : $0.type.variant },
        PickFlag("filter", sets: "filter") { arguments in
            arguments.filter.isEmpty
                ? nil : Dictionary(arguments.filter.map { ($0.key, $0.value) }) { $1 }.variant
        },
        PickFlag("source", sets: "sources") {
            $0.source.isEmpty ? nil : $0.source.map(\.rawValue).variant
        },
        PickFlag("reason", sets: "reason") { $0.reason?.variant },
        PickFlag("accept-label", sets: "accept_label") { $0.acceptLabel?.variant },
        PickFlag("album", sets: "album") { $0.album?.variant },
        PickFlag("only-album", sets: "only_album", if: \.onlyAlbum),
        PickFlag("preselect", sets: "preselected") {
            $0.preselect.isEmpty ? nil : $0.preselect.variant
        },
        PickFlag("clip", sets: "clip_mode") { $0.clip?.rawValue.variant },
        PickFlag("clip-aspect", sets: "clip_aspect") { $0.clipAspect?.size.variant },
        PickFlag("clip-size", sets: "clip_size") { $0.clipSize?.size.variant },
        PickFlag("clip-shape", sets: "clip_shape") { $0.clipShape?.rawValue.variant },
        PickFlag("representation", sets: "representation") {
            $0.representation?.rawValue.variant
        },
        PickFlag("accept", sets: "formats") {
            $0.accept.isEmpty ? nil : $0.accept.map(\.mediaType.rawValue).variant
        },
        PickFlag("max-dimension", sets: "max_dimension") { $0.maxDimension?.variant },
        PickFlag("max-bytes", sets: "max_bytes") { $0.maxBytes?.variant },
        PickFlag("quality", sets: "quality") { $0.quality?.variant },
        PickFlag("thumbnail-size", sets: "thumbnail_size") { $0.thumbnailSize?.variant },
        PickFlag("preview", sets: "preview", if: \.preview),
        PickFlag("include-location", sets: "include_location", if: \.includeLocation),
        PickFlag("persistent", sets: "persistent", if: \.persistent),
        PickFlag("writable", sets: "writable", if: \.writable),
    ]

    /// Names the flags in a message of the service, which names the options that they set.
    static func naming(_ message: String) -> String {
        all.reduce(message) { text, flag in
            text.replacing("option '\(flag.key)'", with: "--\(flag.name)")
        }
    }

    /// The options of the portal that no flag sets, each with the reason.
    static let notOffered = [
        "handle_token": "portal-pick generates a token for each request.",
        "modal": "With --parent the parent window should wait, and without it there is none.",
        "detached": "portal-pick stays on the bus until it has the response.",
    ]
}

// MARK: - Values

/// Two numbers above 0, such as `3:2` or `640x480`.
struct Dimensions: ExpressibleByArgument {
    let size: PixelSize

    init?(argument: String) {
        let parts = argument.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" }
        let numbers = parts.compactMap { UInt32($0) }.filter { $0 > 0 }
        guard parts.count == 2, numbers.count == 2 else { return nil }
        size = PixelSize(width: Int(numbers[0]), height: Int(numbers[1]))
    }
}

/// A type, such as `library`; a label may follow after a colon, and the name of an icon after another.
extension SheetAction: ExpressibleByArgument {
    public init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        guard let kind = Kind(rawValue: parts[0]) else { return nil }
        self.init(
            kind, label: parts.count > 1 ? parts[1] : "", iconName: parts.count > 2 ? parts[2] : "")
    }

    public static var allValueStrings: [String] { Kind.allCases.map(\.rawValue) }
}

extension ClipOptions.Mode: ExpressibleByArgument {}
extension ClipOptions.Outline: ExpressibleByArgument {}

extension PickedItem.Source: ExpressibleByArgument {
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}
