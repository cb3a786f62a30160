// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Photos
import PortalClient
import PortalInterface
import SDBus

/// How the commands for the library write.
enum LibraryFormat: String, CaseIterable, ExpressibleByArgument {
    case lines, json
}

let exitStatuses = """
    Exit status: 0 success, 1 standard output is full or closed, 2 failed, for example because you \
    have not allowed it (see `portal-pick authorize`), 64 invalid command line.
    """

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
        // An album that does not exist is an error, however little of it is wanted.
        if part.limit == 0 {
            var options = options
            options["limit"] = UInt32(1).variant
            _ = try await client.assets(in: part.album, options)
        }
        return try await read(from: part.offset, atMost: part.limit, options) {
            options throws(DBusError) in
            try await client.assets(in: part.album, options).assets
        }
    }

    /// Reads a list in as many calls as it takes.
    ///
    /// - Parameters:
    ///   - limit: The most elements; nil for all.
    ///   - call: Makes a call with these options, to which those of a part were added.
    static func read(
        from offset: UInt32, atMost limit: UInt32?, _ options: Vardict,
        _ call: (Vardict) async throws(DBusError) -> [Vardict]
    ) async throws(DBusError) -> [Vardict] {
        var options = options
        var list: [Vardict] = []
        let most = limit.map(Int.init) ?? .max
        while list.count < most, let position = UInt32(exactly: Int(offset) + list.count) {
            let count = min(most - list.count, LibraryQuery.mostAssets)
            options["offset"] = position.variant
            options["limit"] = UInt32(count).variant
            let found = try await call(options)
            list += found
            if found.count < count { break }
        }
        return list
    }

    /// Calls the service.
    ///
    /// - Parameter subject: What a message about an error begins with.
    /// - Throws: `ExitCode`; a message was then printed.
    static func run<Result>(
        about subject: String? = nil,
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
            throw exitCode(after: error, about: subject)
        }
    }

    /// Prints an error of the service, and returns the exit status.
    static func exitCode(after error: DBusError, about subject: String? = nil) -> ExitCode {
        ShellDecoders.fail(
            [subject, error.textForPerson].compactMap { $0 }.joined(separator: ": "))
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
