// SPDX-License-Identifier: MIT

package import SystemPackage

/// The folders at which file systems are mounted.
///
/// Asks no file system, so it cannot hang with one.
///
/// - Source: proc_pid_mountinfo(5).
package struct MountTable: Sendable {
    /// The longest first.
    private var points: [FilePath]
    /// The numbers of the mounts at each point, and those of their file systems.
    private var mounts: [FilePath: Set<Substring>] = [:]

    /// - Parameter others: Folders that count as mount points, such as one that may be a link to one.
    package init(_ text: String, and others: [FilePath] = []) {
        points = others
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, let point = Self.unescaped(fields[4]) else { continue }
            points.append(point)
            mounts[point, default: []].insert(fields[0] + " " + fields[2])
        }
        points.sort { $0.string.utf8.count > $1.string.utf8.count }
    }

    /// Reads what is mounted now; without procfs that is the root alone.
    package static func current(and others: [FilePath] = []) -> MountTable {
        let bytes = try? Descriptor.openForReading("/proc/self/mountinfo").read(upTo: 1 << 20)
        return MountTable(String(decoding: bytes ?? [], as: UTF8.self), and: others)
    }

    /// The innermost mount point above a path, as far as one can tell without following links.
    package func point(above path: FilePath) -> FilePath {
        points.first { path.starts(with: $0) } ?? "/"
    }

    /// Where something has been mounted or unmounted since another table was read.
    package func changedPoints(since other: MountTable) -> Set<FilePath> {
        Set(mounts.keys).union(other.mounts.keys).filter { mounts[$0] != other.mounts[$0] }
    }

    /// A path in which the kernel wrote blanks, line ends and backslashes as octal numbers.
    private static func unescaped(_ field: Substring) -> FilePath? {
        var parts = field.split(separator: "\\", omittingEmptySubsequences: false)[...]
        guard var text = parts.popFirst().map(String.init) else { return nil }
        for part in parts {
            guard let code = UInt8(part.prefix(3), radix: 8) else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(code))
            text += part.dropFirst(3)
        }
        return FilePath(text)
    }
}
