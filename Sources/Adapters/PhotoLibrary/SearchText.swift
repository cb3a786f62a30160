// SPDX-License-Identifier: MIT

internal import Foundation

/// Texts in the form in which they are searched.
enum SearchText {
    /// The text with a blank around each character of a script that writes words without blanks, so that
    /// each is a word of its own, and any part of a sentence is found as a phrase.
    ///
    /// Wide forms of Latin letters and digits become the usual ones, and `ß` becomes `ss`; other marks
    /// are left to SQLite.
    static func separated(_ text: String) -> String {
        // Most texts need no change.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E:
                // The wide forms are in the order of ASCII.
                if let usual = Unicode.Scalar(scalar.value - 0xFEE0) { result.append(usual) }
            case 0xDF, 0x1E9E: result.append(contentsOf: "ss".unicodeScalars)
            case _ where isUnseparated(scalar):
                result.append(" ")
                result.append(scalar)
                result.append(" ")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Chinese characters, and Japanese syllables.
    private static func isUnseparated(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005...0x3007, 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    // MARK: - Titles

    /// A text without what does not matter when titles are compared: the case of letters, the marks on
    /// them, and wide forms.
    static func folded(_ text: String) -> String {
        text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
        ).replacing("ß", with: "ss")
    }

    /// Whether a word of a title, or a Chinese character in it, begins with a text that is folded.
    static func hasWord(_ prefix: String, in title: String) -> Bool {
        let title = folded(title)
        var isAfterWord = false
        for index in title.indices {
            let character = title[index]
            let isBeginning =
                !isAfterWord || character.unicodeScalars.first.map(isUnseparated) ?? false
            if isBeginning, title[index...].hasPrefix(prefix) { return true }
            isAfterWord = character.isLetter || character.isNumber
        }
        return false
    }
}
