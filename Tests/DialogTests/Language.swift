// SPDX-License-Identifier: MIT

import Files
import Processes
import SystemPackage
import TestSupport
import Testing

/// A language that the window is translated to.
struct Language: Sendable {
    static let german = Language(name: "de", locale: "de_DE")
    static let chinese = Language(name: "zh_CN", locale: "zh_CN")

    /// The name of its translation in `data/po`.
    let name: String
    /// Its locale in glibc, without the encoding.
    let locale: String

    /// Makes the translation where the programs look for it, and the locale in the home.
    ///
    /// - Returns: Variables for programs that speak the language.
    func prepare(in home: TestHome) async throws -> [String: String] {
        let translations = ProgramFolder.localeFolder
        let folder = translations.appending(name).appending("LC_MESSAGES")
        try Directory.make(folder)
        let texts = Programs.source.appending("data").appending("po").appending("\(name).po")
        try await run(
            "msgfmt", "--output-file=\(folder.appending("photo-portal.mo"))", texts.string, in: home
        )
        // Debian comes with the locale C.UTF-8 alone, in which months have their English names.
        let locales = home.scratch.appending("locales")
        try Directory.make(locales)
        try await run(
            "localedef", "-i", locale, "-f", "UTF-8", "\(locales)/\(locale).UTF-8", in: home)
        return [
            "LOCPATH": locales.string, "LC_ALL": "\(locale).UTF-8", "LANGUAGE": name,
            "TEXTDOMAINDIR": translations.string,
        ]
    }

    private func run(_ program: String, _ arguments: String..., in home: TestHome) async throws {
        let child = try ChildProcess(
            program, arguments, environment: home.environment, scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(60))
        try #require(status == 0, "\(program): \(child.errorText)")
    }
}
