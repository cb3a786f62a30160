// SPDX-License-Identifier: MIT

import Desktop
import Files
package import Logging
package import SystemPackage

/// Random bytes that are made once for this person and kept beside the library.
package enum InstallationSecret {
    private static let length = 32

    /// Returns the secret, and makes it if there is none.
    ///
    /// Without a secret that can be stored, a new one is used each time: ids that apps have received
    /// are then no longer recognized.
    ///
    /// - Isolation: any thread; blocks on a small file.
    package static func load(
        _ logger: Logger,
        from path: FilePath = UserFolders.data.appending("photo-portal").appending("secret")
    ) -> [UInt8] {
        do throws(Errno) {
            if let secret = try read(path) { return secret }
            let secret = random()
            try Directory.make(path.removingLastComponent())
            try withErrno {
                try secret.withUnsafeBytes { try AtomicFile.write($0, to: path, durably: true) }
            }
            return secret
        } catch {
            logger.error(
                "The secret for the ids of photos cannot be kept.", metadata: ["error": "\(error)"])
            return random()
        }
    }

    /// The stored secret; nil if there is none, or a file that does not contain one.
    private static func read(_ path: FilePath) throws(Errno) -> [UInt8]? {
        do {
            let bytes = try Descriptor.openForReading(path).read(upTo: length + 1)
            return bytes.count == length ? bytes : nil
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }

    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
