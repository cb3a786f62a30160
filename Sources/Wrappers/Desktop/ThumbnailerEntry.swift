// SPDX-License-Identifier: MIT

internal import CGLib

/// A thumbnailer of the desktop: a program that makes a picture of a file.
///
/// - Source: the `.thumbnailer` files that GNOME's and other file managers read.
package struct ThumbnailerEntry: Hashable, Sendable {
    package let mimeTypes: Set<String>
    /// The program and its arguments, with the placeholders `%i`, `%u`, `%o` and `%s`.
    private let words: [String]

    /// Reads an entry.
    ///
    /// Nil if the entry has no command or type, or the program is not installed.
    package init?(_ file: KeyFile) {
        let group = "Thumbnailer Entry"
        guard let command = file[group, "Exec"], let words = Self.split(command), !words.isEmpty,
            Self.isInstalled(file[group, "TryExec"] ?? words[0]),
            let types = file.entries.last(where: { $0.group == group && $0.key == "MimeType" })
        else { return nil }
        self.words = words
        mimeTypes = Set(types.list)
    }

    /// The command for one file.
    ///
    /// - Parameters:
    ///   - input: The path of the file.
    ///   - output: The path of the PNG file to write.
    /// - side: The side of the square that the picture should fit, in pixels.
    package func command(input: String, output: String, side: Int) -> [String] {
        words.map { word in
            var result = ""
            var rest = word[...]
            while let character = rest.popFirst() {
                guard character == "%", let code = rest.popFirst() else {
                    result.append(character)
                    continue
                }
                switch code {
                case "i": result += input
                case "u": result += "file://\(input)"
                case "o": result += output
                case "s": result += String(side)
                default: result.append(code)
                }
            }
            return result
        }
    }

    /// - Source: g_shell_parse_argv().
    private static func split(_ command: String) -> [String]? {
        var count: gint = 0
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(command, &count, &words, nil) != 0, let words else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
    }

    private static func isInstalled(_ program: String) -> Bool {
        guard let path = g_find_program_in_path(program) else { return false }
        g_free(path)
        return true
    }
}
