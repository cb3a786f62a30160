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
    }

    /// Lists the entries of a folder in no particular order, without `.` and `..`.
    ///
    /// Names that disappear while the folder is read and links that are broken or form a loop are
    /// left out; neither is an error.
    ///
    /// - Throws: `Errno` of open(2) or readdir(3).
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func entries(of path: FilePath) throws(Errno) -> [Entry] {
        let folder = try withErrno {
            try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        }
        guard let stream = fdopendir(folder.rawValue) else {
            let error = Errno(rawValue: errno)
            // The error of fdopendir(3) is the one to report.
            try? folder.close()
            throw error
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                guard errno == 0 else { throw Errno(rawValue: errno) }
                return entries
            }
            let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) {
                    FilePath.Component(platformString: $0)
                }
            }
            guard let name, name.kind == .regular,
                // Gone in the meantime, or a link to nowhere.
                let information = try? FilePath(root: nil, components: name).stat(
                    relativeTo: folder, flags: [])
            else { continue }
            entries.append(Entry(name: name, information: information))
        }
    }

    /// Makes a folder and its missing parents, which only their owner can enter.
    ///
    /// - Throws: `Errno` of mkdir(2), `.notDirectory` if another kind of file has the name. A
    ///   folder that exists already is not an error.
    package static func make(_ path: FilePath) throws(Errno) {
        do {
            try makeOne(path)
        } catch {
            let parent = path.removingLastComponent()
            guard error == .noSuchFileOrDirectory, !parent.isEmpty, parent != path else {
                throw error
            }
            try make(parent)
            try makeOne(path)
        }
    }

    private static func makeOne(_ path: FilePath) throws(Errno) {
        let mode = FilePermissions.ownerReadWriteExecute.rawValue
        if path.withPlatformString({ mkdir($0, mode) }) == 0 { return }
        let error = Errno(rawValue: errno)
        guard error == .fileExists else { throw error }
        guard try path.stat().type == .directory else { throw .notDirectory }
    }
}
