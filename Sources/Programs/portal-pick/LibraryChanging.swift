// SPDX-License-Identifier: MIT

import ArgumentParser
import Photos
import PortalClient
import PortalInterface
import SDBus

/// Adds photos to an album.
struct Add: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", _superCommandName: "portal-pick",
        abstract: "Adds photos of your library to an album.",
        discussion: """
            The album is made if there is none with this title. Prints its id. If one of the photos \
            does not exist, nothing changes. \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("The title of the album.", valueName: "title"))
    var title: String

    @Argument(help: ArgumentHelp("The ids of the photos.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Put them at the beginning, where the first is the cover.")
    var first = false

    func validate() throws {
        if ids.isEmpty, AssetID(title) != nil {
            throw ValidationError("The title of an album is missing before the ids.")
        }
    }

    func run() async throws {
        var insertion: Vardict = ["album": "@it".variant, "assets": ids.variant]
        if first { insertion["index"] = UInt32(0).variant }
        let changes = [
            ChangeOperation("ensure-album", ["title": title.variant, "placeholder": "it".variant]),
            ChangeOperation("insert-assets", insertion),
        ]
        let results = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).perform(changes)
        }
        let album = results.first?.value("album", as: String.self) ?? ""
        try StandardOutput.write(Array("\(album.printable)\n".utf8))
    }
}

/// Marks favorites.
struct Favorite: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", _superCommandName: "portal-pick",
        abstract: "Makes photos your favorites.",
        discussion: "If one of the photos does not exist, nothing changes. \(exitStatuses)")

    @Argument(help: ArgumentHelp("The ids of the photos.", valueName: "id"))
    var ids: [String]

    @Flag(help: "They are none any more.")
    var remove = false

    func run() async throws {
        let change = ChangeOperation(
            "set-favorite", ["assets": ids.variant, "favorite": (!remove).variant])
        _ = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).perform([change])
        }
    }
}
