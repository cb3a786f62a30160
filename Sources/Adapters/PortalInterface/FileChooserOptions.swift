// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The options of `OpenFile` that the photo dialog supports.
package struct FileChooserOptions {
    package var acceptLabel: String?
    package var isModal = true
    package var isMultiple = false
    package var isDirectory = false
    package var filters: [FileFilter] = []
    package var currentFilter: FileFilter?
    package var choices: [FileChoice] = []
    package var folder: [UInt8]?

    /// Reads the options of a call; unknown keys are ignored.
    ///
    /// - Throws: `org.freedesktop.portal.Error.InvalidArgument` if a known key has the wrong type.
    package init(_ options: Vardict) throws(DBusError) {
        acceptLabel = try Self.read("accept_label", "s", options) { String($0) }
            .flatMap { $0.withoutMnemonic }
        isModal = try Self.read("modal", "b", options) { Bool($0) } ?? true
        isMultiple = try Self.read("multiple", "b", options) { Bool($0) } ?? false
        isDirectory = try Self.read("directory", "b", options) { Bool($0) } ?? false
        filters =
            try Self.read("filters", "a(sa(us))", options) {
                $0.elements(of: "(sa(us))") { FileFilter($0) }
            } ?? []
        currentFilter = try Self.read("current_filter", "(sa(us))", options) { FileFilter($0) }
        choices =
            try Self.read("choices", "a(ssa(ss)s)", options) {
                $0.elements(of: "(ssa(ss)s)") { FileChoice($0) }
            } ?? []
        folder = try Self.read("current_folder", "ay", options) { $0.path }
    }

    private static func read<Value>(
        _ key: String, _ signature: String, _ options: Vardict, _ read: (Variant) -> Value?
    ) throws(DBusError) -> Value? {
        guard let variant = options[key] else { return nil }
        guard let value = read(variant) else {
            throw PortalError.invalidArgument(
                "Expected type '\(signature)' for option '\(key)', got '\(variant.signature)'")
        }
        return value
    }
}

// MARK: - Values

extension Variant {
    /// Converts the elements of an array; nil if one of them cannot be converted.
    fileprivate func elements<Value>(
        of signature: String, _ make: (Variant) -> Value?
    ) -> [Value]? {
        guard case .array(signature, let elements) = self else { return nil }
        let values = elements.compactMap(make)
        return values.count == elements.count ? values : nil
    }

    /// The bytes of a path, without the final zero byte.
    fileprivate var path: [UInt8]? {
        elements(of: "y") { if case .byte(let byte) = $0 { byte } else { nil } }
            .map { Array($0.prefix { $0 != 0 }) }
    }
}

extension FileFilter {
    /// Reads a filter of the type `(sa(us))`; nil for another type or another kind of rule.
    fileprivate init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 2,
            let name = String(fields[0]),
            let rules = fields[1].elements(of: "(us)", { Rule($0) })
        else { return nil }
        self.init(name: name, rules: rules)
    }

    var variant: Variant {
        .structure([.string(name), .array(element: "(us)", rules.map(\.variant))])
    }
}

extension FileFilter.Rule {
    fileprivate init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 2,
            let kind = UInt32(fields[0]), let text = String(fields[1])
        else { return nil }
        switch kind {
        case 0: self = .glob(text)
        case 1: self = .mediaType(text)
        default: return nil
        }
    }

    fileprivate var variant: Variant {
        switch self {
        case .glob(let glob): .structure([.uint32(0), .string(glob)])
        case .mediaType(let name): .structure([.uint32(1), .string(name)])
        }
    }
}

extension FileChoice {
    /// Reads a choice of the type `(ssa(ss)s)`.
    fileprivate init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 4,
            let id = String(fields[0]), let label = String(fields[1]),
            let options = fields[2].elements(of: "(ss)", { Option($0) }),
            let initial = String(fields[3])
        else { return nil }
        self.init(id: id, label: label, options: options, initial: initial)
    }
}

extension FileChoice.Option {
    fileprivate init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 2,
            let id = String(fields[0]), let label = String(fields[1])
        else { return nil }
        self.init(id: id, label: label)
    }
}

// MARK: - Answers

extension FileAnswer {
    /// The results of the call.
    package func results(of request: FileRequest) -> Vardict {
        var results: Vardict = [
            "uris": uris.variant,
            // xdg-desktop-portal interprets a missing key as permission to write.
            "writable": false.variant,
        ]
        if !request.choices.isEmpty {
            results["choices"] = .array(
                element: "(ss)",
                zip(request.choices, answers).map {
                    .structure([.string($0.id), .string($1)])
                })
        }
        if let filter, request.filters.all.indices.contains(filter) {
            results["current_filter"] = request.filters.all[filter].filter.variant
        }
        return results
    }
}
