// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Files
import ImageWork
import Photos
import SystemPackage
import Thumbnails

/// Makes thumbnails in the desktop's cache.
struct Thumbnail: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail", _superCommandName: "portal-pick",
        abstract: "Makes thumbnails in the desktop's cache, and prints their paths.",
        discussion: """
            Thumbnails that are up to date are not made again. Exit status: 0 success, 1 standard \
            output is full or closed, 2 at least one file failed, 64 invalid command line, 128 and \
            the number of a signal that ended it.
            """)

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    @Option(
        help: ArgumentHelp(
            "The longest side in pixels; the cache has 128, 256, 512 and 1024.", valueName: "N"))
    var size = ThumbnailSize.large.pixels

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("No file is given.") }
        guard (1...ThumbnailSize.xxLarge.pixels).contains(size) else {
            throw ValidationError("--size is a number from 1 to 1024.")
        }
    }

    func run() async throws {
        let decoders = ShellDecoders.make()
        defer { decoders.close() }
        let cache = ThumbnailCache()
        let loader = ThumbnailLoader(cache: cache, decoders: decoders)
        let size = ThumbnailSize.covering(size)
        var hasFailed = false
        for file in files where !Task.isCancelled {
            let path = file.path.absolute
            guard !cache.contains(path) else {
                ShellDecoders.fail("\(file.path): it is a thumbnail itself")
                hasFailed = true
                continue
            }
            let thumbnail: FilePath
            do throws(DecodeError) {
                _ = try await loader.thumbnail(of: path, size, priority: .visible)
                guard let uri = FileURI.make(path) else { throw .unreadable }
                thumbnail = cache.path(of: uri, size)
                // The thumbnail was made; only whether it was stored is asked here.
                guard (try? thumbnail.stat()) != nil else { throw .unavailable }
            } catch {
                ShellDecoders.fail("\(file.path): \(ShellFailure(error).text)")
                hasFailed = true
                continue
            }
            try StandardOutput.write(thumbnail)
        }
        if hasFailed { throw ExitCode(ShellDecoders.failure) }
    }
}

extension FilePath {
    /// The absolute path, relative to the folder in which the program was started.
    var absolute: FilePath {
        guard isRelative, let folder = WorkingFolder.path else { return lexicallyNormalized() }
        return folder.pushing(self).lexicallyNormalized()
    }
}
