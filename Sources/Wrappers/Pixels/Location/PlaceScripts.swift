// SPDX-License-Identifier: MIT

/// Reads texts in any script as if they were written with the digits, marks and words that the other
/// recognizers know.
enum PlaceScripts {
    /// More bytes than people write.
    private static let longestText = 1 << 20
    /// The name of the encoding before a text in EXIF data.
    private static let wideName = Array("UNICODE\0".utf8)

    /// The readings of a text, in lower case and UTF-8; none if it is plain.
    static func readings(of bytes: [UInt8]) -> [[UInt8]] {
        // In UTF-16, one byte of a character of another script may be small.
        guard bytes.count <= longestText, bytes.contains(where: { $0 >= 0x80 || $0 < 0x09 }) else {
            return []
        }
        let text = String(decoding: PlaceCharacters.plain(bytes), as: UTF8.self)
        var readings = [plain(text.unicodeScalars)]
        guard String(validating: bytes, as: UTF8.self) == nil || bytes.contains(0) else {
            return readings
        }
        let wide = bytes.starts(with: wideName) ? bytes.dropFirst(wideName.count) : bytes[...]
        for isBigEndian in [false, true] {
            let units = stride(from: wide.startIndex, to: wide.endIndex - 1, by: 2).map { index in
                let (first, second) = (UInt16(wide[index]), UInt16(wide[index + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            readings.append(plain(String(decoding: units, as: UTF16.self).unicodeScalars))
        }
        return readings
    }

    // MARK: - Characters

    private static func plain(_ scalars: String.UnicodeScalarView) -> [UInt8] {
        var text: [UInt8] = []
        // Without such a word, the characters for degrees and minutes tell a temperature and a time.
        let original = Array(String(scalars).utf8)
        let hasWord = words.contains { original[...].firstIndex(of: $0.word, from: 0) != nil }
        text.reserveCapacity(scalars.count)
        for scalar in scalars {
            if scalar.value < 0x80 {
                text.append(contentsOf: lowercase(scalar))
            } else {
                append(scalar, readsUnits: hasWord, to: &text)
            }
        }
        return withKnownWords(text)
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> String.UTF8View {
        scalar.properties.lowercaseMapping.utf8
    }

    /// Marks of degrees, minutes and seconds behind a number.
    private static let marks: [Unicode.Scalar: [UInt8]] = [
        "\u{BA}": [0xC2, 0xB0], "\u{2DA}": [0xC2, 0xB0], "\u{2032}": [0x27], "\u{2019}": [0x27],
        "\u{B4}": [0x27], "\u{2033}": [0x22], "\u{201D}": [0x22],
    ]
    /// Characters for the same units, and for others.
    private static let units: [Unicode.Scalar: [UInt8]] = [
        "度": [0xC2, 0xB0], "도": [0xC2, 0xB0], "分": [0x27], "분": [0x27], "秒": [0x22], "초": [0x22],
    ]

    private static func append(
        _ scalar: Unicode.Scalar, readsUnits: Bool, to text: inout [UInt8]
    ) {
        // Full-width forms of ASCII.
        if (0xFF01...0xFF5E).contains(scalar.value),
            let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
        {
            return text.append(contentsOf: lowercase(narrow))
        }
        if let mark = marks[scalar] ?? (readsUnits ? units[scalar] : nil),
            text.last(where: { $0 != 0x20 }).map(PlaceText.isDigit) == true
        {
            text += mark
            return
        }
        switch scalar {
        // Points and commas.
        case "\u{B7}", "\u{66B}", "\u{2027}": text.append(UInt8(ascii: "."))
        case "\u{3001}", "\u{60C}": text.append(UInt8(ascii: ","))
        case "\u{3002}": text.append(UInt8(ascii: ";"))
        case "\u{2212}", "\u{2013}": text.append(UInt8(ascii: "-"))
        case "\u{B0}": text += [0xC2, 0xB0]
        default: appendOther(scalar, to: &text)
        }
    }

    private static func appendOther(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .decimalNumber:
            let digit = properties.numericValue.flatMap { UInt8(exactly: $0) } ?? 0
            text.append(0x30 + digit)
        case .spaceSeparator, .otherSymbol, .lineSeparator, .paragraphSeparator:
            text.append(0x20)
        // Characters without a width, and variants of symbols.
        case .format: break
        case _ where properties.isVariationSelector: break
        default: text.append(contentsOf: lowercase(scalar))
        }
    }

    // MARK: - Words

    /// What words in other languages are read as.
    private static let words: [(word: [UInt8], meaning: [UInt8])] = [
        (
            " latitude ",
            [
                "纬度", "緯度", "위도", "широта", "широти", "γεωγραφικό πλάτος", "خط العرض",
                "دائرة العرض", "अक्षांश", "ละติจูด", "enlem", "vĩ độ", "szerokość geograficzna",
                "zeměpisná šířka", "földrajzi szélesség", "leveysaste", "קו רוחב",
            ]
        ),
        (
            " longitude ",
            [
                "经度", "經度", "経度", "경도", "долгота", "довгота", "γεωγραφικό μήκος",
                "خط الطول", "देशांतर", "ลองจิจูด", "boylam", "kinh độ", "długość geograficzna",
                "zeměpisná délka", "földrajzi hosszúság", "pituusaste", "קו אורך",
            ]
        ),
        (
            " n ",
            [
                "北纬", "北緯", "북위", "с. ш.", "с.ш.", "северной широты", "північної широти",
                "شمالاً", "شمالا",
            ]
        ),
        (
            " s ",
            [
                "南纬", "南緯", "남위", "ю. ш.", "ю.ш.", "южной широты", "південної широти",
                "جنوباً", "جنوبا",
            ]
        ),
        (
            " e ",
            [
                "东经", "東經", "東経", "동경", "в. д.", "в.д.", "восточной долготы",
                "східної довготи", "شرقاً", "شرقا",
            ]
        ),
        (
            " w ",
            [
                "西经", "西經", "西経", "서경", "з. д.", "з.д.", "западной долготы",
                "західної довготи", "غرباً", "غربا",
            ]
        ),
    ].flatMap { meaning, words in words.map { (Array($0.utf8), Array(meaning.utf8)) } }

    private static func withKnownWords(_ text: [UInt8]) -> [UInt8] {
        words.reduce(text) { text, pair in
            guard var found = text[...].firstIndex(of: pair.word, from: 0) else { return text }
            var result: [UInt8] = []
            var position = 0
            while true {
                result += text[position..<found] + pair.meaning
                position = found + pair.word.count
                guard let next = text[...].firstIndex(of: pair.word, from: position) else { break }
                found = next
            }
            return result + text[position...]
        }
    }
}
