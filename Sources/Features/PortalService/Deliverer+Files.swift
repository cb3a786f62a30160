// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SystemPackage

extension Deliverer {
    /// The version of a file that is delivered, and the path at which it was found.
    struct Source: Sendable {
        let path: FilePath
        let version: FileVersion

        /// Whether the path still leads to this version; false if that cannot be found out.
        func isAtPath() async -> Bool {
            await FileCalls.shared.run(on: path, within: Deliverer.patience) { _ in isAtPathNow }
                ?? false
        }

        /// The same; blocks as long as the file system does.
        var isAtPathNow: Bool { (try? path.stat()).map { FileVersion($0) } == version }
    }

    /// A small picture of an item.
    enum SmallPicture: Sendable {
        /// The delivered file itself, which is small enough.
        case delivered
        case made(DerivedFiles.Made)
    }

    /// An item that can be delivered, and its open file.
    struct Ready: Sendable {
        var item: Delivery.Item
        /// The name of the chosen file, for people.
        let name: String?
        let source: Source
        /// The chosen file.
        let original: Descriptor
        /// The derived file; nil if the chosen file itself is delivered.
        var made: DerivedFiles.Made?
        var thumbnail: SmallPicture?
        var preview: SmallPicture?
        /// Whether the chosen file is an adjusted version, which nobody may write to.
        var isAdjusted = false

        /// Whether the file that is delivered belongs to the service.
        var isOurs: Bool { made != nil || isAdjusted }

        var file: Descriptor { made?.file ?? original }

        /// The small pictures that are files of their own.
        var smallFiles: [DerivedFiles.Made] {
            [thumbnail, preview].compactMap {
                if case .made(let made) = $0 { made } else { nil }
            }
        }

        /// Whether the chosen file has not been changed or replaced since it was opened.
        func isCurrent() async -> Bool {
            await FileCalls.shared.run(on: source.path, within: Deliverer.patience) { _ in
                (try? FileVersion(of: original)) == source.version
                    && (made != nil || source.isAtPathNow)
            } ?? false
        }
    }

    /// An open file and the path by which it was opened.
    struct Candidate {
        let path: FilePath
        let file: Descriptor
        let information: Stat
        let version: FileVersion
        /// What its first bytes say; nil for a file that is not in the library.
        let type: MediaType?
    }

    /// Opens a file; nil if it cannot be opened, is not a regular file, or is out of bounds.
    ///
    /// - Isolation: blocks as long as the file system does.
    func candidate(_ path: FilePath, isInLibrary: Bool) -> Candidate? {
        do {
            let file =
                isInLibrary
                ? try LibraryBounds.open(path, in: roots) : try Descriptor.openForReading(path)
            FileCalls.shared.closeHere(file, of: path)
            let information = try file.information()
            guard information.type == .regular else { return nil }
            let head = isInLibrary ? try file.read(upTo: MediaType.sniffedByteCount) : []
            return Candidate(
                path: path, file: file, information: information,
                version: FileVersion(information), type: MediaType.sniffed(from: head))
        } catch {
            // Not logged, because the error names the path; the app gets an error for this photo.
            return nil
        }
    }
}
