// SPDX-License-Identifier: MIT

import Testing

@testable import Photos

/// Names in texts for people.
@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("Müller & Söhne – 写真 👨‍👩‍👧.jpg", "Müller & Söhne – 写真 👨‍👩‍👧.jpg"),
        ("a\u{1B}[2Jb\u{9B}m", "a\u{FFFD}[2Jb\u{FFFD}m"),
        ("one\ntwo\tthree\r", "one two three\u{FFFD}"),
        ("invoice\u{202E}gpj.exe", "invoice\u{FFFD}gpj.exe"),
        ("\u{2066}a\u{2069}\u{2029}", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
        ("שלום", "שלום"), ("שָׁ֣ ที่ é", "שָׁ֣ ที่ é"),
        // It covered the line that names the app.
        ("a" + String(repeating: "\u{301}", count: 20) + "b", "a\u{301}\u{301}\u{301}b"),
    ])
    func `a name neither controls a terminal nor turns what follows it`(
        name: String, text: String
    ) {
        #expect(name.printable == text)
    }

    @Test(arguments: [
        "", " ", "\u{A0}\u{3000}\t", "\u{200B}\u{FEFF}", "\u{200E}\u{200F}", "\u{202E}", "\u{3164}",
        "\u{2800}", "\u{AD}\u{034F}", "\u{E0001}",
    ])
    func `a text in which nothing can be seen is blank`(text: String) {
        #expect(text.isBlank)
        #expect(!"\(text)a\(text)".isBlank)
        #expect(!"\(text)👨‍👩‍👧".isBlank)
    }

    @Test func `a text is cut where the window has no more room`() {
        #expect("abc".cut(to: 3) == "abc")
        #expect("abcd".cut(to: 3) == "ab…")
        #expect("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧".cut(to: 3) == "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧")
        #expect("".cut(to: 3) == "")
    }

    @Test func `few characters that are megabytes are cut as well`() {
        let marks = String(repeating: "\u{301}", count: 1_000_000)
        let text = "a\(marks)b\(marks)"
        #expect(text.count == 2)
        #expect(text.cut(to: 30).utf8.count < 1000)
    }
}
