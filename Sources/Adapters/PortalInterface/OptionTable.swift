// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The methods that take pick options.
package enum PickMethod: CaseIterable, Sendable {
    case openImage
    case pickImages
}

/// One option of `OpenImage` or `PickImages`: its name, type and rule.
///
/// The table of them is what validates calls, what `SupportedOptions` lists, and what a test
/// compares with the XML.
package struct PickOption: Sendable {
    package let key: String
    /// The D-Bus type of the value.
    package let signature: String
    /// The default as the XML writes it.
    package let defaultText: String
    package let methods: Set<PickMethod>
    let apply: @Sendable (Variant, inout OptionDraft) throws(Expectation) -> Void

    private init<Value: VariantConvertible>(
        _ key: String, _: Value.Type, default defaultText: String,
        for methods: Set<PickMethod> = Set(PickMethod.allCases),
        apply: @escaping @Sendable (Value, inout OptionDraft) throws(Expectation) -> Void
    ) {
        self.key = key
        self.methods = methods
        self.defaultText = defaultText
        signature = Value.variantSignature
        self.apply = { variant, draft throws(Expectation) in
            guard let value = Value(variant) else {
                throw Expectation("type '\(Value.variantSignature)'")
            }
            try apply(value, &draft)
        }
    }

    /// All options that have an effect.
    package static let all: [PickOption] = [
        PickOption("handle_token", String.self, default: "`t`") {
            value, draft throws(Expectation) in
            guard let token = HandleToken(value) else {
                throw Expectation("1 to 255 of [A-Za-z0-9_]")
            }
            draft.token = token
        },
        PickOption("modal", Bool.self, default: "`true`") { value, draft in
            draft.options.isModal = value
        },
        PickOption("accept_label", String.self, default: "translated") {
            value, draft throws(Expectation) in
            try requireBounded(value)
            draft.options.acceptLabel = value.isEmpty ? nil : value
        },
        PickOption("reason", String.self, default: "none") { value, draft throws(Expectation) in
            guard value.count <= 256 else { throw Expectation("at most 256 characters") }
            try requireBounded(value)
            draft.options.reason = value.isEmpty ? nil : value
        },
        PickOption("media_types", [String].self, default: "`['image/*']`") {
            value, draft throws(Expectation) in
            draft.options.mediaTypes = try mediaFilter(value)
        },
        PickOption("album", String.self, default: "all photos") {
            value, draft throws(Expectation) in
            guard let album = AlbumID(value) else { throw Expectation("the id of an album") }
            draft.options.album = album
        },
        PickOption("only_album", Bool.self, default: "`false`") { value, draft in
            draft.options.isOnlyAlbum = value
        },
        PickOption("preselected", [String].self, default: "`[]`") {
            value, draft throws(Expectation) in
            try requireBounded(value)
            // What never was an id names nothing, like an id that is gone.
            draft.options.preselected = value.compactMap { AssetID($0) }
        },
        PickOption("immediate", Bool.self, default: "`false`") { value, draft in
            draft.options.isImmediate = value
        },
        PickOption("persistent", Bool.self, default: "`false`") { value, draft in
            draft.wish(.persistent, value)
        },
        PickOption("writable", Bool.self, default: "`false`") { value, draft in
            draft.wish(.writable, value)
        },
        PickOption("include_location", Bool.self, default: "`false`") { value, draft in
            draft.wish(.location, value)
        },
        PickOption("clip_mode", String.self, default: "`none`") {
            value, draft throws(Expectation) in
            guard let mode = ClipOptions.Mode(rawValue: value) else {
                throw Expectation("'none', 'optional' or 'required'")
            }
            draft.options.clip.mode = mode
        },
        PickOption("clip_aspect", PixelSize.self, default: "any, or square when required") {
            value, draft throws(Expectation) in
            guard !value.isEmpty else { throw Expectation("two numbers above 0") }
            draft.options.clip.aspect = value
        },
        PickOption("clip_size", PixelSize.self, default: "none") {
            value, draft throws(Expectation) in
            let sides = ClipOptions.sides
            guard sides.contains(value.width), sides.contains(value.height) else {
                throw Expectation("two numbers from \(sides.lowerBound) to \(sides.upperBound)")
            }
            draft.options.clip.size = value
        },
        PickOption("representation", String.self, default: "`original`") {
            value, draft throws(Expectation) in
            guard let representation = Representation(rawValue: value) else {
                throw Expectation("'original', 'compatible' or 'preview'")
            }
            draft.options.output.representation = representation
        },
        PickOption("formats", [String].self, default: "any") { value, draft throws(Expectation) in
            draft.options.output.formats = try outputFormats(value)
        },
        PickOption("max_dimension", UInt32.self, default: "`0`") { value, draft in
            draft.options.output.maximumSide = value == 0 ? nil : Int(value)
        },
        PickOption("max_bytes", UInt64.self, default: "`0`") { value, draft in
            draft.options.output.maximumByteCount = value == 0 ? nil : value
        },
        PickOption("quality", UInt32.self, default: "`90`") { value, draft throws(Expectation) in
            guard let quality = Int(exactly: value), OutputOptions.qualities.contains(quality)
            else { throw Expectation("1 to 100") }
            draft.options.output.quality = quality
        },
        PickOption("detached", Bool.self, default: "`false`") { value, draft in
            draft.isDetached = value
        },
        PickOption("max_count", UInt32.self, default: "`0`", for: [.pickImages]) { value, draft in
            draft.maximum = value == 0 ? nil : Int(value)
        },
        PickOption("min_count", UInt32.self, default: "`1`", for: [.pickImages]) { value, draft in
            draft.minimum = Int(value)
        },
        PickOption("ordered", Bool.self, default: "`false`", for: [.pickImages]) { value, draft in
            draft.options.isOrdered = value
        },
    ]
}

