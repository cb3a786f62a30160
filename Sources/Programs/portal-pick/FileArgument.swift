// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import SystemPackage

/// The name of a file on the command line, byte for byte.
///
/// The parser takes words that are text, and names of files need not be. A byte that is not part of
/// any text stands in the word as a character of a private area, and so does each byte of these
/// characters themselves.
struct FileArgument: ExpressibleByArgument {
    let path: FilePath

    /// The characters that stand for the bytes 0x80 to 0xFF; the last byte is that of the character.
    private static let area: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

    init(argument word: String) {
        var bytes: [UInt8] = []
        for character in word.unicodeScalars {
            if Self.area.contains(character.value) {
                bytes.append(UInt8(truncatingIfNeeded: character.value))
            } else {
                bytes += UTF8.encode(character).map(Array.init) ?? []
            }
        }
        path = FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
    }

    /// The words of the command line, without the name of the program.
    static var words: [String] {
        (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                Self.word(
                    of: UnsafeBufferPointer(start: word, count: strlen(word))
                        .map(UInt8.init(bitPattern:)))
            }
        }
    }

    private static func word(of bytes: [UInt8]) -> String {
        var word = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let character = (1...4).lazy.compactMap { count in
                String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars.first
            }.first { !area.contains($0.value) }
            if let character {
                word.append(character)
                rest = rest.dropFirst(UTF8.width(character))
            } else {
                if let escape = Unicode.Scalar(area.lowerBound - 0x80 + UInt32(first)) {
                    word.append(escape)
                }
                rest = rest.dropFirst()
            }
        }
        return String(word)
    }
}

extension FilePath {
    /// The path, which need not be UTF-8.
    var bytes: [UInt8] {
        withPlatformString { pointer in
            UnsafeBufferPointer(start: pointer, count: length).map(UInt8.init(bitPattern:))
        }
    }
}
