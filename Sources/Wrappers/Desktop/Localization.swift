// SPDX-License-Identifier: MIT

internal import CGLib
import Glibc
package import SystemPackage

/// Texts in the person's language.
///
/// Every text that a person sees goes through here; `scripts/translations` collects them.
package enum Localization {
    private static let domain = "photo-portal"

    /// Selects the language of the environment; call it once at the start of a program.
    ///
    /// - Parameter folder: The folder of the installed translations, `PREFIX/share/locale`.
    /// - Source: setlocale(3), bindtextdomain(3).
    package static func start(folder: FilePath) {
        setlocale(LC_ALL, "")
        _ = folder.withPlatformString { bindtextdomain(domain, $0) }
        bind_textdomain_codeset(domain, "UTF-8")
    }

    fileprivate static func text(_ text: String) -> String {
        // Without a translation the result is the argument itself, so copy it while the argument is
        // valid.
        text.withCString { pointer in
            g_dgettext(domain, pointer).map { String(cString: $0) } ?? text
        }
    }

    fileprivate static func text(_ one: String, _ many: String, _ count: Int) -> String {
        one.withCString { one in
            many.withCString { pointer in
                g_dngettext(domain, one, pointer, gulong(clamping: count))
                    .map { String(cString: $0) } ?? many
            }
        }
    }
}

/// The translation of a text, with `%@` replaced by the arguments in order.
package func localized(_ text: String, _ arguments: String...) -> String {
    filled(Localization.text(text), arguments)
}

/// The translation of a text with a plural form, with `%@` replaced by the arguments in order.
package func localizedCount(
    one: String, many: String, count: Int, _ arguments: String...
) -> String {
    filled(Localization.text(one, many, count), arguments)
}

/// Replaces each `%@`.
///
/// Arguments that contain `%@` are inserted unchanged.
private func filled(_ text: String, _ arguments: [String]) -> String {
    var parts = text.split(separator: "%@", omittingEmptySubsequences: false).map(String.init)
    for (index, argument) in arguments.enumerated() where index + 1 < parts.count {
        parts[index] += argument
    }
    return parts.joined()
}

extension LocalTime {
    /// A date and time for people, for example “3 May 2026, 14:10”.
    ///
    /// - Source: g_date_time_format().
    package static func text(_ seconds: Int64) -> String {
        // Translators: date and time of a photo, in the notation of g_date_time_format().
        format(seconds, localized("%-d %B %Y, %H:%M"))
    }

    /// A day for people, for example “3 May 2026”.
    package static func day(_ seconds: Int64) -> String {
        // Translators: a day, in the notation of g_date_time_format().
        format(seconds, localized("%-d %B %Y"))
    }

    /// A month for people, for example “May 2026”.
    package static func month(_ seconds: Int64) -> String {
        // Translators: a month, in the notation of g_date_time_format().
        format(seconds, localized("%OB %Y"))
    }

    /// A year for people.
    package static func year(_ seconds: Int64) -> String {
        // Translators: a year, in the notation of g_date_time_format().
        format(seconds, localized("%Y"))
    }

    /// A size of a file for people, for example “2.4 MB”.
    ///
    /// - Source: g_format_size().
    package static func byteText(_ count: Int64) -> String {
        guard let text = g_format_size_full(guint64(clamping: count), G_FORMAT_SIZE_DEFAULT) else {
            return ""
        }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// A number with the digit separators of the person's language.
    package static func number(_ number: Int) -> String {
        formatted("%'ld", number)
    }

    /// A number with three digits, or as many as it has before the decimal separator, without zeros at the
    /// end: 1.8, 24.5, 4000.
    package static func short(_ number: Double) -> String {
        formatted(number < 999.5 ? "%.3g" : "%.0f", number)
    }

    /// A number with one digit after the decimal separator of the person's language.
    ///
    /// - Parameter tenths: The number, times ten.
    package static func decimal(tenths: Int) -> String {
        formatted("%.1f", Double(tenths) / 10)
    }

    /// A number in a form of printf(3).
    private static func formatted(_ format: String, _ number: some CVarArg) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([number]) { vsnprintf(&buffer, buffer.count, format, $0) }
        return String(decoding: buffer.prefix(Int(max(count, 0))).map(UInt8.init), as: UTF8.self)
    }

    static func format(_ seconds: Int64, _ format: String) -> String {
        guard let date = g_date_time_new_from_unix_local(gint64(seconds)) else { return "" }
        defer { g_date_time_unref(date) }
        guard let text = g_date_time_format(date, format) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
