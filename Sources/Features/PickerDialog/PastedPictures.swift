// SPDX-License-Identifier: MIT

import Desktop
import Files
import PhotoCopies
import Photos
import Processes
import SystemPackage

/// Pictures that were pasted and are no files, such as screenshots; they become files in the person's cache.
///
/// The service removes them after a day, like the copies that apps get.
enum PastedPictures {
    /// The types that are read from the clipboard: those that lose nothing come first.
    static let types = [MediaType.png, .webp, .jpeg, .tiff, .bmp, .svg, .gif].map(\.rawValue)
    /// The most bytes of one.
    static let most = 64 << 20

    private static let owner = "pictures"

    /// Makes a file of a picture.
    ///
    /// - Parameter picture: What another program gave; nobody has looked at it yet.
    /// - Returns: Its path; nil if it is no picture, or cannot be written.
    static func store(_ picture: [UInt8]) async -> FilePath? {
        guard let type = MediaType.sniffed(from: Array(picture.prefix(MediaType.sniffedByteCount))),
            let ending = type.fileExtension
        else { return nil }
        // A number that nobody guesses keeps pictures of the same name apart.
        let place = PhotoCopies.pastedFolder.appending(owner)
            .appending(String(UInt64.random(in: .min ... .max), radix: 36))
        // The app sees the name.
        let name = localized("Pasted picture")
        let path = place.appending("\(name).\(ending)")
        return await FileCalls.shared.run(on: PhotoCopies.pastedFolder) { _ -> FilePath? in
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
