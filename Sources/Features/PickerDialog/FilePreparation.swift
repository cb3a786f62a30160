// SPDX-License-Identifier: MIT

import Desktop
import Files
import PhotoCopies
import Photos
import PickModel
import Processes
import SystemPackage

/// The files for an app that asked for files.
struct PreparedFiles: Hashable, Sendable {
    /// In the order of choice.
    var uris: [String] = []
    /// The URI of the folder of the photo that was chosen last.
    var folder: String?
}

extension LibrarySource {
    /// How copies without location are made.
    struct Copying: Sendable {
        let copies: PhotoCopies
        /// The app's connection; see ``PhotoCopies``.
        let owner: String
    }

    /// A chosen item that cannot be delivered.
    private enum Failure: Error {
        case changed, unreachable, noSpace, locationStays
    }

    /// Finds the files of chosen items, each in the version that was shown.
    ///
    /// - Parameter copying: Nil if the app gets the photos themselves.
    /// - Returns: All of them, or why at least one is missing; nil if the task was cancelled.
    func files(
        of items: [PickedItem], copying: Copying?
    ) async -> Result<PreparedFiles, Unready>? {
        var files = PreparedFiles()
        var changed: (items: [PickedItem.Reference], name: String?) = ([], nil)
        var withLocation: (count: Int, name: String?) = (0, nil)
        for item in items {
            if Task.isCancelled { return nil }
            let paths: [FilePath]
            switch item.reference {
            case .uri(let uri): paths = FileURI.path(uri).map { [$0] } ?? []
            case .asset(let id): paths = await self.paths(of: id)
            }
            let name = paths.first?.lastComponent.map { FileURI.displayName($0).printable }
            do throws(Failure) {
                let original = try await Self.original(at: paths, item.version)
                let path = try await Self.copy(of: original, item.version, copying) ?? original
                guard let uri = FileURI.make(path) else { throw .changed }
                files.uris.append(uri)
                files.folder = FileURI.make(original.removingLastComponent())
            } catch {
                switch error {
                case .changed: changed = (changed.items + [item.reference], changed.name ?? name)
                case .locationStays:
                    withLocation = (withLocation.count + 1, withLocation.name ?? name)
                // Others on the same disk would take as long.
                case .unreachable: return .failure(.unreachable(name: name))
                // And of others there would be none, either.
                case .noSpace: return .failure(.noSpace(name: name))
                }
            }
        }
        if !changed.items.isEmpty { return .failure(.changed(changed.items, name: changed.name)) }
        if withLocation.count > 0 {
            return .failure(.locationStays(withLocation.count, name: withLocation.name))
        }
        return .success(files)
    }

    /// The first path that leads to a file in this version, or to any file if the version is unknown.
    private static func original(
        at paths: [FilePath], _ version: FileVersion?
    ) async throws(Failure) -> FilePath {
        var failure = Failure.changed
        for path in paths {
            // A photo may have several names, and one that leads nowhere is no error.
            let isFound = await FileCalls.shared.run(on: path, within: .seconds(10)) { _ in
                guard let found = try? path.stat(), found.type == .regular else { return false }
                return version == nil || version == FileVersion(found)
            }
            if isFound == true { return path }
            if isFound == nil { failure = .unreachable }
        }
        throw failure
    }

    /// A copy without location; nil if the app gets the photo itself.
    private static func copy(
        of path: FilePath, _ version: FileVersion?, _ copying: Copying?
    ) async throws(Failure) -> FilePath? {
        guard let copying else { return nil }
        do throws(PhotoCopies.Failure) {
            return try await copying.copies.copy(path, in: version, for: copying.owner)
        } catch {
            switch error {
            case .changed: throw .changed
            case .unreachable: throw .unreachable
            case .storing(let reason) where reason.isLackOfSpace: throw .noSpace
            case .decoding, .storing: throw .locationStays
            }
        }
    }
}
