// SPDX-License-Identifier: MIT

internal import CGLib

/// A file of groups with keys and values, such as the desktop uses for settings.
///
/// - Source: g_key_file_load_from_data(); Desktop Entry Specification, “Basic format”.
package struct KeyFile: Sendable {
    /// Why a text has no values.
    package struct FormatError: Error, Hashable, Sendable {
        /// For people.
        package let message: String
    }

    /// One key of a group.
    package struct Entry: Hashable, Sendable {
        package let group: String
        package let key: String
        /// As it is written.
        package let value: String
        /// The line that it stands in, from 1.
        package let line: Int

        /// The value as a list: the parts between `;`, without blanks around them.
        package var list: [String] {
            value.split(separator: ";").map { part in
                let trimmed = part.drop(while: \.isWhitespace)
                return String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
            }.filter { !$0.isEmpty }
        }
    }

    /// All keys, in the order of the text; of one that stands twice the last.
    package let entries: [Entry]

    /// Reads a text.
    ///
    /// - Parameter text: UTF-8.
    /// - Throws: ``FormatError`` that says what is wrong with it.
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
                entries.append(
                    Entry(
                        group: group, key: key, value: String(cString: value),
                        line: lines["\(group)/\(key)"] ?? 0))
                g_free(value)
            }
        }
        self.entries = entries
    }

    /// A value as it is written.
    package subscript(_ group: String, _ key: String) -> String? {
        entries.last { $0.group == group && $0.key == key }?.value
    }

    /// Where each key stands, which GLib does not tell.
    private static func lines(of text: [UInt8]) -> [String: Int] {
        var lines: [String: Int] = [:]
        var group = ""
        let text = String(decoding: text, as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                group = String(line[line.index(after: line.startIndex)..<end])
            } else if let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].split(whereSeparator: \.isWhitespace).first ?? ""
                lines["\(group)/\(key)"] = index + 1
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
