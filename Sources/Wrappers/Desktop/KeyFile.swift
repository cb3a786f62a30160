// SPDX-License-Identifier: MIT

internal import CGLib

/// A key file, the format of the desktop's settings files: groups of keys and values.
///
/// - Source: g_key_file_load_from_data(); Desktop Entry Specification, “Basic format”.
package struct KeyFile: Sendable {
    /// Why a text could not be read.
    package struct FormatError: Error, Hashable, Sendable {
        /// A text for people.
        package let message: String
    }

    /// One key of a group.
    package struct Entry: Hashable, Sendable {
        package let group: String
        package let key: String
        /// The value, as written in the file.
        package let value: String
        /// The number of the line, from 1.
        package let line: Int
        /// Whether an earlier line of the group has another value for the key, which does not count.
        package let isRepeated: Bool

        /// The value as a list: the parts between `;`, without surrounding whitespace.
        package var list: [String] {
            value.split(separator: ";").map { part in
                let trimmed = part.drop(while: \.isWhitespace)
                return String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
            }.filter { !$0.isEmpty }
        }
    }

    /// A line that is not valid.
    package struct Fault: Hashable, Sendable {
        /// The number of the line, from 1.
        package let line: Int
        /// The group that the line is in, or seems to begin; empty before the first one, nil if
        /// that cannot be known.
        package let group: String?
        /// A text for people.
        package let message: String
    }

    /// All keys, in the order of the text.
    ///
    /// If a key occurs twice in a group, the last value wins.
    package let entries: [Entry]

    /// Reads a text and leaves out the lines that are not valid.
    ///
    /// - Parameter text: UTF-8.
    /// - Returns: The rest, and the reason why each line was left out.
    /// - Throws: ``FormatError`` if GLib rejects the rest as well.
    package static func readingLeniently(
        _ text: [UInt8]
    ) throws(FormatError) -> (KeyFile, [Fault]) {
        var faults: [Fault] = []
        var good: [UInt8] = []
        var reader = LineReader()
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            switch reader.read(line) {
            case .good: good += line
            case .ignored: break
            case .fault(let message):
                faults.append(Fault(line: index + 1, group: reader.group, message: message))
            }
            // Keeps the line numbers.
            good.append(UInt8(ascii: "\n"))
        }
        return (try KeyFile(good), faults)
    }

    /// Reads a text; a single invalid line makes all of it unreadable.
    ///
    /// - Parameter text: UTF-8.
    /// - Throws: ``FormatError`` with GLib's message.
    package init(_ text: [UInt8]) throws(FormatError) {
        guard let file = g_key_file_new() else { throw FormatError(message: "out of memory") }
        defer { g_key_file_unref(file) }
        var error: UnsafeMutablePointer<GError>?
        let characters = text.map { CChar(bitPattern: $0) }
        let isLoaded = g_key_file_load_from_data(
            file, characters, gsize(characters.count), G_KEY_FILE_NONE, &error)
        guard isLoaded != 0 else {
            defer { g_clear_error(&error) }
            throw FormatError(message: error.map { String(cString: $0.pointee.message) } ?? "")
        }
        let lines = Self.lines(of: text)
        var entries: [Entry] = []
        for group in Self.strings(g_key_file_get_groups(file, nil)) {
            for key in Self.strings(g_key_file_get_keys(file, group, nil, nil)) {
                guard let value = g_key_file_get_value(file, group, key, nil) else { continue }
                let found = lines["\(group)/\(key)"] ?? []
                entries.append(
                    Entry(
                        group: group, key: key, value: String(cString: value),
                        line: found.last ?? 0, isRepeated: found.count > 1))
                g_free(value)
            }
        }
        self.entries = entries
    }

    /// A value, as written in the file.
    package subscript(_ group: String, _ key: String) -> String? {
        entries.last { $0.group == group && $0.key == key }?.value
    }

    /// The lines of each key, which GLib does not provide.
    private static func lines(of text: [UInt8]) -> [String: [Int]] {
        var lines: [String: [Int]] = [:]
        var group = ""
        let text = String(decoding: text, as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = line.drop(while: \.isWhitespace)
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                group = String(line[line.index(after: line.startIndex)..<end])
            } else if let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].split(whereSeparator: \.isWhitespace).first ?? ""
                lines["\(group)/\(key)", default: []].append(index + 1)
            }
        }
        return lines
    }

    private static func strings(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> [String] {
        defer { g_strfreev(list) }
        var strings: [String] = []
        var next = list
        while let text = next?.pointee {
            strings.append(String(cString: text))
            next = next?.advanced(by: 1)
        }
        return strings
    }
}

/// Checks the lines of a key file one by one.
private struct LineReader {
    enum Line {
        case good
        /// In a group whose header is invalid; the header has already been reported.
        case ignored
        case fault(String)
    }

    private enum Place {
        case beforeGroups
        case inGroup
        case belowFault
    }

    private var place = Place.beforeGroups
    /// The group of the last line, as far as its header can be read; nil if it cannot.
    private(set) var group: String? = ""

    mutating func read(_ bytes: ArraySlice<UInt8>) -> Line {
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            if place == .beforeGroups || bytes.first == UInt8(ascii: "[") {
                group = nil
                place = .belowFault
            }
            return .fault("the line is not UTF-8 text")
        }
        let line = text.drop(while: \.isWhitespace)
        guard let first = line.first, first != "#" else { return .good }
        if first == "[" { return readGroup(line) }
        switch place {
        case .belowFault: return .ignored
        case .beforeGroups: return .fault("'\(line)' comes before the first [Group]")
        case .inGroup:
            let key = line.prefix { $0 != "=" }
            let isKey =
                key.endIndex != line.endIndex && !key.allSatisfy(\.isWhitespace)
                && !key.contains { "[]".contains($0) }
            return isKey ? .good : .fault("'\(line)' is not of the form Key=value")
        }
    }

    private mutating func readGroup(_ line: Substring) -> Line {
        let trimmed = line.reversed().drop(while: \.isWhitespace).reversed()
        let name = trimmed.dropFirst().dropLast()
        let isGroup =
            trimmed.last == "]" && !name.isEmpty
            && !name.contains { "[]".contains($0) || $0.isASCII && $0.asciiValue ?? 0 < 32 }
        place = isGroup ? .inGroup : .belowFault
        group = String(isGroup ? name : trimmed.dropFirst())
        return isGroup
            ? .good : .fault("'\(line)' is not of the form [Group]; the keys below it are ignored")
    }
}
