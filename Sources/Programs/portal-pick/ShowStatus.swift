// SPDX-License-Identifier: MIT

import ArgumentParser
import PortalClient
import SDBus

/// Prints what the library is doing.
struct ShowStatus: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", _superCommandName: "portal-pick",
        abstract: "Prints what your library is doing.",
        discussion: """
            Each line has a name and a value, separated by a tab: whether folders are being looked \
            through (indexing), how many files there are, how many of them are still to be examined \
            (pending) or are no photos (skipped), whether some folders cannot be watched (unwatched), \
            and whether pending files wait until the computer no longer saves power (waiting). \
            \(exitStatuses)
            """)

    @Option(help: "How they are written: lines or json.")
    var format: LibraryFormat = .lines

    func run() async throws {
        let status = try await LibraryCommand.run { connection throws(DBusError) in
            try await LibraryClient(on: connection).status()
        }
        switch format {
        case .json: try LibraryCommand.write([status], format) { _ in [] }
        case .lines:
            let lines = status.sorted { $0.key < $1.key }.map { key, value in
                "\(key)\t\(value.plainText)\n"
            }
            try StandardOutput.write(Array(lines.joined().utf8))
        }
    }
}
