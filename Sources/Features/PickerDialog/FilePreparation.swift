// SPDX-License-Identifier: MIT

import Desktop
import Files
import GtkKit
import PhotoCopies
import PhotoLibrary
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

    /// Why a chosen item cannot be delivered.
    private enum Failure: Error {
        case changed, unreachable, noSpace, locationStays
    }

    /// A file for the app, or why there is none.
    private struct Preparation: Sendable {
        /// Its position among the chosen items.
        let index: Int
        /// The photo's name; nil if it has no path any more.
        let name: String?
        let result: Result<Prepared, Failure>

        func failed(_ failure: Failure) -> Preparation {
            Preparation(index: index, name: name, result: .failure(failure))
        }
    }

    private struct Prepared: Sendable {
        let original: Original
        /// A copy without location; nil if the app gets the photo itself.
        let copy: FilePath?
        let uri: String
    }

    /// A photo's file, and the version in which it was found.
    private struct Original: Sendable {
        let path: FilePath
        let version: FileVersion
    }

    /// How many files are prepared at a time: as many as keep a disk and a few processors busy.
    private static let mostAtATime = 4

    /// Finds the files of chosen items, each in the version that was shown.
    ///
    /// - Parameters:
    ///   - filters: The types that the app accepts; the first one that accepts any file of a photo decides
    ///     which one is found.
    ///   - copying: Nil if the app gets the photos themselves.
    ///   - onReady: Receives the number of files that are ready, whenever it has grown.
    /// - Returns: All of them, or why at least one is missing; nil if the task was cancelled.
    func files(
        of items: [PickedItem], acceptedBy filters: [MediaFilter], copying: Copying?,
        onReady: @UIActor (Int) -> Void
    ) async -> Result<PreparedFiles, Unready>? {
        var results = [Preparation?](repeating: nil, count: items.count)
        let end: Result<PreparedFiles, Unready>? = await withTaskGroup { group in
            var rest = items.indices[...]
            var readyCount = 0
            for index in rest.prefix(Self.mostAtATime) {
                group.addTask { await self.prepare(items[index], at: index, filters, copying) }
            }
            rest = rest.dropFirst(Self.mostAtATime)
            while let preparation = await group.next() {
                results[preparation.index] = preparation
                switch preparation.result {
                case .success:
                    readyCount += 1
                    // The window may be counting those of the next attempt by now.
                    if !Task.isCancelled { await onReady(readyCount) }
                // Others on the same disk would take as long.
                case .failure(.unreachable):
                    group.cancelAll()
                    return .failure(.unreachable(name: preparation.name))
                // And of others there would be none, either.
                case .failure(.noSpace):
                    group.cancelAll()
                    return .failure(.noSpace(name: preparation.name))
                case .failure(.changed), .failure(.locationStays): break
                }
                if !Task.isCancelled, let index = rest.popFirst() {
                    group.addTask { await self.prepare(items[index], at: index, filters, copying) }
                }
            }
            return nil
        }
        if Task.isCancelled { return nil }
        if let end { return end }
        let confirmed = await Self.confirm(results.compactMap(\.self))
        return Task.isCancelled ? nil : Self.summary(of: confirmed, items)
    }

    /// Looks once more at the photos that the app gets themselves.
    ///
    /// Making the other files may have taken minutes, in which an app could exchange these.
    private static func confirm(_ preparations: [Preparation]) async -> [Preparation] {
        await withTaskGroup { group in
            for (position, preparation) in preparations.enumerated() {
                guard case .success(let file) = preparation.result, file.copy == nil else {
                    continue
                }
                group.addTask { () -> (Int, Preparation)? in
                    do throws(Failure) {
                        _ = try await original(at: [file.original.path], file.original.version)
                        return nil
                    } catch {
                        return (position, preparation.failed(error))
                    }
                }
            }
            var confirmed = preparations
            for await case (let position, let failed)? in group { confirmed[position] = failed }
            return confirmed
        }
    }

    /// All files in the order of choice, or what the first reason is for a missing one.
    private static func summary(
        of preparations: [Preparation], _ items: [PickedItem]
    ) -> Result<PreparedFiles, Unready> {
        var files = PreparedFiles()
        var changed: (items: [PickedItem.Reference], name: String?) = ([], nil)
        var withLocation: (count: Int, name: String?) = (0, nil)
        for preparation in preparations {
            switch preparation.result {
            case .success(let file):
                files.uris.append(file.uri)
                files.folder = FileURI.make(file.original.path.removingLastComponent())
            case .failure(.locationStays):
                withLocation = (withLocation.count + 1, withLocation.name ?? preparation.name)
            case .failure:
                changed.items.append(items[preparation.index].reference)
                changed.name = changed.name ?? preparation.name
            }
        }
        if !changed.items.isEmpty { return .failure(.changed(changed.items, name: changed.name)) }
        if withLocation.count > 0 {
            return .failure(.locationStays(withLocation.count, name: withLocation.name))
        }
        return .success(files)
    }

    /// The photos among some items whose files are no longer in the version that was shown.
    ///
    /// One whose disk does not answer is not among them.
    func changed(among items: [PickedItem]) async -> Set<AssetID> {
        var changed: Set<AssetID> = []
        for item in items {
            guard case .asset(let id) = item.reference else { continue }
            do throws(Failure) {
                _ = try await Self.original(at: await paths(of: id), item.version)
            } catch {
                if error == .changed { changed.insert(id) }
            }
        }
        return changed
    }

    private func prepare(
        _ item: PickedItem, at index: Int, _ filters: [MediaFilter], _ copying: Copying?
    ) async -> Preparation {
        let paths: [FilePath]
        var names: [FilePath: FilePath.Component] = [:]
        var (isShown, version) = (true, item.version)
        switch item.reference {
        case .uri(let uri): paths = FileURI.path(uri).map { [$0] } ?? []
        case .asset(let id):
            let located = await self.located(id, acceptedBy: filters)
            let files = located?.files ?? []
            paths = files.map(\.path)
            for file in files { names[file.path] = file.name }
            if let located {
                isShown = located.isShown(in: version)
                version = located.deliverable(after: version)
            }
        }
        let name = paths.first.flatMap { names[$0] ?? $0.lastComponent }
            .map { FileURI.displayName($0).printable }
        do throws(Failure) {
            guard isShown else { throw .changed }
            let original = try await Self.original(at: paths, version)
            let copy = try await Self.copy(
                of: original.path, named: names[original.path], version, copying)
            guard let uri = FileURI.make(copy ?? original.path) else { throw .changed }
            let prepared = Prepared(original: original, copy: copy, uri: uri)
            return Preparation(index: index, name: name, result: .success(prepared))
        } catch {
            return Preparation(index: index, name: name, result: .failure(error))
        }
    }

    /// The first path that leads to a file in this version, or to any file if the version is unknown.
    private static func original(
        at paths: [FilePath], _ version: FileVersion?
    ) async throws(Failure) -> Original {
        var failure = Failure.changed
        for path in paths {
            // A photo may have several names, and one that leads nowhere is no error.
            let found = await FileCalls.shared.run(on: path, within: .seconds(10)) { _ in
                (try? path.stat()).flatMap { $0.type == .regular ? FileVersion($0) : nil }
            }
            guard let found else {
                failure = .unreachable
                continue
            }
            if let found, version == nil || version == found {
                return Original(path: path, version: found)
            }
        }
        throw failure
    }

    /// A copy without location; nil if the app gets the photo itself.
    private static func copy(
        of path: FilePath, named name: FilePath.Component?, _ version: FileVersion?,
        _ copying: Copying?
    ) async throws(Failure) -> FilePath? {
        guard let copying else { return nil }
        do throws(PhotoCopies.Failure) {
            let copy = try await copying.copies.copy(
                path, named: name, in: version, for: copying.owner)
            // Nothing had to be removed.
            return copy == path ? nil : copy
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
