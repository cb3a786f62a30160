// SPDX-License-Identifier: MIT

import ArgumentParser
import Files
import FoundationEssentials
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage

/// How the commands for the library write.
enum LibraryFormat: String, CaseIterable, ExpressibleByArgument {
    case lines, json
}

let exitStatuses = """
    Exit status: 0 success, 1 standard output is full or closed, 2 failed, for example because you \
    have not allowed it (see `portal-pick authorize`), 64 invalid command line.
    """

/// Asks whether this program may use the library.
struct Authorize: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", _superCommandName: "portal-pick",
        abstract: "Asks whether programs of the command line may use your photos as a whole.",
        discussion: """
            Prints the answer: authorized, limited, denied, restricted, or undecided if the window \
            was closed. You are asked once; see photo-portal(8) for changing the answer. Exit \
            status: 0 authorized or limited, 1 otherwise, 2 failed, 64 invalid command line.
            """)

    @Flag(help: "Only ask for adding photos.")
    var add = false

    @Flag(help: "Print what was decided earlier, without asking.")
    var noQuestion = false

    @Option(help: ArgumentHelp("Why you ask; shown in the window.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp("The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    func run() async throws {
        let level = add ? AccessLevel.add : .readWrite
        let authorization = try await LibraryCommand.run { connection throws(DBusError) in
            if noQuestion {
                return try await LibraryClient(on: connection).authorization(for: level)
            }
            var options: Vardict = [:]
            options["reason"] = reason?.variant
            let answer = try await RequestClient(on: connection).authorize(
                level, parentWindow: parent, options: options)
            if answer.code == .ended {
                throw PortalError.failed(
                    answer.results.value("message") ?? "You could not be asked")
            }
            return answer.results.value("authorization").flatMap(Authorization.init(rawValue:))
        }
        try StandardOutput.write(Array("\(authorization?.word ?? "unknown")\n".utf8))
        guard authorization == .authorized || authorization == .limited else {
            throw ExitCode(1)
        }
    }
}

extension Authorization {
    fileprivate var word: String {
        switch self {
        case .notDetermined: "undecided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorized: "authorized"
        case .limited: "limited"
        }
    }
}

/// Lists the albums.
struct Albums: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums", _superCommandName: "portal-pick",
        abstract: "Lists the albums of your library.",
        discussion: """
            Each line has the id, the number of photos and videos, and the title of an album, \
            separated by tabs. \(exitStatuses)
            """)

    @Option(
        help: ArgumentHelp(
            "A MIME type that counts, image/* or video/*. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func run() async throws {
        let albums = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).albums(LibraryCommand.options(type))
        }
        try LibraryCommand.write(albums, format) { album in
            [
                album.value("id") ?? "", "\(album.value("count", as: UInt64.self) ?? 0)",
                album.value("title") ?? "",
            ]
        }
    }
}

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

/// Adds files to the library.
struct Save: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", _superCommandName: "portal-pick",
        abstract: "Copies photos and videos into your library.",
        discussion: """
            The copies lie in your folder for pictures, and are named by date and content. Prints the \
            id of each. The first file that cannot be added ends the command. Exit status: 0 success, \
            1 you did not allow it or standard output is closed, 2 failed, 64 invalid command line.
            """)

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    @Option(
        help: ArgumentHelp("The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    func run() async throws {
        for file in files {
            let opened: Descriptor
            do throws(Errno) {
                opened = try Descriptor.openForReading(file.path.absolute)
            } catch {
                ShellDecoders.fail("\(file.path): \(error)")
                throw ExitCode(ShellDecoders.failure)
            }
            let answer = try await LibraryCommand.run { connection throws(DBusError) in
                let answer = try await RequestClient(on: connection)
                    .save(opened, parentWindow: parent)
                if answer.code == .ended {
                    throw PortalError.failed(
                        answer.results.value("message") ?? "The photo was not added")
                }
                return answer
            }
            guard answer.code == .success, let id = answer.results.value("id", as: String.self)
            else { throw ExitCode(1) }
            try StandardOutput.write(Array("\(id.printable)\n".utf8))
        }
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

/// Moves photos to the trash.
struct Delete: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", _superCommandName: "portal-pick",
        abstract: "Moves photos to the trash, after asking you in a window.",
        discussion: """
            All files of each photo are moved; your file manager can restore them. Prints the ids of \
            those that were. Exit status: 0 success, 1 you did not agree or standard output is closed, \
            2 failed, 64 invalid command line.
            """)

    @Argument(help: ArgumentHelp("The ids of the photos.", valueName: "id"))
    var ids: [String]

    @Option(
        help: ArgumentHelp("The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    func run() async throws {
        let answer = try await LibraryCommand.run { connection throws(DBusError) in
            try await RequestClient(on: connection).delete(ids, parentWindow: parent)
        }
        let deleted = answer.results.value("deleted", as: [String].self) ?? []
        try StandardOutput.write(Array(deleted.map { "\($0.printable)\n" }.joined().utf8))
        switch answer.code {
        case .success: break
        case .cancelled: throw ExitCode(1)
        case .ended:
            ShellDecoders.fail(
                answer.results.value("message") ?? "the photos could not be moved to the trash")
            throw ExitCode(ShellDecoders.failure)
        }
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
        case .array(_, let elements): elements.map(\.plainText).joined(separator: ", ")
        default: ""
        }
    }
}

