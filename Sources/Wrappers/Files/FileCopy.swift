// SPDX-License-Identifier: MIT

internal import CFiles
internal import Glibc
internal import SystemPackage

/// Copies the content of a file into one that is empty, and leaves out its holes.
///
/// A program can make a file with a hole as large as it likes, for nothing; filled, it would fill the disk.
struct FileCopy {
    private let source: Descriptor
    /// The source with a position of its own; nil if its holes cannot be found.
    private let seeker: Descriptor?
    private let target: Descriptor

    init(of source: Descriptor, to target: Descriptor) {
        self.source = source
        // A file that a program serves may be held for ever when it is closed.
        seeker = FileSystem.isFUSE(FilePath(source.ownName)) ? nil : try? source.reopened()
        self.target = target
    }

    /// A part of the source.
    private enum Part {
        case data(Range<Int64>)
        /// Nothing but a hole up to this end.
        case hole(end: Int64)
    }

    /// As much as is copied at a time; after that, the caller may have lost interest.
    private static let most: Int64 = 1 << 26

    /// Copies everything.
    ///
    /// - Parameter limit: The most bytes; a file that grows as fast as it is read has no end.
    /// - Returns: How many bytes there were; more than the limit if it was reached.
    /// - Throws: `Errno`, also `.canceled`.
    /// - Isolation: any thread; blocks as long as the file system does.
    /// - Source: copy_file_range(2), which not every pair of file systems has.
    func run(atMost limit: Int64, _ isCancelled: () -> Bool) throws(Errno) -> Int64 {
        var position: Int64 = 0
        var isRanged = true
        while position <= limit {
            guard !isCancelled() else { throw .canceled }
            let data: Range<Int64>
            switch part(from: position) {
            case .hole(let end):
                guard end > position else { return position }
                guard ftruncate(target.rawValue, Int(end)) == 0 else {
                    throw Errno(rawValue: errno)
                }
                position = end
                continue
            case .data(let found): data = found
            }
            if data.lowerBound > position {
                position = data.lowerBound
                guard lseek(target.rawValue, Int(position), SEEK_SET) == position else {
                    throw Errno(rawValue: errno)
                }
            }
            let start = position
            if isRanged {
                let count = pp_copy_range(
                    source.rawValue, &position, target.rawValue, data.count)
                if count < 0, errno != EINTR {
                    guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
                        throw Errno(rawValue: errno)
                    }
                    isRanged = false
                }
                if count != 0 { continue }
            } else {
                let bytes = try source.read(upTo: min(data.count, 1 << 20), at: position)
                try withErrno { _ = try target.fileDescriptor.writeAll(bytes) }
                position += Int64(bytes.count)
            }
            // The end; the file may have become shorter in the meantime.
            if position == start { return position }
        }
        return position
    }

    /// What comes next.
    ///
    /// - Source: lseek(2), “Seeking file data and holes”, which knows none where the file system does not.
    private func part(from position: Int64) -> Part {
        // Of a file that has become longer, everything is copied.
        let unknown = Part.data(position..<Self.end(after: position))
        guard let seeker else { return unknown }
        var data: Int64 = 0
        var hole: Int64 = 0
        guard pp_find_data(seeker.rawValue, position, &data, &hole) == 0 else {
            guard errno == ENXIO, let end = try? seeker.information().size else { return unknown }
            return .hole(end: end)
        }
        let end = Self.end(after: data)
        return .data(data..<(hole > data ? min(hole, end) : end))
    }

    private static func end(after start: Int64) -> Int64 { min(start, .max - most) + most }
}
