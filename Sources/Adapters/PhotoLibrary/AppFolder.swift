// SPDX-License-Identifier: MIT

import Desktop
package import Photos
import Processes
package import SystemPackage

/// The name of the folder for the photos that an app adds: the name of the app.
package enum AppFolder {
    private static let mostBytes = 120

    /// - Returns: Nil for an app of which nothing is known.
    package static func name(of app: AppID) async -> FilePath.Component? {
        guard app.isKnown else { return nil }
        // The desktop files may be on a disk that does not answer.
        let title = await FileCalls.shared.run(on: "/applications/any", within: .seconds(5)) { _ in
            DesktopApp.find(appID: app.rawValue)?.name
        }
        return name(from: (title ?? nil) ?? "") ?? name(from: app.rawValue)
    }

    /// A name for a folder, from whatever an app calls itself; nil if nothing of it is left.
    package static func name(from title: String) -> FilePath.Component? {
        var text = String.UnicodeScalarView()
        for scalar in title.printable.unicodeScalars {
            // File systems of other systems, to which folders are copied, allow none of these.
            let isSpecial = "/\\:*?\"<>|".unicodeScalars.contains(scalar)
            guard text.reduce(0, { $0 + UTF8.width($1) }) < mostBytes else { break }
            text.append(isSpecial ? "-" : scalar)
        }
        let name = String(text).trimming { $0.isWhitespace || $0 == "." }
        guard name.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        return FilePath.Component(name)
    }
}

extension String {
    /// The text without such characters at its beginning and its end.
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
        guard let first = firstIndex(where: { !isLeftOut($0) }),
            let last = lastIndex(where: { !isLeftOut($0) })
        else { return "" }
        return String(self[first...last])
    }
}
