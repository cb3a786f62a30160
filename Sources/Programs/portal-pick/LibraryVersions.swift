// SPDX-License-Identifier: MIT

import ArgumentParser
import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage

/// Writes the file of a photo.
struct Read: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", _superCommandName: "portal-pick",
        abstract: "Writes the file of a photo to standard output.",
        discussion: """
            With an adjusted version, that is written; `--original` writes the file of which it was made, \
            `--raw` the camera's raw file, if the photo has one beside its picture, `--video` the video \
            of a live photo, and `--frame` one of the pictures of a burst. \
            \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("The id of the photo.", valueName: "id"))
    var id: String

    @Flag(help: "Write the original, without the changes of apps.")
    var original = false

    @Flag(help: "Write the camera's raw file, which the photo has beside its picture.")
    var raw = false

    @Flag(help: "Write the video of a live photo.")
    var video = false

    @Option(
        help: ArgumentHelp(
            "Write one of the pictures of a burst, from 1 on in the order in which they were taken.",
            valueName: "N"))
    var frame: UInt32?

    func validate() throws {
        guard [original, raw, video, frame != nil].filter(\.self).count <= 1 else {
            throw ValidationError("--original, --raw, --video and --frame exclude each other.")
        }
        guard frame != 0 else {
            throw ValidationError("The first picture of a burst is number 1.")
        }
    }

    private var resource: ResourceRole {
        frame != nil ? .burst : raw ? .raw : video ? .pairedVideo : .primary
    }

    func run() async throws {
        let file = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection)
                .open(
                    id, original ? .original : .current, resource,
                    index: frame.map { $0 - 1 } ?? 0
                ).file
        }
        var position: Int64 = 0
        while true {
            let part: [UInt8]
            do throws(Errno) {
                part = try file.read(upTo: 1 << 20, at: position)
            } catch {
                ShellDecoders.fail("the photo cannot be read: \(error)")
                throw ExitCode(ShellDecoders.failure)
            }
            if part.isEmpty { return }
            try StandardOutput.write(part)
            position += Int64(part.count)
        }
    }
}

/// Gives a photo an adjusted version.
struct Adjust: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "adjust", _superCommandName: "portal-pick",
        abstract: "Gives a photo another version, which everybody sees from then on.",
        discussion: """
            The original file is not changed; `portal-pick revert` shows it again. For example: \
            `portal-pick read ID | convert - -colorspace Gray grey.jpg; portal-pick adjust ID grey.jpg`. \
            \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("The id of the photo.", valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp("The new version.", valueName: "file"), completion: .file())
    var file: FileArgument

    func run() async throws {
        let opened: Descriptor
        do throws(Errno) {
            opened = try Descriptor.openForReading(file.path.absolute)
        } catch {
            ShellDecoders.fail("\(file.path): \(error)")
            throw ExitCode(ShellDecoders.failure)
        }
        let change = ChangeOperation(
            "set-adjustment",
            [
                "asset": id.variant, "file": opened.variant, "format": "portal-pick".variant,
                "version": "1".variant,
            ])
        _ = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).perform([change])
        }
    }
}

/// Shows the originals of photos again.
struct Revert: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert", _superCommandName: "portal-pick",
        abstract: "Shows the originals of photos again, and removes their adjusted versions.",
        discussion: """
            Photos without an adjusted version stay as they are. If one of the photos does not exist, nothing \
            changes. \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("The ids of the photos.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let change = ChangeOperation("revert-adjustment", ["assets": ids.variant])
        _ = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).perform([change])
        }
    }
}
