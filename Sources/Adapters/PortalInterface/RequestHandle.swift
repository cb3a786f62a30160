// SPDX-License-Identifier: MIT

package import SDBus

/// The last element of a request's path, chosen by the caller.
package struct HandleToken: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Nil unless the token is 1 to 255 characters of `[A-Za-z0-9_]`.
    package init?(_ rawValue: String) {
        let isValid = rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard (1...255).contains(rawValue.utf8.count), isValid else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    /// The token of a caller that does not choose one.
    package static let standard = HandleToken(known: "t")

    package var description: String { rawValue }
}

/// The paths of requests.
package enum RequestHandle {
    /// The path above all requests.
    package static let folder: ObjectPath = "/org/freedesktop/portal/desktop/request"

    /// The path of a caller's request.
    ///
    /// - Parameters:
    ///   - sender: The caller's unique name.
    ///   - distinction: Another element, if the caller already has a request with this token.
    /// - Source: org.freedesktop.portal.Request: `:` is removed from the unique name, `.` becomes `_`.
    package static func path(
        of sender: BusName, token: HandleToken, distinction: UInt32? = nil
    ) -> ObjectPath? {
        let name = sender.rawValue.dropFirst(sender.isUnique ? 1 : 0)
            .map { $0 == "." ? "_" : String($0) }.joined()
        let base = "\(folder)/\(name)/\(token)"
        return ObjectPath(distinction.map { "\(base)/\($0)" } ?? base)
    }

    /// The unique name of the connection that made a request; nil if the path is none of a request.
    package static func sender(of handle: ObjectPath) -> BusName? {
        let base = "/org/freedesktop/portal/desktop/request/"
        guard handle.rawValue.hasPrefix(base) else { return nil }
        let rest = handle.rawValue.dropFirst(base.count)
        guard let name = rest.split(separator: "/").first else { return nil }
        return BusName(":\(name.replacing("_", with: "."))")
    }
}
