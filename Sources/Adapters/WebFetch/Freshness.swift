// SPDX-License-Identifier: MIT

/// How long an answer of a server stays true, and by what the server knows it again.
package struct Freshness: Hashable, Sendable {
    /// Whether the answer may be kept at all.
    package var isStorable = true
    /// For how many seconds it may be used without asking the server.
    package var lifetime: UInt32 = 0
    /// The validators, as the server wrote them; nil if it gave none.
    package var entityTag: String?
    package var lastModified: String?

    /// What is true once a server has said that nothing has changed: it need not name the validators
    /// again.
    func updated(by answer: Freshness) -> Freshness {
        var updated = answer
        updated.entityTag = answer.entityTag ?? entityTag
        updated.lastModified = answer.lastModified ?? lastModified
        return updated
    }

    /// What is true of an answer to which another server has led: it is kept no longer than the way to it.
    ///
    /// It has no validators, because the first server would be asked with them, and they are another one's.
    package func limited(by redirect: Freshness) -> Freshness {
        var limited = Freshness()
        limited.isStorable = isStorable && redirect.isStorable
        limited.lifetime = min(lifetime, redirect.lifetime)
        return limited
    }

    /// The longest time that is believed: a year.
    package static let longestLifetime: UInt32 = 365 * 24 * 60 * 60

    package init() {}

    /// Reads the headers of an answer; one that says nothing has to be asked for again.
    ///
    /// Of a picture that only one app sees, it does not matter whether caches that many share may keep
    /// it.
    ///
    /// - Parameters:
    ///   - control: All fields of `Cache-Control`.
    ///   - age: `Age`, in seconds.
    ///   - vary: All fields of `Vary`; `*` means that another request may get another picture.
    ///   - otherwise: The lifetime of an answer that says none.
    /// - Source: RFC 9111, sections 4.1, 4.2 and 5.2.2; RFC 9110, sections 8.8 and 12.5.5.
    package init(
        control: String?, age: String?, vary: String? = nil, entityTag: String?,
        lastModified: String?, otherwise: UInt32 = 0
    ) {
        self.entityTag = Self.validator(entityTag)
        self.lastModified = Self.validator(lastModified)
        if (vary ?? "").split(separator: ",").contains(where: { $0.trimmed == "*" }) {
            isStorable = false
        }
        var mustAsk = false
        var longest: UInt32?
        for directive in (control ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            let name = parts.first?.trimmed.lowercased() ?? ""
            let value = parts.dropFirst().first?.trimmed ?? ""
            switch name {
            case "no-store": isStorable = false
            case "no-cache": mustAsk = true
            case "max-age":
                // Of several, the one that is wrong for the shortest time.
                longest = min(longest ?? .max, Self.seconds(value) ?? 0)
            default: break
            }
        }
        let elapsed = age.flatMap { Self.seconds($0[...].trimmed) } ?? 0
        let stated = longest ?? otherwise
        lifetime = mustAsk ? 0 : stated - min(stated, elapsed)
    }

    /// - Source: RFC 9111, section 1.2.2: a number that is too large is a large one.
    private static func seconds(_ text: String) -> UInt32? {
        let digits = text.filter { $0 != "\"" }
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return min(UInt32(digits) ?? longestLifetime, longestLifetime)
    }

    /// A validator goes back to the server in a header, and so must be one line of ASCII.
    package static func validator(_ text: String?) -> String? {
        guard let text, (1...1024).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return nil }
        return text
    }
}

extension Substring {
    /// The text without blanks at its beginning and its end.
    fileprivate var trimmed: String {
        let blanks: Set<Character> = [" ", "\t"]
        guard let first = firstIndex(where: { !blanks.contains($0) }),
            let last = lastIndex(where: { !blanks.contains($0) })
        else { return "" }
        return String(self[first...last])
    }
}
