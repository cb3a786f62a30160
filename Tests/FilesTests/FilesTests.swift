// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite struct FilesTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `a file is written with its mode, and no temporary file remains`() throws {
        let path = home.scratch.appending("a")
        try home.write([1, 2, 3], to: path)
        try home.write([4], to: path)
        #expect(try Descriptor.openForReading(path).read(upTo: 10) == [4])
        #expect(try path.stat().permissions == .ownerReadWrite)
        #expect(names(in: home.scratch).count == 1)
    }

    @Test func `a time beyond what 64 bits of nanoseconds hold is the last one`() throws {
        let path = home.scratch.appending("later")
        try home.write([1], to: path)
        // The last second that ext4 stores, in the year 2446.
        home.setDate(of: path, 15_032_385_535)
        let stored = try path.stat()
        #expect(stored.modifiedNanoseconds > 0)
        // Other file systems end earlier.
        if stored.modifiedSeconds == 15_032_385_535 { #expect(stored.modifiedNanoseconds == .max) }
    }

    @Test(arguments: [true, false])
    func `a copy has the holes of the original, wherever they are`(isFile: Bool) throws {
        let megabyte: Int64 = 1 << 20
        // Perhaps on another file system.
        let folder = isFile ? home.scratch : FilePath("/dev/shm")
        let place = folder.appending("photo-portal-test-\(UInt64.random(in: 0 ... .max))")
        let source = try Descriptor.makeFile(place)
        defer { try? AtomicFile.remove(place) }
        let parts = [(64 * megabyte, [UInt8](1...200)), (300 * megabyte + 5, [1, 2, 3])]
        for (offset, bytes) in parts {
            _ = try source.fileDescriptor.writeAll(toAbsoluteOffset: offset, bytes)
        }
        let size = 512 * megabyte + 7
        #expect(ftruncate(source.rawValue, Int(size)) == 0)
        // Whoever gave it may go on reading where it is.
        #expect(lseek(source.rawValue, 9, SEEK_SET) == 9)
        let path = home.scratch.appending("copy")
        let copy = try Descriptor.makeFile(path)
        #expect(
            try AtomicFile.fill(
                copy, from: source, permissions: .ownerReadWrite, atMost: size,
                isCancelled: { false }) == size)
        let information = try path.stat()
        #expect(information.size == size)
        #expect(Int64(information.rawValue.st_blocks) * 512 < megabyte)
        for (offset, bytes) in parts {
            #expect(
                try Descriptor.openForReading(path).read(upTo: bytes.count, at: offset) == bytes)
        }
        #expect(
            try Descriptor.openForReading(path).read(upTo: 10, at: size - 5) == [0, 0, 0, 0, 0])
        #expect(lseek(source.rawValue, 0, SEEK_CUR) == 9)
        // No copy of more than the limit, nor of a hole that is more.
        let other = try Descriptor.makeFile(home.scratch.appending("other"))
        #expect(
            try AtomicFile.fill(
                other, from: source, permissions: .ownerReadWrite, atMost: size - 1,
                isCancelled: { false }) > size - 1)
    }

    @Test func `a mount point is found by the path alone, the innermost one`() {
        let mounts = MountTable(
            #"""
            22 1 0:20 / / rw,relatime - ext4 /dev/sda rw
            30 22 0:40 / /home rw - ext4 /dev/sdb rw
            31 30 0:41 / /home/me/My\040\134Photos rw shared:1 - fuse.sshfs me@nas:/ rw
            nonsense
            """#, and: ["/home/me/Pictures"])
        #expect(mounts.point(above: #"/home/me/My \Photos/a/b.jpg"#) == #"/home/me/My \Photos"#)
        #expect(mounts.point(above: "/home/me/Pictures/b.jpg") == "/home/me/Pictures")
        #expect(mounts.point(above: "/home/me/Pictures2/b.jpg") == "/home")
        #expect(mounts.point(above: "/etc/fstab") == "/")
        #expect(MountTable.current().point(above: "/proc/self/fd") == "/proc")
    }

    @Test func `what has been mounted, unmounted or replaced since is told by its folder`() {
        let root = "22 1 0:20 / / rw,relatime - ext4 /dev/sda rw\n"
        let before = MountTable(root + "30 22 0:40 / /media/Card rw - vfat /dev/sdb rw")
        let other = MountTable(root + "30 22 0:41 / /media/Card rw - vfat /dev/sdc rw")
        let twice = MountTable(
            root + "30 22 0:40 / /media/Card rw - vfat /dev/sdb rw\n"
                + "31 30 0:41 / /media/Card rw - vfat /dev/sdc rw")
        #expect(MountTable(root).changedPoints(since: before) == ["/media/Card"])
        #expect(before.changedPoints(since: MountTable(root)) == ["/media/Card"])
        #expect(other.changedPoints(since: before) == ["/media/Card"])
        #expect(twice.changedPoints(since: before) == ["/media/Card"])
        #expect(before.changedPoints(since: before).isEmpty)
    }

    @Test func `a file that must be new does not replace another one`() throws {
        let path = home.scratch.appending("a")
        try home.write([1], to: path)
        let source = try Descriptor.openForReading(path)
        _ = [UInt8]([2]).withUnsafeBytes { bytes in
            #expect(throws: Errno.fileExists) {
                try AtomicFile.write(bytes, to: path, replaces: false)
            }
        }
        #expect(throws: Errno.fileExists) {
            try AtomicFile.copy(source, to: path, replaces: false)
        }
        #expect(names(in: home.scratch) == ["a"])
        #expect(try Descriptor.openForReading(path).read(upTo: 10) == [1])
        let new = home.scratch.appending("b")
        try AtomicFile.copy(source, to: new, replaces: false)
        #expect(try Descriptor.openForReading(new).read(upTo: 10) == [1])
    }

    @Test func `a folder that is exchanged for a link while it is made changes nothing elsewhere`()
        async throws
    {
        let victim = home.scratch.appending("victim")
        try Directory.make(victim)
        let parent = home.scratch.appending("parent")
        try Directory.make(parent)
        let (name, away) = (parent.appending("new"), parent.appending("away"))
        let attack = Task.detached {
            // As fast as possible, whatever fails.
            while !Task.isCancelled {
                if rename(name.string, away.string) == 0 { symlink(victim.string, name.string) }
                unlink(name.string)
                rmdir(away.string)
            }
        }
        let folder = try Descriptor.openFolder(parent)
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end {
            // Who wins is not known.
            _ = try? Directory.open("new", in: folder, makingItWith: .ownerGroupOtherAll)
        }
        attack.cancel()
        await attack.value
        #expect(try victim.stat().permissions == .ownerReadWriteExecute)
    }

    @Test func `a failed write leaves only the old file`() throws {
        let folder = home.scratch.appending("folder")
        let path = folder.appending("a")
        try home.write([1], to: path)
        try Directory.make(folder.appending("taken"))
        [UInt8]([2]).withUnsafeBytes { bytes in
            #expect(throws: Errno.isDirectory) {
                try AtomicFile.write(bytes, to: folder.appending("taken"))
            }
            #expect(throws: Errno.noSuchFileOrDirectory) {
                try AtomicFile.write(bytes, to: home.scratch.appending("missing").appending("a"))
            }
        }
        #expect(names(in: folder).count == 2)
        #expect(try Descriptor.openForReading(path).read(upTo: 10) == [1])
    }

    @Test func `only old temporary files of ours are removed`() throws {
        let folder = home.scratch.appending("folder")
        let old = time(nil) - 7200
        let kept: [FilePath.Component] = [
            ".photo-portal-x1Y2z34", ".photo-portal-", ".goutputstream-X1Y2Z3", "photo.jpg",
        ]
        for name in kept + [".photo-portal-x1Y2z3"] {
            try home.write([1], to: folder.appending(name))
            home.setDate(of: folder.appending(name), old)
        }
        // Somebody may still be writing this one.
        try home.write([1], to: folder.appending(".photo-portal-Ab0Cd1"))
        try Directory.make(folder.appending(".photo-portal-folder"))
        home.setDate(of: folder.appending(".photo-portal-folder"), old)
        symlink("photo.jpg", folder.appending(".photo-portal-aLink1").string)
        try AtomicFile.removeLeftovers(in: folder)
        #expect(
            Set(names(in: folder))
                == Set(
                    kept + [
                        ".photo-portal-Ab0Cd1", ".photo-portal-folder", ".photo-portal-aLink1",
                    ]))
        try AtomicFile.removeLeftovers(in: folder.appending("missing"))
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a disk that says only at the end that it is full keeps the old file`() async throws {
        let place = home.root.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        let path = place.appending("a")
        try home.write([1], to: path)
        let source = try Descriptor.openForReading(path)
        try disk.fill()
        _ = [UInt8]([2]).withUnsafeBytes { bytes in
            #expect(throws: Errno.noSpace) { try AtomicFile.write(bytes, to: path) }
        }
        #expect(throws: Errno.noSpace) { try AtomicFile.copy(source, to: place.appending("b")) }
        #expect(try Descriptor.openForReading(path).read(upTo: 10) == [1])
        #expect(names(in: place) == ["a"])
        try await disk.end()
    }

    /// As on drives that the desktop mounts, where files have one name.
    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a new file is made on a disk that cannot link, nor rename without replacing`()
        async throws
    {
        let place = home.root.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        let path = place.appending("a")
        try [UInt8]([1]).withUnsafeBytes { try AtomicFile.write($0, to: path, replaces: false) }
        _ = [UInt8]([2]).withUnsafeBytes { bytes in
            #expect(throws: Errno.fileExists) {
                try AtomicFile.write(bytes, to: path, replaces: false)
            }
        }
        #expect(try Descriptor.openForReading(path).read(upTo: 10) == [1])
        #expect(names(in: place) == ["a"])
        try await disk.end()
    }

    @Test func `a copy contains the replacement bytes`() throws {
        let original = home.scratch.appending("original")
        let copy = home.scratch.appending("copy")
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        try home.write(bytes, to: original)
        let file = try Descriptor.openForReading(original)
        try AtomicFile.copy(file, to: copy, permissions: .ownerRead)
        #expect(try Descriptor.openForReading(copy).read(upTo: 4_000_000) == bytes)
        #expect(try copy.stat().permissions == .ownerRead)
        try [UInt8]([9, 8, 7]).withUnsafeBytes { (other) throws in
            try AtomicFile.copy(file, to: copy, replacing: [(0, other), (2_999_997, other)])
            #expect(throws: Errno.invalidArgument) {
                try AtomicFile.copy(file, to: copy, replacing: [(2_999_998, other)])
            }
            #expect(throws: Errno.invalidArgument) {
                try AtomicFile.copy(file, to: copy, replacing: [(.max, other)])
            }
        }
        let replaced = try Descriptor.openForReading(copy).read(upTo: 4_000_000)
        #expect(replaced == [9, 8, 7] + bytes[3..<2_999_997] + [9, 8, 7])
        #expect(names(in: home.scratch).count == 2)
    }

    @Test func `a folder is listed with names of any bytes, and links are followed`() throws {
        let folder = home.scratch
        var expected: Set<[CInterop.PlatformChar]> = []
        for name in [[0x61], [0x20, 0x25], [0x0A], [0xFF, 0xFE], [0xC3, 0xA4]] as [[UInt8]] {
            let characters = name.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
            let component = try #require(FilePath.Component(platformString: characters))
            try home.write([1], to: folder.appending(component))
            expected.insert(characters)
        }
        symlink(folder.appending("a").string, folder.appending("link").string)
        symlink("nowhere", folder.appending("dangling").string)
        symlink("loop", folder.appending("loop").string)
        let entries = try Directory.entries(of: folder)
        let found = Set(
            entries.map { entry in
                entry.name.withPlatformString {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
                }
            })
        #expect(found == expected.union([Array("link".utf8CString)]))
        #expect(entries.first { $0.name.string == "link" }?.information.type == .regular)
    }

    @Test func `a file that the process has locked is not opened under any name`() throws {
        let folder = home.scratch
        let locked = folder.appending("locked")
        try home.write([1], to: locked)
        try home.write([2], to: folder.appending("other"))
        link(locked.string, folder.appending("hard").string)
        symlink("locked", folder.appending("soft").string)
        let first = LockedFiles([locked, folder.appending("missing")])
        do {
            let second = LockedFiles([locked])
            withExtendedLifetime(second) {}
        }
        for name in ["locked", "hard", "soft"] {
            #expect(throws: Errno.permissionDenied) {
                try Descriptor.openForReading(folder.appending(name))
            }
            #expect(throws: Errno.permissionDenied) {
                try Descriptor.openFolder(folder).openForReading(in: name)
            }
        }
        #expect(try Descriptor.openForReading(folder.appending("other")).read(upTo: 1) == [2])
        #expect(
            try Descriptor.openFolder(folder).openForReading(in: "other").read(upTo: 1) == [2])
        withExtendedLifetime(first) {}
    }

    @Test func `a new file is not taken for one that the process has locked and that is deleted`()
        throws
    {
        let path = home.scratch.appending("locked")
        try home.write([1], to: path)
        let locked = LockedFiles([path])
        try AtomicFile.remove(path)
        for number in 0..<20 {
            // Many file systems give the number of the deleted file to the next one.
            let new = home.scratch.appending("\(number)")
            try home.write([2], to: new)
            #expect(try Descriptor.openForReading(new).read(upTo: 1) == [2])
        }
        withExtendedLifetime(locked) {}
    }

    @Test func `closing a protected file keeps the locks of the process`() async throws {
        let path = home.scratch.appending("locked")
        try home.write([1], to: path)
        let file = try FileDescriptor.open(path, .readWrite)
        try #require(lockf(file.rawValue, F_TLOCK, 0) == 0)
        do {
            let locked = LockedFiles([path])
            withExtendedLifetime(locked) {}
        }
        let other = try ChildProcess(
            "python3",
            ["-c", "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'w'), 6)", path.string],
            environment: home.environment, scratch: home.scratch)
        #expect(try await other.exitStatus() != 0)
        try file.close()
    }

    @Test func `a place stays the same file when another one takes its name`() throws {
        let path = home.scratch.appending("a")
        try home.write([1], to: path)
        symlink("a", home.scratch.appending("link").string)
        let place = try Place(home.scratch.appending("link"))
        #expect(place.path == path)
        try home.write([2], to: home.scratch.appending("b"))
        try AtomicFile.rename(home.scratch.appending("b"), to: path)
        #expect(try place.openForReading().read(upTo: 1) == [1])
    }

    @Test func `a watch has a limit, and a folder that is watched does not count twice`() throws {
        let watch = try FolderWatch(limit: 2)
        for name in ["a", "b", "c"] { try Directory.make(home.scratch.appending(name)) }
        try watch.add(home.scratch.appending("a"))
        try watch.add(home.scratch.appending("b"))
        try watch.add(home.scratch.appending("a"))
        #expect(throws: Errno.noSpace) { try watch.add(home.scratch.appending("c")) }
        watch.remove(home.scratch.appending("a"))
        try watch.add(home.scratch.appending("c"), .openFolder(home.scratch.appending("c")))
    }

    @Test func `a folder that was moved is still watched when its old name is given up`()
        async throws
    {
        let old = home.scratch.appending("folder")
        try Directory.make(old)
        let watch = try FolderWatch()
        try watch.add(old)
        // The folder above it moves, so that the kernel reports nothing about this one.
        let outer = home.root.appending("moved")
        try AtomicFile.rename(home.scratch, to: outer)
        let new = outer.appending("folder")
        try watch.add(new, .openFolder(new))
        watch.remove(old)
        let seen = Recorder<FolderWatch.Event>()
        let reader = Task { for await event in watch.events { seen.note(event) } }
        try home.write([1], to: new.appending("a"))
        try await eventually("news of the file") { seen.all.contains(.changed(new)) }
        reader.cancel()
    }

    @Test func `a folder that another has replaced is not watched any more`() async throws {
        let path = home.scratch.appending("folder")
        try Directory.make(path)
        let watch = try FolderWatch()
        try watch.add(path)
        // The folder above it moves, so that the kernel reports nothing about this one.
        let outer = home.root.appending("moved")
        try AtomicFile.rename(home.scratch, to: outer)
        try Directory.make(path)
        try watch.add(path)
        let seen = Recorder<FolderWatch.Event>()
        let reader = Task { for await event in watch.events { seen.note(event) } }
        try home.write([1], to: outer.appending("folder").appending("a"))
        try AtomicFile.rename(path, to: home.scratch.appending("other"))
        try await eventually("the end of the other") { seen.all.contains(.gone(path)) }
        #expect(seen.all == [.gone(path)])
        reader.cancel()
    }

    @Test func `changes that nobody reads are dropped, and reported as one overflow`() async throws
    {
        let folder = home.scratch
        let watch = try FolderWatch(mostUnread: 4)
        try watch.add(folder)
        let seen = try await eventually("an overflow") {
            for number in 0..<100 { try home.write([1], to: folder.appending("\(number)")) }
            var seen: [FolderWatch.Event] = []
            for await event in watch.events {
                seen.append(event)
                if event == .overflow || seen.count == 4 { break }
            }
            return seen.contains(.overflow) ? seen : nil
        }
        #expect(seen.count <= 4)
    }

    @Test func `writes that follow each other closely are reported as a few`() async throws {
        let folder = home.scratch.appending("folder")
        try Directory.make(folder)
        let watch = try FolderWatch(includesWrites: true, pause: .milliseconds(500))
        try watch.add(folder)
        let seen = Recorder<FolderWatch.Event>()
        let reader = Task { for await event in watch.events { seen.note(event) } }
        let file = try FileDescriptor.open(
            folder.appending("log"), .writeOnly, options: .create, permissions: .ownerReadWrite)
        try await eventually("the first one") { seen.all.contains(.changed(folder)) }
        for _ in 0..<500 {
            try file.writeAll([1])
            // Whoever watches has the time to take note of each.
            try await Task.sleep(for: .microseconds(100))
        }
        try file.close()
        removeTree(folder)
        // What comes in a pause is told after it.
        try await eventually("the end") { seen.all.contains(.gone(folder)) }
        #expect(seen.all.count < 100)
        reader.cancel()
    }

    @Test func `a sealed memory file cannot be changed`() throws {
        let file = try MemoryFile.make(named: "x", holding: [1, 2, 3])
        #expect(pwrite(file.rawValue, [9], 1, 0) < 0)
        #expect(ftruncate(file.rawValue, 0) != 0)
        let mapped = try MappedMemory(sealed: file)
        #expect(Array(mapped.bytes) == [1, 2, 3])
    }

    @Test func `a read beyond the end returns the bytes that exist`() throws {
        let path = home.scratch.appending("a")
        try home.write([1, 2, 3], to: path)
        let file = try Descriptor.openForReading(path)
        #expect(try file.read(upTo: 100, at: 2) == [3])
        #expect(try file.read(upTo: 100, at: 50) == [])
        #expect(try file.read(upTo: 0) == [])
    }

    @Test func `opening a FIFO does not wait for its writer`() throws {
        let path = home.scratch.appending("fifo")
        #expect(mkfifo(path.string, 0o600) == 0)
        let information = try Descriptor.openForReading(path).information()
        #expect(information.type == .fifo)
    }

    @Test func `a watch reports names that appear, change and disappear`() async throws {
        let folder = home.scratch
        let watch = try FolderWatch()
        try watch.add(folder)
        let seen = Recorder<FolderWatch.Event>()
        let reader = Task { for await event in watch.events { seen.note(event) } }
        func changes() -> Int { seen.all.count { $0 == .changed(folder) } }
        try home.write([1], to: folder.appending("a"))
        try await eventually("news of the file") { changes() > 0 }
        let before = changes()
        try AtomicFile.remove(folder.appending("a"))
        try await eventually("news of its end") { changes() > before }
        removeTree(folder)
        try await eventually("news of the folder's end") {
            seen.all.contains(.gone(folder))
        }
        reader.cancel()
    }
}

extension FilePermissions {
    fileprivate static var ownerGroupOtherAll: FilePermissions { FilePermissions(rawValue: 0o777) }
}
