// SPDX-License-Identifier: MIT

/// Decides whether a request for a file is a request for pictures.
///
/// The filter that the app selected decides; if it selected none, all filters except those that accept
/// every file. The request is for pictures if each of their rules names images or videos, and the library
/// knows enough of the types. See docs/decisions/0010-file-chooser.md.
package struct FilterClassifier: Sendable {
    private let typeOfExtension: @Sendable (String) -> MediaType?

    /// Makes a classifier.
    ///
    /// - Parameter typeOfExtension: Returns the desktop's media type for a lower-case extension without
    ///   the dot, such as `tar.gz`; nil if it is unknown.
    package init(typeOfExtension: @escaping @Sendable (String) -> MediaType?) {
        self.typeOfExtension = typeOfExtension
    }

    /// Returns the filters that the photo dialog can replace; nil if a file dialog is needed.
    ///
    /// - Parameters:
    ///   - filters: All filters that the app offers.
    ///   - current: The filter that the app selected: one of `filters`, unless that is empty.
    package func pictures(_ filters: [FileFilter], current: FileFilter?) -> PictureFilters? {
        let offered = filters.isEmpty ? current.map { [$0] } ?? [] : filters
        guard Self.areBounded(offered) else { return nil }
        let chosen = current.flatMap { offered.firstIndex(of: $0) }
        if current != nil && chosen == nil { return nil }
        var all: [PictureFilter] = []
        var position: Int?
        for (index, filter) in offered.enumerated() {
            switch kind(of: filter) {
            case .pictures(let types):
                if index == chosen { position = all.count }
                all.append(PictureFilter(filter: filter, mediaTypes: types))
            // The app selected none, so the person may want any of them.
            case .others where current == nil: return nil
            case .others, .unknownPictures, .everything: continue
            }
        }
        if all.isEmpty || (current != nil && position == nil) { return nil }
        return PictureFilters(all: all, current: position)
    }

    // MARK: - One filter

    private enum Kind {
        case pictures(MediaFilter)
        /// Pictures, none of which the library knows.
        case unknownPictures
        /// Accepts every file, such as “All files”.
        case everything
        case others
    }

    private enum RuleKind {
        case pictures([MediaFilter.Pattern])
        /// Ignored beside picture types, and does not count as one.
        case companion
        case everything
        case others
    }

    private func kind(of filter: FileFilter) -> Kind {
        var patterns: [MediaFilter.Pattern] = []
        var unknown: Set<MediaFilter.Pattern> = []
        var hasOthers = false
        for rule in filter.rules {
            switch kind(of: rule) {
            case .pictures(let found):
                patterns += found.filter(\.isRecognized)
                unknown.formUnion(found.filter { !$0.isRecognized })
            case .companion: continue
            // A rule that accepts everything makes the others irrelevant.
            case .everything: return .everything
            case .others: hasOthers = true
            }
        }
        guard !hasOthers, let known = MediaFilter(patterns.withoutRepetitions) else {
            return hasOthers || unknown.isEmpty ? .others : .unknownPictures
        }
        // An editor that opens its own format and PNG is looking for its own files, too; a list of
        // many types means pictures as such.
        let isGeneral = known.patterns.count >= 4 || known.patterns.count > unknown.count
        return isGeneral ? .pictures(known) : .others
    }

    private func kind(of rule: FileFilter.Rule) -> RuleKind {
        switch rule {
        case .mediaType(let name):
            let name = name.lowercased()
            if Self.everythingTypes.contains(name) { return .everything }
            return kind(ofType: name)
        case .glob(let glob):
            if glob == "*" || glob == "*.*" { return .everything }
            guard let suffix = Self.suffix(of: glob) else { return .others }
            if Self.companionExtensions.contains(suffix) { return .companion }
            // The desktop may not know newer formats.
            if let type = typeOfExtension(suffix) ?? MediaType.ofExtension(suffix) {
                return kind(ofType: type.rawValue)
            }
            return .others
        }
    }

    private func kind(ofType name: String) -> RuleKind {
        if Self.companionTypes.contains(name) { return .companion }
        let types = MediaType.aliased(name)
        if !types.isEmpty { return .pictures(types.map { .exactly($0) }) }
        return MediaFilter.Pattern(name).map { .pictures([$0]) } ?? .others
    }

    /// The lower-case extension that a glob such as `*.[jJ][pP][gG]` matches.
    ///
    /// Nil for any other glob, which the photo dialog could not apply.
    static func suffix(of glob: String) -> String? {
        guard glob.hasPrefix("*."), glob.utf8.count <= 256 else { return nil }
        var suffix = ""
        var rest = glob.dropFirst(2)
        while let character = rest.popFirst() {
            switch character {
            case "*", "?", "]", "\\", "/": return nil
            case "[":
                guard let end = rest.firstIndex(of: "]"), let letter = rest.first else {
                    return nil
                }
                // One letter in both cases, or a character without case.
                let letters = Set(rest[..<end].map { $0.lowercased() })
                guard letters == [letter.lowercased()] else { return nil }
                suffix += letter.lowercased()
                rest = rest[rest.index(after: end)...]
            default: suffix += character.lowercased()
            }
        }
        return suffix.isEmpty ? nil : suffix
    }

    /// A longer list than anyone could read is not examined.
    private static func areBounded(_ filters: [FileFilter]) -> Bool {
        filters.count <= 1024 && filters.reduce(0) { $0 + min($1.rules.count, 2049) } <= 2048
    }
}

// MARK: - What apps write

extension FilterClassifier {
    private static let everythingTypes: Set = ["*/*", "application/octet-stream", "all/all"]

    /// Extensions that browsers list as images or videos although their types are neither.
    ///
    /// - Source: Firefox's filepicker.properties (`imageFilter`, `videoFilter`).
    private static let companionExtensions: Set = [
        "ai", "drw", "psp", "raw", "ogx", "rm", "rmvb", "smil", "xvid",
    ]

    /// Types that mean the same.
    ///
    /// - Source: gdk-pixbuf's loaders of animated cursors and of WebP, as GTK passes them on.
    private static let companionTypes: Set = [
        "application/x-navi-animation", "audio/x-riff", "application/illustrator",
        "application/vnd.rn-realmedia", "application/ogg", "application/smil+xml",
    ]
}
