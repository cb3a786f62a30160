// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Photos
import PortalClient
import PortalInterface
import SDBus

/// Prints what changes in the library.
struct Watch: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", _superCommandName: "portal-pick",
        abstract: "Prints each photo, album and moment of your library that changes.",
        discussion: """
            Each line has inserted, updated or removed, then photo, album or moment, and the id, \
            separated by tabs. A moment is a day or a month. With --format json, each line is a JSON \
            object, which also has the generation of the change. The line start-over says that it \
            is not known what has changed. Ctrl-C ends it. \(exitStatuses)
            """)

    @Option(help: ArgumentHelp("End after N lines.", valueName: "N"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Begin with what has changed since an earlier generation.", valueName: "generation"))
    var since: UInt64?

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func validate() throws {
        if let limit, limit < 1 {
            throw ValidationError("The value '\(limit)' is invalid for '--limit <N>': 1 or more.")
        }
    }

    /// What the bus tells.
    private enum Event: Sendable {
        case changed(ChangeReport)
        /// The service has ended, or another one has taken its place.
        case newOwner
    }

    func run() async throws {
        do {
            let connection = try await Connection.open()
            try await follow(connection)
            // The service must not send us any more.
            await connection.close()
        } catch let error as DBusError {
            throw LibraryCommand.exitCode(after: error)
        }
    }

    /// Prints changes until there are enough, or the task is cancelled.
    ///
    /// - Throws: ``DBusError``; ``StandardOutput/Failure``.
    private func follow(_ connection: Connection) async throws {
        let client = LibraryClient(on: connection)
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let changes = try await client.onChange { continuation.yield(.changed($0)) }
        let owner = try await connection.watchOwner(of: PhotoPickerInterface.busName) { _ in
            continuation.yield(.newOwner)
        }
        defer { withExtendedLifetime((changes, owner)) {} }
        await connection.onDisconnect { continuation.finish() }
        var left = limit ?? .max
        var generation = since
        generation = try await watch(client, from: generation, &left)
        guard left > 0 else { return }
        for await event in events {
            switch event {
            case .changed(let report) where report.hasEnded:
                throw PortalError.notAllowed("You have changed what programs may see")
            case .changed(let report):
                generation = report.generation
                try write(ChangeLine.all(of: report), &left)
            case .newOwner:
                do {
                    generation = try await watch(client, from: generation, &left)
                } catch let error as DBusError where error.name.isAbsence {
                    // The bus cannot start one; perhaps somebody does.
                }
            }
            if left == 0 { return }
        }
        if left > 0, !Task.isCancelled { throw DBusError.disconnected }
    }

    /// Begins to watch.
    ///
    /// - Returns: The generation from which changes are told.
    private func watch(
        _ client: LibraryClient, from generation: UInt64?, _ left: inout Int
    ) async throws -> UInt64 {
        let (start, startsOver) = try await client.watchChanges(since: generation)
        if startsOver { try write([.startOver(at: start)], &left) }
        return start
    }

    private func write(_ lines: [ChangeLine], _ left: inout Int) throws {
        let lines = lines.prefix(left)
        left -= lines.count
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for line in lines {
            let bytes =
                switch format {
                case .lines: Array(line.text.utf8)
                case .json: [UInt8](try encoder.encode(line))
                }
            try StandardOutput.write(bytes + [UInt8(ascii: "\n")])
        }
    }
}

/// A line of output.
struct ChangeLine: Encodable {
    let change: String
    /// Nil if it is not known what has changed.
    var kind: String?
    var id: String?
    let generation: UInt64

    var text: String {
        [change, kind, id].compactMap { $0?.printable }.joined(separator: "\t")
    }

    static func startOver(at generation: UInt64) -> ChangeLine {
        ChangeLine(change: "start-over", generation: generation)
    }

    /// The lines of a report.
    static func all(of report: ChangeReport) -> [ChangeLine] {
        guard !report.startsOver else { return [.startOver(at: report.generation)] }
        func lines(_ ids: ChangedIDs<String>, _ kind: String) -> [ChangeLine] {
            [("inserted", ids.inserted), ("updated", ids.updated), ("removed", ids.removed)]
                .flatMap { change, ids in
                    ids.map {
                        ChangeLine(
                            change: change, kind: kind, id: $0, generation: report.generation)
                    }
                }
        }
        return lines(report.assets, "photo") + lines(report.albums, "album")
            + lines(report.moments, "moment")
    }
}
