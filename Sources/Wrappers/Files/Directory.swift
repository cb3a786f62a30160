// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// Reading a folder.
package enum Directory {
    /// One name in a folder and the file it refers to.
    package struct Entry: Sendable {
        /// The name, byte for byte; it need not be UTF-8.
        package let name: FilePath.Component
        /// The result of stat(2), with symbolic links followed.
        package let information: Stat
        /// Whether the name is a symbolic link.
        package let isLink: Bool
        /// Whether the name begins with a dot.
        package let isHidden: Bool
    }

    /// The content of a folder.
    package struct Listing: Sendable {
        package let entries: [Entry]
        /// Names whose files could not be examined, although they may be there.
        package let unknown: [UnknownEntry]
    }

    package typealias UnknownEntry = (name: FilePath.Component, error: Errno)

    /// Lists the entries of a folder in no particular order, without `.` and `..`.
    ///
    /// Names that disappear while the folder is read, links that are broken or form a loop, and
    /// files that cannot be examined are left out; none of them is an error.
    ///
    /// - Throws: `Errno` of open(2) or readdir(3).
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func entries(of path: FilePath) throws(Errno) -> [Entry] {
        try listing(of: Descriptor.openFolder(path)).entries
    }

    /// Lists an open folder; like ``entries(of:)``, but tells which files could not be examined.
    ///
    /// - Parameter isOmitted: Whether a name is left out, and its file not looked at.
    package static func listing(
        of folder: Descriptor, without isOmitted: (FilePath.Component) -> Bool = { _ in false }
    ) throws(Errno) -> Listing {
        var entries: [Entry] = []
        let unknown = try visit(folder, without: isOmitted) { entries.append($0) }
        return Listing(entries: entries, unknown: unknown)
    }

    /// Calls `body` with each entry of an open folder; otherwise like ``listing(of:without:)``.
    ///
    /// - Returns: The names whose files could not be examined.
    package static func visit(
        _ folder: Descriptor, without isOmitted: (FilePath.Component) -> Bool,
        _ body: (Entry) -> Void
    ) throws(Errno) -> [UnknownEntry] {
        var unknown: [UnknownEntry] = []
        try read(folder) { name, text, type in
            guard !isOmitted(name) else { return }
            do throws(Errno) {
                body(try Entry(name, text, type, in: folder))
            } catch {
                if !error.meansNoFile { unknown.append((name, error)) }
            }
        }
        return unknown
    }

    /// All names in an open folder, without looking at their files.
    package static func names(in folder: Descriptor) throws(Errno) -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        try read(folder) { name, _, _ in names.append(name) }
        return names
    }

    /// Calls `body` with each name in a folder, also where readdir(3) put it, and the type of its entry.
    private static func read(
        _ folder: Descriptor,
        _ body: (FilePath.Component, UnsafePointer<CInterop.PlatformChar>, UInt8) -> Void
    ) throws(Errno) {
        // Another descriptor, because reading moves its position, and the stream closes it.
        let opened = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        guard let stream = fdopendir(opened) else {
            let error = Errno(rawValue: errno)
            // The error of fdopendir(3) is the one to report.
            close(opened)
            throw error
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                guard errno == 0 else { throw Errno(rawValue: errno) }
                return
            }
            let type = record.pointee.d_type
            withUnsafePointer(to: &record.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) { text in
                    guard let name = FilePath.Component(platformString: text),
                        name.kind == .regular
                    else { return }
                    body(name, text, type)
                }
            }
        }
    }

    /// Removes the files of a folder, and the folder.
    ///
    /// Whoever may write beside it could put a link in its place, so what a link leads to is none of it:
    /// neither one in the place of the folder, nor one in the folder, which is itself removed.
    ///
    /// - Throws: `Errno`, `.directoryNotEmpty` if there are folders in it.
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func removeWithFiles(_ path: FilePath) throws(Errno) {
        let folder = try Descriptor.openFolder(path, followsLink: false)
        for name in try names(in: folder) {
            let result = name.withPlatformString { unlinkat(folder.rawValue, $0, 0) }
            // A folder stays, and is reported below.
            guard result == 0 || [ENOENT, EISDIR, EPERM].contains(errno) else {
                throw Errno(rawValue: errno)
            }
        }
        try remove(path)
    }

    /// Removes an empty folder.
    package static func remove(_ path: FilePath) throws(Errno) {
        guard path.withPlatformString({ rmdir($0) }) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Makes a folder and its missing parents.
    ///
    /// - Parameter permissions: Those of all folders that are made, without those that the umask
    ///   takes away; by default only their owner can enter them.
    /// - Throws: `Errno` of mkdir(2), `.notDirectory` if another kind of file has the name. A
    ///   folder that exists already is not an error.
    package static func make(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWriteExecute
    ) throws(Errno) {
        do {
            try makeOne(path, permissions)
        } catch {
            let parent = path.removingLastComponent()
            guard error == .noSuchFileOrDirectory, !parent.isEmpty, parent != path else {
                throw error
            }
            try make(parent, permissions: permissions)
            try makeOne(path, permissions)
        }
    }

    /// Opens a folder in an open one, and makes it if it is missing.
    ///
    /// A link to a folder is followed, but not one that takes the place of the folder that was made:
    /// whoever may write to the open folder must not choose whose permissions change.
    ///
    /// - Parameter permissions: Those of a folder that is made; the umask is not applied.
    /// - Returns: The folder, and whether it was made.
    /// - Throws: `Errno` of mkdirat(2) and open(2), `.notDirectory` if another kind of file has the name.
    package static func open(
        _ name: FilePath.Component, in parent: Descriptor,
        makingItWith permissions: FilePermissions
    ) throws(Errno) -> (folder: Descriptor, isNew: Bool) {
        for _ in 0..<mostAttempts {
            let made = name.withPlatformString {
                mkdirat(parent.rawValue, $0, FilePermissions.ownerReadWriteExecute.rawValue)
            }
            let error = errno
            guard made == 0 || error == EEXIST else { throw Errno(rawValue: error) }
            let path = parent.ownPath.appending(name)
            do throws(Errno) {
                let folder = try Descriptor.openFolder(path, followsLink: made != 0)
                guard made == 0 else { return (folder, false) }
                do throws(Errno) {
                    guard fchmod(folder.rawValue, permissions.rawValue) == 0 else {
                        throw Errno(rawValue: errno)
                    }
                    try parent.synchronize()
                    return (folder, true)
                } catch {
                    removeIfEmpty(folder, at: path)
                    throw error
                }
            } catch {
                // Somebody has removed it since, or it is a link that leads nowhere.
                guard made != 0, error == .noSuchFileOrDirectory else { throw error }
            }
        }
        throw .noSuchFileOrDirectory
    }

    /// How often a folder is made that others remove at the same time.
    private static let mostAttempts = 64

    /// Removes an empty folder, if a path leads to it; does nothing otherwise.
    ///
    /// - Returns: Whether it was removed.
    @discardableResult
    package static func removeIfEmpty(_ folder: Descriptor, at path: FilePath) -> Bool {
        guard let identity = FileIdentity(of: path),
            identity == (try? folder.information()).map(FileIdentity.init)
        else { return false }
        return path.withPlatformString { rmdir($0) } == 0
    }

    private static func makeOne(
        _ path: FilePath, _ permissions: FilePermissions
    ) throws(Errno) {
        if path.withPlatformString({ mkdir($0, permissions.rawValue) }) == 0 { return }
        let error = Errno(rawValue: errno)
        guard error == .fileExists else { throw error }
        guard try path.stat().type == .directory else { throw .notDirectory }
    }
}

