// SPDX-License-Identifier: MIT

import ArgumentParser
import Photos
import PortalClient
import PortalInterface
import SDBus

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

    @Flag(help: "If you said no earlier, open a window where you can change that.")
    var remind = false

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
            if remind { options["remind"] = true.variant }
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