/// Validated options of a call.
package struct ParsedOptions: Hashable, Sendable {
    package var token = HandleToken.standard
    package var isDetached = false
    package var pick = PickOptions()

    /// Reads the options of a call.
    ///
    /// - Parameters:
    ///   - vardict: As it came; unknown keys are ignored, also those of the other method.
    ///   - method: The method that was called.
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the
    ///   key, what was expected and what came.
    package init(_ vardict: Vardict, of method: PickMethod) throws(DBusError) {
        var draft = OptionDraft()
        for option in PickOption.all where option.methods.contains(method) {
            guard let value = vardict[option.key] else { continue }
            do {
                try option.apply(value, &draft)
            } catch {
                throw PortalError.invalidArgument(
                    "Expected \(error.text) for option '\(option.key)', got \(value.excerpt)")
            }
        }
        if method == .pickImages {
            guard let count = CountLimits(minimum: draft.minimum, maximum: draft.maximum) else {
                throw PortalError.invalidArgument(
                    "Expected at most \(draft.maximum ?? 0) (max_count) for option 'min_count', "
                        + "got \(draft.minimum)")
            }
            draft.options.count = count
        }
        token = draft.token
        isDetached = draft.isDetached
        pick = draft.options
    }
}

/// What has been read of the options so far.
struct OptionDraft {
    var token = HandleToken.standard
    var isDetached = false
    var minimum = 1
    var maximum: Int?
    var options = PickOptions()

    mutating func wish(_ grant: Grants, _ isWished: Bool) {
        if isWished { options.wishes.insert(grant) } else { options.wishes.remove(grant) }
    }
}

/// What a value should have been, to end the sentence “Expected …”.
struct Expectation: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

// MARK: - Rules

/// Limits of DESIGN: what one option may hold at the most.
private enum OptionLimits {
    static let stringBytes = 4096
    static let arrayElements = 1024
}

private func requireBounded(_ string: String) throws(Expectation) {
    guard string.utf8.count <= OptionLimits.stringBytes else {
        throw Expectation("at most \(OptionLimits.stringBytes) bytes")
    }
}

private func requireBounded(_ strings: [String]) throws(Expectation) {
    guard strings.count <= OptionLimits.arrayElements else {
        throw Expectation("at most \(OptionLimits.arrayElements) elements")
    }
    for string in strings { try requireBounded(string) }
}

private func mediaFilter(_ names: [String]) throws(Expectation) -> MediaFilter {
    try requireBounded(names)
    var patterns: [MediaFilter.Pattern] = []
    for name in names {
        guard let pattern = MediaFilter.Pattern(name) else {
            throw Expectation("types of images or videos")
        }
        patterns.append(pattern)
    }
    guard let filter = MediaFilter(patterns) else { throw Expectation("at least one type") }
    guard patterns.contains(where: \.isRecognized) else {
        throw Expectation("at least one recognized type")
    }
    return filter
}

private func outputFormats(_ names: [String]) throws(Expectation) -> [OutputFormat] {
    guard !names.isEmpty else { throw Expectation("at least one type") }
    try requireBounded(names)
    var formats: [OutputFormat] = []
    for name in names {
        guard let format = MediaType(name).flatMap(OutputFormat.init) else {
            throw Expectation("image/jpeg, image/png or image/webp")
        }
        if !formats.contains(format) { formats.append(format) }
    }
    return formats
}

extension Variant {
    /// The value in an error message: short, whatever a caller sent.
    fileprivate var excerpt: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .string(let value): "'\(value.prefix(64))'\(value.count > 64 ? "…" : "")"
        case .int32(let value): "\(value) of type 'i'"
        case .uint32(let value): "\(value)"
        case .structure(let fields) where fields.count <= 8:
            "(\(fields.map(\.excerpt).joined(separator: ", ")))"
        case .array("s", let values) where values.count <= 8:
            "[\(values.map(\.excerpt).joined(separator: ", "))]"
        case .array(_, let values): "\(values.count) elements of type '\(signature)'"
        default: "a value of type '\(signature)'"
        }
    }
}

// MARK: - Towards the backend

extension PickOptions {
    /// The options as the backend gets them: all of them, none of the request's own.
    package func vardict(for method: PickMethod) -> Vardict {
        var vardict: Vardict = [
            "modal": isModal.variant,
            "media_types": mediaTypes.patterns.map(\.description).variant,
            "preselected": preselected.map(\.description).variant,
            "immediate": isImmediate.variant,
            "only_album": isOnlyAlbum.variant,
            "persistent": wishes.contains(.persistent).variant,
            "writable": wishes.contains(.writable).variant,
            "include_location": wishes.contains(.location).variant,
            "clip_mode": clip.mode.rawValue.variant,
            "representation": output.representation.rawValue.variant,
            "max_dimension": UInt32(clamping: output.maximumSide ?? 0).variant,
            "max_bytes": (output.maximumByteCount ?? 0).variant,
            "quality": UInt32(clamping: output.quality).variant,
        ]
        if !output.formats.isEmpty {
            vardict["formats"] = output.formats.map(\.mediaType.rawValue).variant
        }
        vardict["clip_aspect"] = clip.aspect?.variant
        vardict["clip_size"] = clip.size?.variant
        vardict["accept_label"] = acceptLabel?.variant
        vardict["reason"] = reason?.variant
        vardict["album"] = album?.rawValue.variant
        if method == .pickImages {
            vardict["max_count"] = UInt32(clamping: count.maximum ?? 0).variant
            vardict["min_count"] = UInt32(clamping: count.minimum).variant
            vardict["ordered"] = isOrdered.variant
        }
        return vardict
    }
}
