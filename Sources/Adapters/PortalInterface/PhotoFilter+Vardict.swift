// SPDX-License-Identifier: MIT

import Photos
import SDBus

extension OptionCoding where Value == PhotoFilter {
    /// The rules that photos must follow; unknown ones are ignored, like unknown options.
    static var photoFilter: OptionCoding {
        OptionCoding(
            refusing: [
                ["min_width": "800".variant], ["max_bytes": UInt32(1).variant],
                ["newer_than": UInt64(1).variant], ["favorites": UInt32(1).variant],
                ["min_duration": UInt32(3).variant, "max_duration": UInt32(2).variant],
                ["newer_than": Int64(5).variant, "older_than": Int64(5).variant],
            ],
            decode: { (rules: Vardict) throws(Expectation) in try PhotoFilter(rules) },
            encode: { $0.isEmpty ? nil : $0.vardict })
    }
}

extension PhotoFilter {
    /// A filter with every rule, for tests.
    static let sample: PhotoFilter = {
        var filter = PhotoFilter()
        filter.minimumWidth = 800
        filter.minimumHeight = 600
        filter.maximumByteCount = 5_000_000
        filter.newerThan = 1_600_000_000
        filter.olderThan = 1_700_000_000
        filter.isFavorite = true
        filter.minimumDuration = 5
        filter.maximumDuration = 60
        return filter
    }()

    fileprivate init(_ rules: Vardict) throws(Expectation) {
        self.init()
        minimumWidth = try rules.limit("min_width")
        minimumHeight = try rules.limit("min_height")
        maximumByteCount = try rules.rule("max_bytes", UInt64.self).flatMap { $0 == 0 ? nil : $0 }
        newerThan = try rules.rule("newer_than", Int64.self)
        olderThan = try rules.rule("older_than", Int64.self)
        isFavorite = try rules.rule("favorites", Bool.self) ?? false
        minimumDuration = try rules.limit("min_duration")
        maximumDuration = try rules.limit("max_duration")
        if let minimumDuration, let maximumDuration, minimumDuration > maximumDuration {
            throw Expectation(
                "a 'min_duration' of at most 'max_duration'",
                received: "\(minimumDuration) and \(maximumDuration)")
        }
        if let newerThan, let olderThan, newerThan >= olderThan {
            throw Expectation(
                "a 'newer_than' before 'older_than'", received: "\(newerThan) and \(olderThan)")
        }
    }

    fileprivate var vardict: Vardict {
        var rules: Vardict = [:]
        rules["min_width"] = minimumWidth.map { UInt32(clamping: $0).variant }
        rules["min_height"] = minimumHeight.map { UInt32(clamping: $0).variant }
        rules["max_bytes"] = maximumByteCount?.variant
        rules["newer_than"] = newerThan?.variant
        rules["older_than"] = olderThan?.variant
        rules["favorites"] = isFavorite ? true.variant : nil
        rules["min_duration"] = minimumDuration.map { UInt32(clamping: $0).variant }
        rules["max_duration"] = maximumDuration.map { UInt32(clamping: $0).variant }
        return rules
    }
}

extension Vardict {
    /// The value of a rule; nil if there is none.
    fileprivate func rule<Content: VariantConvertible>(
        _ key: String, _: Content.Type
    ) throws(Expectation) -> Content? {
        guard let variant = self[key] else { return nil }
        guard let value = Content(variant) else {
            throw Expectation(
                "type '\(Content.variantSignature)' of '\(key)'", received: variant.typedExcerpt)
        }
        return value
    }

    /// A number; 0 means no limit.
    fileprivate func limit(_ key: String) throws(Expectation) -> Int? {
        try rule(key, UInt32.self).flatMap { $0 == 0 ? nil : Int($0) }
    }
}
