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

    /// The longest time that is believed: a year.
    package static let longestLifetime: UInt32 = 365 * 24 * 60 * 60

    package init() {}

    /// Reads the headers of an answer; one that says nothing has to be asked for again.
    ///
    /// Of a picture that only one app sees, it does not matter whether caches that many share may keep
    /// it.
    ///
    /// - Parameters:
    ///   - control: `Cache-Control`.
    ///   - age: `Age`, in seconds.
    /// - Source: RFC 9111, sections 4.2 and 5.2.2; RFC 9110, section 8.8.
    package init(control: String?, age: String?, entityTag: String?, lastModified: String?) {
        self.entityTag = Self.validator(entityTag)
        self.lastModified = Self.validator(lastModified)
        var mustAsk = false
        for directive in (control ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            let name = parts.first?.trimmed.lowercased() ?? ""
            let value = parts.dropFirst().first?.trimmed ?? ""
            switch name {
            case "no-store": isStorable = false
            case "no-cache": mustAsk = true
            case "max-age":
                lifetime = Self.seconds(value) ?? 0
            default: break
            }
        }
        let elapsed = age.flatMap { Self.seconds($0[...].trimmed) } ?? 0
        lifetime = mustAsk ? 0 : lifetime - min(lifetime, elapsed)
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
