// SPDX-License-Identifier: MIT

internal import Desktop
package import Files
package import ImageWork
package import Photos
import Processes
package import SystemPackage

/// Pictures of videos, made by the desktop's own thumbnailer programs.
///
/// Each program runs in a sandbox that contains the video and an empty folder for the picture: no
/// other file, no network, no bus. The picture is untrusted and goes through a decoder like any
/// other. Only one program runs at a time, because decoding a video uses all cores.
package actor VideoFrames {
    private nonisolated let queue = SerialQueue(label: "video-frames")
    private let entries: [String: ThumbnailerEntry]
    private let scratch: FilePath

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Finds the installed programs.
    ///
    /// - Parameters:
    ///   - folders: Folders that contain a folder `thumbnailers`, the most important one first.
    ///   - scratch: A folder for the pictures until they are read.
    package init(
        folders: [FilePath] = UserFolders.allData, scratch: FilePath = UserFolders.runtime
    ) {
        self.scratch = scratch
        var entries: [String: ThumbnailerEntry] = [:]
        for folder in folders.reversed() {
            let folder = folder.appending("thumbnailers")
            // A missing folder or a damaged entry only means that there is one program less.
            for file in (try? Directory.entries(of: folder)) ?? [] {
                guard file.name.extension == "thumbnailer",
                    let text = try? Descriptor.openForReading(folder.appending(file.name))
                        .read(upTo: 1 << 16),
                    let keys = try? KeyFile(text), let entry = ThumbnailerEntry(keys)
                else { continue }
                for type in entry.mimeTypes { entries[type] = entry }
            }
        }
        // The programs use an older name for this type.
        entries["video/vnd.avi"] = entries["video/vnd.avi"] ?? entries["video/x-msvideo"]
        self.entries = entries
    }

    /// The types of videos that the installed programs can read.
    package nonisolated var supportedTypes: [MediaType] {
        guard Self.hasSandbox else { return [] }
        return MediaType.recognized.filter { $0.isVideo && entries[$0.rawValue] != nil }
    }

    // Without a working bwrap there is no sandbox, whatever the reason.
    private static let hasSandbox =
        (try? ProgramOutput.capture("bwrap", ["--version"], timeout: .seconds(5))) != nil

    /// Makes a picture of a video.
    ///
    /// - Parameter side: The side of the square that the picture should fit in, in pixels.
    /// - Returns: An open file in a format that a decoder can read; its name is already deleted.
    /// - Throws: ``ImageWork/DecodeError``: `.unsupported` when there is no program for the type or
    ///   no sandbox, `.timedOut`, `.damaged` when the program made no picture.
    package func frame(
        of path: FilePath, _ type: MediaType, side: Int
    ) throws(DecodeError) -> Descriptor {
        guard let entry = entries[type.rawValue], Self.hasSandbox else { throw .unsupported }
        guard !Task.isCancelled else { throw .cancelled }
        guard let folder = TemporaryFolder(in: scratch) else { throw .unavailable }
        let command = entry.command(input: "/video", output: "/picture/frame.png", side: side)
        do {
            _ = try ProgramOutput.capture(
                "bwrap", Self.sandbox(video: path, picture: folder.path) + command,
                timeout: Self.timeout)
        } catch {
            throw error == .timedOut ? .timedOut : .damaged
        }
        let picture = folder.path.appending("frame.png")
        // A symbolic link could point outside the sandbox. Without a regular file there is no
        // frame.
        guard (try? picture.stat(followTargetSymlink: false))?.type == .regular,
            let file = try? Descriptor.openForReading(picture)
        else { throw .damaged }
        return file
    }

    private static let timeout = Duration.seconds(20)

    private static func sandbox(video: FilePath, picture: FilePath) -> [String] {
        [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
            "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
            "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
            "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
            "--ro-bind", video.string, "/video", "--bind", picture.string, "/picture",
            "--clearenv", "--setenv", "HOME", "/tmp", "--setenv", "PATH", "/usr/bin", "--",
            "prlimit", "--as=2147483648", "--cpu=30", "--fsize=67108864", "--core=0", "--",
        ]
    }
}
