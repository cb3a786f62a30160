// SPDX-License-Identifier: MIT

internal import Files
internal import Processes
import Synchronization
internal import SystemPackage

/// Reads one folder of a walk, without waiting for a disk that does not answer.
struct FolderReading {
    /// A folder that was opened.
    struct Opened: Sendable {
        let folder: Descriptor
        let identity: FileIdentity
        /// Whether it belongs to the library.
        let isAdmitted: Bool
    }

    /// What a folder contains.
    struct Content: Sendable {
        fileprivate(set) var folders: [(name: FilePath.Component, identity: FileIdentity)] = []
        fileprivate(set) var files: [Directory.Entry] = []
        /// Names that could not be examined.
        fileprivate(set) var unknown: [(name: FilePath.Component, error: Errno)] = []
        /// Names whose disks do not answer.
        fileprivate(set) var silent: [FilePath.Component] = []
        /// Whether it contains a file `.nomedia`.
        fileprivate(set) var isLeftOut = false
        /// Why it is not watched.
        fileprivate(set) var watchError: Errno?
    }

    let path: FilePath
    let bounds: LibraryBounds
    let calls: DiskCalls

    private static let noMedia: FilePath.Component = ".nomedia"
    /// The most names in a folder whose disks do not answer, each of which takes time.
    private static let mostSilent = 16

    /// Opens the folder; nil if its disk does not answer.
    ///
    /// - Parameter device: The number of its disk, if it is known.
    func open(device: UInt64?) -> Result<Opened, Errno>? {
        calls.run(at: DiskCalls.Place(path, device: device)) { [path, bounds] in
            Result { () throws(Errno) in
                let folder = try Descriptor.openFolder(path)
                return Opened(
                    folder: folder, identity: FileIdentity(try folder.information()),
                    isAdmitted: bounds.admitFolder(folder))
            }
        }
    }

    /// Watches and lists the open folder; nil if its disk does not answer.
    func list(_ opened: Opened, _ watch: FolderWatch?) -> Result<Content, Errno>? {
        var silent: Set<FilePath.Component> = []
        let place = DiskCalls.Place(path, device: opened.identity.device)
        while true {
            let outcome: DiskCalls.Outcome<Result<Content, Errno>, FilePath.Component> = calls.run(
                at: { name in
                    // The name may lead to another disk.
                    name.map { DiskCalls.Place(path.appending($0), device: nil) } ?? place
                },
                { [path, bounds, silent] progress in
                    Result { () throws(Errno) in
                        try Self.content(of: opened.folder, path, bounds, watch, silent, progress)
                    }
                })
            switch outcome {
            case .done(let content): return content
            case .stalled(nil): return nil
            case .stalled(let name?):
                guard silent.insert(name).inserted, silent.count < Self.mostSilent,
                    calls.run(at: place, { _ = try? opened.folder.information() }) != nil
                else { return nil }
            }
        }
    }

    private static func content(
        of folder: Descriptor, _ path: FilePath, _ bounds: LibraryBounds, _ watch: FolderWatch?,
        _ silent: Set<FilePath.Component>, _ progress: DiskCalls.Progress<FilePath.Component>
    ) throws(Errno) -> Content {
        var content = Content()
        // Before it is read, so that no change is missed that happens afterwards.
        if let watch {
            do {
                try watch.add(path, folder)
            } catch {
                content.watchError = error
            }
        }
        // Those are not even looked at, because their disk may not answer.
        let excluded = bounds.excludedNames(in: folder)
        let listing = try Directory.listing(of: folder) { name in
            progress.note(name)
            return excluded.contains(name) || silent.contains(name)
        }
        content.unknown = listing.unknown
        content.silent = silent.sorted { $0.string < $1.string }
        for entry in listing.entries {
            if entry.name.isHidden {
                if entry.name == Self.noMedia { content.isLeftOut = true }
                continue
            }
            switch entry.information.type {
            case .directory:
                content.folders.append((entry.name, FileIdentity(entry.information)))
            case .regular:
                if entry.isLink {
                    progress.note(entry.name)
                    // A link whose target has just gone leads nowhere.
                    guard let place = try? Place(entry.name, in: folder),
                        bounds.admitFile(place, named: path.appending(entry.name))
                    else { continue }
                }
                content.files.append(entry)
            default: break
            }
        }
        return content
    }
}
