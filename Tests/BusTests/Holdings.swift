// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// The resources of a process.
struct Holdings: CustomStringConvertible {
    /// Without the database's, whose readers are kept for later use.
    let descriptors: Int
    /// Anonymous memory, in KiB.
    let memory: Int

    init(of process: ChildProcess) throws {
        let folder = FilePath("/proc/\(process.processID)")
        let open = folder.appending("fd")
        descriptors = names(in: open).count { name in
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            readlink(open.appending(name).string, &target, target.count - 1)
            return !FilePath(platformString: target).string.contains("library.db")
        }
        let status = String(
            decoding: try Descriptor.openForReading(folder.appending("status"))
                .read(upTo: 1 << 16), as: UTF8.self)
        memory = try #require(
            status.firstMatch(of: #/RssAnon:\s+(\d+) kB/#).flatMap { Int($0.1) })
    }

    var description: String { "\(descriptors) descriptors, \(memory) KiB" }
}