/// What the commands for the library share.
enum LibraryCommand {
    static func options(_ types: [String]) -> Vardict {
        types.isEmpty ? [:] : ["media_types": types.variant]
    }

    /// A part of an album.
    struct Part {
        let album: String
        let offset: UInt32
        /// The most photos; nil for all.
        let limit: UInt32?
    }

    /// Writes the photos of a part of an album.
    static func list(_ part: Part, _ options: Vardict, _ format: LibraryFormat) async throws {
        let found = try await run { connection throws(DBusError) in
            try await assets(part, options, LibraryClient(on: connection))
        }
        try write(found, format) { asset in
            [
                asset.value("id") ?? "", asset.value("media_type") ?? "",
                asset.value("name") ?? "",
            ]
        }
    }

    /// Reads photos in as many calls as it takes.
    private static func assets(
        _ part: Part, _ options: Vardict, _ client: LibraryClient
    ) async throws(DBusError) -> [Vardict] {
        var options = options
        var assets: [Vardict] = []
        let most = part.limit.map(Int.init) ?? .max
        while assets.count < most, let position = UInt32(exactly: Int(part.offset) + assets.count) {
            let count = min(most - assets.count, LibraryQuery.mostAssets)
            options["offset"] = position.variant
            options["limit"] = UInt32(count).variant
            let found = try await client.assets(in: part.album, options).assets
            assets += found
            if found.count < count { break }
        }
        return assets
    }

    /// Calls the service.
    ///
    /// - Throws: `ExitCode`; a message was then printed.
    static func run<Result>(
        _ body: (Connection) async throws(DBusError) -> Result
    ) async throws -> Result {
        do throws(DBusError) {
            let connection = try await Connection.open()
            let result: Swift.Result<Result, DBusError>
            do throws(DBusError) {
                result = .success(try await body(connection))
            } catch {
                result = .failure(error)
            }
            // Sends the queued Close of a cancelled request.
            await connection.close()
            return try result.get()
        } catch {
            throw exitCode(after: error)
        }
    }

    /// Prints an error of the service, and returns the exit status.
    static func exitCode(after error: DBusError) -> ExitCode {
        ShellDecoders.fail(error.textForPerson)
        return ExitCode(error.isWrongUsage ? 64 : ShellDecoders.failure)
    }

    /// Writes dictionaries, each in a line, or all of them as JSON.
    ///
    /// - Throws: ``StandardOutput/Failure``.
    static func write(
        _ dictionaries: [Vardict], _ format: LibraryFormat, line: (Vardict) -> [String]
    ) throws {
        switch format {
        case .lines:
            let lines = dictionaries.map { dictionary in
                line(dictionary).map(\.printable).joined(separator: "\t") + "\n"
            }
            try StandardOutput.write(Array(lines.joined().utf8))
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try StandardOutput.write([UInt8](try encoder.encode(dictionaries)) + [0x0A])
        }
    }
}
