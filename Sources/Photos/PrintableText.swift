// SPDX-License-Identifier: MIT

extension String {
    /// The text without what does more than show characters in one line.
    ///
    /// Whoever names a file or an app may put anything into the name: characters that control a terminal,
    /// those that turn the direction of all that follows, and dozens of marks on one letter, which cover
    /// the lines above and below.
    ///
    /// - Source: Unicode Standard Annex #9, “Explicit Directional Embeddings”, “Overrides”, “Isolates”.
    package var printable: String {
        var text = String.UnicodeScalarView()
        var marks = 0
        for scalar in unicodeScalars {
            let category = scalar.properties.generalCategory
            marks = category == .nonspacingMark || category == .enclosingMark ? marks + 1 : 0
            if marks > Self.mostMarks { continue }
            if scalar == "\n" || scalar == "\t" {
                text.append(" ")
            } else if category == .control || Self.directions.contains(where: { $0 ~= scalar }) {
                text.append("\u{FFFD}")
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Whether nothing of the text can be seen: it is empty, or has nothing but spaces and characters without
    /// a shape.
    ///
    /// - Source: Unicode Character Database, `Default_Ignorable_Code_Point`.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .control || scalar == Self.emptyBraille
        }
    }

    /// A letter of no dots, which fonts show as a space.
    private static let emptyBraille: Unicode.Scalar = "\u{2800}"

    /// The most marks on one letter, as in pointed Hebrew and in Thai; no script needs more.
    private static let mostMarks = 3

    /// The beginning of an app's text, as long as a window has room for.
    ///
    /// A character may consist of any number of code points, and a line with a million of them keeps
    /// all windows busy.
    ///
    /// - Parameter limit: The most characters.
    package func cut(to limit: Int) -> String {
        let most = limit * 8
        let beginning = String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
        if beginning.count > limit { return beginning.prefix(limit - 1) + "…" }
        return unicodeScalars.dropFirst(most).isEmpty ? self : beginning + "…"
    }

    private static let directions: [ClosedRange<Unicode.Scalar>] = [
        "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}",
    ]
}
