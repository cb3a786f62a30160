// SPDX-License-Identifier: MIT

extension String {
    /// The text without what does more than show characters in one line.
    ///
    /// Whoever names a file or an app may put anything into the name: characters that control a terminal,
    /// and those that turn the direction of all that follows.
    ///
    /// - Source: Unicode Standard Annex #9, “Explicit Directional Embeddings”, “Overrides”, “Isolates”.
    package var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar -> Unicode.Scalar in
                    if scalar == "\n" || scalar == "\t" { return " " }
                    let isControl = scalar.properties.generalCategory == .control
                    return isControl || Self.directions.contains(where: { $0 ~= scalar })
                        ? "\u{FFFD}" : scalar
                }))
    }

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
