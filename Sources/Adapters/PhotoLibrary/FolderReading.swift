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
        /// What it contains, if it is the folder that was expected.
        fileprivate(set) var content: Content?
        /// Names at which an attempt to list it stood still.
        fileprivate(set) var silent: Set<FilePath.Component> = []
    }

    /// What a folder contains.
    struct Content: Sendable {
        fileprivate(set) var folders: [(name: FilePath.Component, identity: FileIdentity)] = []
        fileprivate(set) var files: [Directory.Entry] = []
        /// Names that could not be examined.
        fileprivate(set) var unknown: [Directory.UnknownEntry] = []
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
            Result { () throws(Errno) in try Self.open(path, bounds) }
        }
    }

    /// Opens the folder, and also watches and lists it if it is the expected one; nil if its disk does not
    /// answer.
    ///
    /// One call instead of two: to wake another thread takes as long as to look at a hundred files.
    func open(expecting expected: FileIdentity, _ watch: FolderWatch?) -> Result<Opened, Errno>? {
        let place = DiskCalls.Place(path, device: expected.device)
        guard !calls.isSilent(place) else { return nil }
        let outcome: DiskCalls.Outcome<Result<Opened, Errno>, FilePath.Component> = calls.run(
            at: { self.place(of: $0, or: place) },
            { [path, bounds] progress in
                Result { () throws(Errno) in
                    var opened = try Self.open(path, bounds)
                    if opened.isAdmitted, opened.identity == expected {
                        // If that fails, it is tried again, and fails where the folder is known.
                        opened.content = try? Self.content(
                            of: opened.folder, path, bounds, watch, [], progress)
                    }
                    return opened
                }
            })
        switch outcome {
        case .done(let opened): return opened
        case .stalled(nil): return nil
        case .stalled(let name?):
            return open(device: expected.device)?.map { opened in
                var opened = opened
                opened.silent = [name]
                return opened
            }
        }
    }

    private static func open(
        _ path: FilePath, _ bounds: LibraryBounds
    ) throws(Errno) -> Opened {
        let folder = try Descriptor.openFolder(path)
        return Opened(
            folder: folder, identity: FileIdentity(try folder.information()),
            isAdmitted: bounds.admitFolder(folder))
    }

    /// What a call waits for: the folder, or a name in it, which may lead to another disk.
    private func place(of name: FilePath.Component?, or folder: DiskCalls.Place) -> DiskCalls.Place
    {
        name.map { DiskCalls.Place(path.appending($0), device: nil) } ?? folder
    }

    /// Watches and lists the open folder, unless that was done; nil if its disk does not answer.
    func list(_ opened: Opened, _ watch: FolderWatch?) -> Result<Content, Errno>? {
        if let content = opened.content { return .success(content) }
        var silent = opened.silent
        let place = DiskCalls.Place(path, device: opened.identity.device)
        while true {
            let outcome: DiskCalls.Outcome<Result<Content, Errno>, FilePath.Component> = calls.run(
                at: { self.place(of: $0, or: place) },
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
        let isOmitted = { (name: FilePath.Component) in
            progress.note(name)
            return excluded.contains(name) || silent.contains(name)
        }
        content.unknown = try Directory.visit(folder, without: isOmitted) { entry in
            if entry.isHidden {
                if entry.name == Self.noMedia { content.isLeftOut = true }
                return
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
                    else { return }
                }
                content.files.append(entry)
            default: break
            }
        }
        content.silent = silent.sorted { $0.string < $1.string }
        return content
    }
}
