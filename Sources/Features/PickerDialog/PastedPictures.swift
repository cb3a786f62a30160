// SPDX-License-Identifier: MIT

import Desktop
import Files
import PhotoCopies
import Processes
import SystemPackage

/// Pictures that were pasted and are no files, such as screenshots; they become files in the person's cache.
///
/// They are kept for a day, like the copies that apps get.
enum PastedPictures {
    private static var folder: FilePath {
        UserFolders.cache.appending("photo-portal").appending("pasted")
    }

    private static let owner = "pictures"

    /// Makes a file of a picture, and removes old ones.
    ///
    /// - Parameter picture: A PNG file.
    /// - Returns: Its path; nil if it cannot be written.
    static func store(_ picture: [UInt8]) async -> FilePath? {
        let folder = folder
        // A number that nobody guesses keeps pictures of the same name apart.
        let place = folder.appending(owner)
            .appending(String(UInt64.random(in: .min ... .max), radix: 36))
        // The app sees the name.
        let name = localized("Pasted picture")
        let path = place.appending("\(name).png")
        return await FileCalls.shared.run(on: folder) { _ -> FilePath? in
            // Those that cannot be removed now are old the next time as well.
            try? PhotoCopies.remove(of: owner, olderThan: PhotoCopies.lifetime, in: folder)
            do {
                try Directory.make(place)
                try picture.withUnsafeBytes { try AtomicFile.write($0, to: path) }
                return path
            } catch {
                return nil
            }
        } ?? nil
    }
}
