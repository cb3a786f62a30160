// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Photos
import PortalClient
import PortalInterface
import Processes
import SDBus
import Synchronization
import SystemPackage

/// Asks a person to choose photos and prints them.
@main
struct PortalPick: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "portal-pick",
        abstract: "Lets you choose photos in a window and prints their paths.",
        usage: """
            portal-pick [<option> ...]
            portal-pick derive|thumbnail|preview <file> ...
            portal-pick authorize|status|albums|list|search|show|watch ...
            portal-pick save|add|favorite|read|adjust|revert|delete ...
            """,
        discussion: """
            Examples:

              portal-pick                         choose any number of photos
              portal-pick --single                choose one
              portal-pick --max 5 --ordered       choose up to five, in your order
              portal-pick --type image/png        choose PNG pictures only
              portal-pick --clip required --clip-size 256x256 --accept jpeg
              portal-pick --format null | xargs -0 cp -t /tmp
              portal-pick --format json | jq -r '.items[].name'
              portal-pick derive --help           convert files without choosing
              portal-pick preview *.jpg           look at files one by one
              portal-pick albums                  list the albums of your library

            Exit status: 0 success, 1 cancelled, 2 failed, 64 invalid command line. Ctrl-C closes \
            the window.
            """,
        version: ProgramVersion.current, subcommands: commands)

    private static let commands: [any ShellCommand.Type] = [
        Derive.self, Thumbnail.self, Preview.self, Authorize.self, Albums.self, List.self,
        Search.self, Show.self,
        Read.self, Save.self, Add.self, Favorite.self, Adjust.self, Revert.self, Delete.self,
        Watch.self,
        ShowStatus.self, Cache.self,
    ]

    /// How results are written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case path, uri, json, null
    }

    @OptionGroup var choice: PickArguments

    @Option(help: "The title of the window.")
    var title: String = ""

    @Option(
        help: ArgumentHelp(
            "The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    @Option(
        help: "How results are written: path, uri, json, or null (paths that end in a zero byte).")
    var format: Format = .path

    static func main() {
        setlocale(LC_ALL, "")
        _ = Derive.permissions
        // Only the first word decides: `derive` has a --format of its own, and the parser would try
        // the --format of this command first.
        let words = Array(CommandLine.arguments.dropFirst())
        let chosen = commands.first { $0.configuration.commandName == words.first }
        MainThread.run {
            guard let chosen else { return await run(PortalPick.self, words) }
            return await run(chosen, Array(FileArgument.words.dropFirst()))
        }
    }

    private static func run(_ type: any ShellCommand.Type, _ words: [String]) async -> Int32 {
        if let word = misread(in: words) {
            StandardError.print("Error: Unknown option '\(word)'. If it is a file: ./\(word)")
            return EX_USAGE
        }
        do {
            var command = try type.parseAsRoot(joiningNegativeNumbers(words))
            if let command = command as? PortalPick {
                // It closes its request when a signal arrives.
                try await command.run()
            } else if let command = command as? any ShellCommand {
                try await command.runUntilSignal()
            } else {
                // Help.
                try command.run()
            }
            return 0
        } catch let failure as StandardOutput.Failure {
            ShellDecoders.fail(failure.text)
            return type == PortalPick.self ? Status.failed : Status.notWritten
        } catch {
            return end(type, with: error)
        }
    }

    /// A word that begins with a dash and is no option, such as the name of a file: the parser would take
    /// each of its letters for an option, and an `h` among them for the one that prints help.
    static func misread(in words: [String]) -> String? {
        let options = words.prefix { $0 != "--" }
        return options.first {
            $0.utf8.count > 2 && $0.hasPrefix("-") && !$0.hasPrefix("--") && Double($0) == nil
        }
    }

    /// Joins each number below 0 to the flag before it: the parser would take it for another flag, and
    /// say that the value is missing.
    static func joiningNegativeNumbers(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words.indices.reduce(into: []) { joined, index in
            let word = words[index]
            if index < end, word.hasPrefix("-"), Int64(word) != nil,
                let flag = joined.last, flag.hasPrefix("--"), !flag.contains("=")
            {
                joined[joined.count - 1] = "\(flag)=\(word)"
            } else {
                joined.append(word)
            }
        }
    }

    /// Prints what the parser says about an error, or the help.
    ///
    /// - Returns: The exit status.
    private static func end(_ type: any ShellCommand.Type, with error: any Error) -> Int32 {
        let status = type.exitCode(for: error).rawValue
        var text = type.fullMessage(for: error)
        if type != PortalPick.self, let name = type.configuration.commandName {
            // A command that is parsed as the root is named without the program.
            text = text.replacing("See '\(name) ", with: "See 'portal-pick \(name) ")
        }
        if status != 0, !text.isEmpty {
            StandardError.print(text)
        } else if !text.isEmpty {
            do throws(StandardOutput.Failure) {
                try StandardOutput.write(Array("\(text)\n".utf8))
            } catch {
                ShellDecoders.fail(error.text)
                Glibc.exit(Status.notWritten)
            }
        }
        return status
    }

    func run() async throws {
        let request = Mutex<Request?>(nil)
        let signals = await TerminationSignals.receive()
        Task {
            for await _ in signals {
                // Without a request there is no window to close, and the bus may never answer.
                guard let open = request.withLock({ $0.take() }) else {
                    Glibc.exit(Status.cancelled)
                }
                open.cancel()
            }
        }
        let connection: Connection
        do throws(DBusError) {
            connection = try await Connection.open()
        } catch {
            fail("cannot connect to the session bus; run portal-pick in a desktop session")
            throw ExitCode(Status.failed)
        }
        let answer: RequestClient.Answer
        do throws(DBusError) {
            answer = try await ask(on: connection, request)
        } catch {
            if error == .cancelled { throw ExitCode(Status.cancelled) }
            fail(error.textForPerson)
            throw ExitCode(error.isWrongUsage ? Status.usage : Status.failed)
        }
        switch answer.code {
        case .cancelled: throw ExitCode(Status.cancelled)
        case .ended:
            // A script reads why each photo was not delivered.
            if format == .json { try Output(format: format).write(answer.results) }
            if !report(answer.results) {
                fail(
                    answer.results.value("message")
                        ?? "no photo was chosen, because the window was closed early")
            }
            throw ExitCode(Status.failed)
        case .success:
            guard let delivery = Delivery(answer.results) else {
                fail("the service sent an answer that portal-pick does not understand")
                throw ExitCode(Status.failed)
            }
            _ = report(answer.results)
            try Output(format: format).write(delivery, answer.results)
        }
    }

    /// The exit statuses; `usage` is EX_USAGE of sysexits(3), as in ArgumentParser.
    private enum Status {
        static let cancelled: Int32 = 1
        /// `derive` and `thumbnail` cannot be cancelled.
        static let notWritten: Int32 = 1
        static let failed: Int32 = 2
        static let usage: Int32 = 64
    }

    /// A request of the portal; cancelling it closes its window.
    private typealias Request = Task<Result<RequestClient.Answer, DBusError>, Never>

    /// Makes a request and waits for its answer.
    ///
    /// - Parameter open: Holds the request until it has ended, so that a signal can cancel it.
    private func ask(
        on connection: Connection, _ open: borrowing Mutex<Request?>
    ) async throws(DBusError) -> RequestClient.Answer {
        let client = await RequestClient(on: connection)
        let options = choice.vardict
        let method = choice.single ? PickMethod.openImage : .pickImages
        let title = title
        let parent = parent
        let (changes, change) = AsyncStream<Vardict>.makeStream()
        let request = Request {
            defer { change.finish() }
            do throws(DBusError) {
                return .success(
                    try await client.pick(
                        method, parentWindow: parent, title: title, options: options
                    ) { change.yield($0) })
            } catch {
                return .failure(error)
            }
        }
        open.withLock { $0 = request }
        for await selection in changes {
            do {
                try Output.writeChoice(selection)
            } catch {
                // Nobody reads the changes, and nobody will read the result.
                request.cancel()
            }
        }
        let result = await request.value
        open.withLock { $0 = nil }
        // Sends the queued Close of a cancelled request.
        await connection.close()
        return try result.get()
    }

    /// Names each photo that could not be delivered; returns whether there is one.
    private func report(_ results: Vardict) -> Bool {
        let failures = Delivery(results)?.failures ?? []
        for failure in failures {
            fail(failure.message)
        }
        return !failures.isEmpty
    }

    private func fail(_ message: String) {
        StandardError.print("portal-pick: \(message.printable)")
    }
}

extension DBusError {
    var isWrongUsage: Bool { name == .portalInvalidArgument }

    var textForPerson: String {
        switch name {
        case .serviceUnknown, .nameHasNoOwner:
            "the photo portal is not installed in this session"
        case .disconnected:
            "the connection to the session bus or to the photo portal was lost"
        case .portalInvalidArgument: PickFlag.naming(message)
        case .portalNotAllowed:
            message.replacing("call RequestAuthorization", with: "try 'portal-pick authorize'")
        default: message.isEmpty ? name.rawValue : message
        }
    }
}
