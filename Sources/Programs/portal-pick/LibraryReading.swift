// SPDX-License-Identifier: MIT

import ArgumentParser
import Photos
import PortalClient
import PortalInterface
import SDBus

/// Lists the albums.
struct Albums: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums", _superCommandName: "portal-pick",
        abstract: "Lists the albums of your library.",
        discussion: """
            Each line has the id, the number of photos and videos, and the title of an album, \
            separated by tabs. Moments, which are what was taken in a day or a month, are listed only \
            with --by; they have their date for a title. \(exitStatuses)
            """)

    @Option(
        help: ArgumentHelp(
            "Lists the moments instead: by day or month, the newest first.", valueName: "unit"))
    var by: Moment.Unit?

    @Option(help: ArgumentHelp("With --by, the position of the first moment.", valueName: "N"))
    var offset: UInt32?

    @Option(help: ArgumentHelp("With --by, the most moments; all by default.", valueName: "N"))
    var limit: UInt32?

    @Option(
        help: ArgumentHelp(
            "A MIME type that counts, image/* or video/*. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func validate() throws {
        guard by != nil || (offset == nil && limit == nil) else {
            throw ValidationError("--offset and --limit need --by.")
        }
    }

    func run() async throws {
        let albums = try await LibraryCommand.run { connection throws(DBusError) in
            let client = LibraryClient(on: connection)
            guard let by else { return try await client.albums(LibraryCommand.options(type)) }
            return try await moments(by, client)
        }
        try LibraryCommand.write(albums, format) { album in
            [
                album.value("id") ?? "", "\(album.value("count", as: UInt64.self) ?? 0)",
                album.value("date") ?? album.value("title") ?? "",
            ]
        }
    }

    /// Reads moments in as many calls as it takes.
    private func moments(
        _ unit: Moment.Unit, _ client: LibraryClient
    ) async throws(DBusError) -> [Vardict] {
        var options = LibraryCommand.options(type)
        options["unit"] = unit.rawValue.variant
        return try await LibraryCommand.read(
            from: offset ?? 0, atMost: limit, options
        ) { options throws(DBusError) in try await client.moments(options).moments }
    }
}

extension Moment.Unit: ExpressibleByArgument {}

/// Lists the photos of an album.
struct List: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", _superCommandName: "portal-pick",
        abstract: "Lists the photos and videos of an album in its order.",
        discussion: """
            Each line has the id, the MIME type, and the name of a photo, separated by tabs. \
            \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("The id of the album; see `portal-pick albums`.", valueName: "id"))
    var album: String = AlbumID.all.rawValue

    @Option(
        help: ArgumentHelp(
            "A MIME type to list, image/* or video/*. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("The position of the first photo.", valueName: "N"))
    var offset: UInt32 = 0

    @Option(help: ArgumentHelp("The most photos to list; all by default.", valueName: "N"))
    var limit: UInt32?

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func run() async throws {
        let part = LibraryCommand.Part(album: album, offset: offset, limit: limit)
        try await LibraryCommand.list(part, LibraryCommand.options(type), format)
    }
}

/// Lists the photos that are found by their words.
struct Search: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", _superCommandName: "portal-pick",
        abstract: "Lists the photos and videos that match all of some words, the newest first.",
        discussion: """
            Words occur in names, titles, descriptions, keywords, cameras, albums and folders; the last \
            one may be the beginning of a word. Quotation marks make a phrase, as in \
            `portal-pick search '"blue sky" october 2019'`. Dates, types, shapes, 'has a place' and \
            'favorite' are understood; see portal-pick(1).

            Each line has the id, the MIME type, and the name of a photo, separated by tabs. \
            \(exitStatuses)
            """)

    @Argument(help: ArgumentHelp("What to search for.", valueName: "words"))
    var words: [String]

    @Option(help: ArgumentHelp("Only in this album; see `portal-pick albums`.", valueName: "id"))
    var album: String = AlbumID.all.rawValue

    @Option(
        help: ArgumentHelp(
            "A MIME type to list, image/* or video/*. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("The most photos to list; all by default.", valueName: "N"))
    var limit: UInt32?

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func run() async throws {
        var options = LibraryCommand.options(type)
        options["search"] = words.joined(separator: " ").variant
        let part = LibraryCommand.Part(album: album, offset: 0, limit: limit)
        try await LibraryCommand.list(part, options, format)
    }
}

/// Shows what is known of photos.
struct Show: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", _superCommandName: "portal-pick",
        abstract: "Shows what the library knows of photos.",
        discussion: "An id that is unknown is an error. \(exitStatuses)")

    @Argument(help: ArgumentHelp("The ids of the photos.", valueName: "id"))
    var ids: [String]

    @Option(help: "How it is written: lines or json.")
    var format: LibraryFormat = .lines

    func validate() throws {
        guard ids.count <= LibraryQuery.mostIDs else {
            throw ValidationError("At most \(LibraryQuery.mostIDs) ids are possible.")
        }
    }

    func run() async throws {
        let assets = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).assets(ids)
        }
        switch format {
        case .json: try LibraryCommand.write(assets, format) { _ in [] }
        case .lines:
            for asset in assets {
                let lines = asset.sorted { $0.key < $1.key }.map { key, value in
                    "\(key): \(value.plainText.printable)\n"
                }
                try StandardOutput.write(Array("\(lines.joined())\n".utf8))
            }
        }
        let found = Set(assets.compactMap { $0.value("id", as: String.self) })
        let missing = ids.filter { !found.contains($0) }
        for id in missing { ShellDecoders.fail("there is no photo '\(id)'") }
        if !missing.isEmpty { throw ExitCode(ShellDecoders.failure) }
    }
}

extension Variant {
    var plainText: String {
        switch self {
        case .string(let text): text
        case .uint32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .uint64(let number): "\(number)"
        case .double(let number): "\((number * 1000).rounded() / 1000)"
        case .array(_, let elements), .structure(let elements):
            elements.map(\.plainText).joined(separator: ", ")
        default: ""
        }
    }
}