extension Directory.Entry {
    /// Examines a name that was read from a folder.
    ///
    /// - Parameters:
    ///   - text: The name as a C string; to make another one takes as long as to look at the file.
    ///   - type: The type of the entry that readdir(3) gave.
    fileprivate init(
        _ name: FilePath.Component, _ text: UnsafePointer<CInterop.PlatformChar>, _ type: UInt8,
        in folder: Descriptor
    ) throws(Errno) {
        self.name = name
        isHidden = text.pointee == CInterop.PlatformChar(UInt8(ascii: "."))
        information = try Self.information(on: text, in: folder, flags: 0)
        // Not every file system knows the types.
        isLink =
            if Int(type) == Int(DT_UNKNOWN) {
                try Self.information(on: text, in: folder, flags: AT_SYMLINK_NOFOLLOW).type
                    == .symbolicLink
            } else {
                Int(type) == Int(DT_LNK)
            }
    }

    /// - Parameter flags: Those of fstatat(2).
    private static func information(
        on name: UnsafePointer<CInterop.PlatformChar>, in folder: Descriptor, flags: Int32
    ) throws(Errno) -> Stat {
        var information = CInterop.Stat()
        guard fstatat(folder.rawValue, name, &information, flags) == 0 else {
            throw Errno(rawValue: errno)
        }
        return Stat(rawValue: information)
    }
}

extension Errno {
    /// Whether the error means that a name leads to no file or to one we may not see, rather than
    /// to a file that cannot be examined at the moment.
    fileprivate var meansNoFile: Bool {
        switch self {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .permissionDenied:
            true
        default: false
        }
    }
}
