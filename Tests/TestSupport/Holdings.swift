// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage

/// The resources of a process.
package struct Holdings: CustomStringConvertible, Sendable {
    /// Without the database's, whose readers are kept for later use.
    package let descriptors: Int
    /// Anonymous memory, in KiB.
    package let memory: Int

    package init(of process: ChildProcess) throws {
        try self.init(folder: FilePath("/proc/\(process.processID)"))
    }

    /// The resources of the tests' own process.
    package static func own() throws -> Holdings { try Holdings(folder: "/proc/self") }

    private init(folder: FilePath) throws {
        let open = folder.appending("fd")
        descriptors = names(in: open).count { name in
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            readlink(open.appending(name).string, &target, target.count - 1)
            return !FilePath(platformString: target).string.contains("library.db")
        }
        let status = String(
            decoding: try Descriptor.openForReading(folder.appending("status"))
                .read(upTo: 1 << 16), as: UTF8.self)
        guard let memory = status.firstMatch(of: #/RssAnon:\s+(\d+) kB/#).flatMap({ Int($0.1) })
        else { throw NeverHappened(description: "the memory of \(folder) is unknown") }
        self.memory = memory
    }

    package var description: String { "\(descriptors) descriptors, \(memory) KiB" }
}
