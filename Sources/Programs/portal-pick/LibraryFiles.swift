// SPDX-License-Identifier: MIT

import ArgumentParser
import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage

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
        help: ArgumentHelp(
            "Also add them to the album with this title, which is made if need be.",
            valueName: "title"))
    var album: String?

    @Option(
        help: ArgumentHelp("The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    func run() async throws {
        var options: Vardict = [:]
        options["album"] = album?.variant
        for file in files {
            let opened: Descriptor
            do throws(Errno) {
                opened = try Descriptor.openForReading(file.path.absolute)
            } catch {
                ShellDecoders.fail("\(file.path): \(error)")
                throw ExitCode(ShellDecoders.failure)
            }
            let answer = try await LibraryCommand.run(about: file.path.string) {
                connection throws(DBusError) in
                let answer = try await RequestClient(on: connection)
                    .save(opened, parentWindow: parent, options: options)
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
