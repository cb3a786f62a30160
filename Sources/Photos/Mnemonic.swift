// SPDX-License-Identifier: MIT

extension String {
    /// The label of a button without the underline that marks a mnemonic; a double underline becomes
    /// a single one.
    ///
    /// Nil if nothing is left.
    package var withoutMnemonic: String? {
        var text = ""
        var isEscaped = false
        for character in prefix(256) {
            if character == "_" && !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text.isEmpty ? nil : text
    }
}
