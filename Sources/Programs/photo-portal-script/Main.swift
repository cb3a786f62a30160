// SPDX-License-Identifier: MIT

import ArgumentParser
import Files
import Glibc
import PhotoLibrary
import Photos
import PortalBackend
import PortalInterface
import Processes
import SDBus
import SystemPackage
import Systemd

/// A backend without a window that answers requests from a script.
@main
struct PhotoPortalScript: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo-portal-script",
        abstract: "Answers photo requests from a script, without a window.",
        discussion: """
            For testing apps: requests for photos get an answer on a machine without a display. \
            Each line of the script answers one request; the last line also answers all requests \
            after it. # starts a comment. A line consists of steps, separated by semicolons:

              delay 250ms | 2s       wait
              pick newest 3          pick the newest photos; or: most, fewest
              pick ids ID…           pick photos from the library
              pick files URI…        pick files from outside the library
              pick preselected       pick the photos that the app preselected
              choose PHOTOS          choose photos, named as for pick, and tell an app that
                                     follows the choice
              hear                   wait until such an app removes photos from the choice, or
                                     changes how many it accepts
              pick chosen            pick what is chosen
              grant persistent | writable | location
                                     grant this for the photos that are picked next
              clip X Y WIDTH HEIGHT  crop the photos that are picked next
              turn DEGREES [ANGLE]   turn and straighten them, clockwise
              allow | allow limited  let an app use the library, or delete photos
              deny                   do not let it
              close                  close the window that shows the pictures of an app
              remove INDEX…          remove these of them before, counted from 0
              cancel                 answer as if the person had cancelled
              end                    answer that the request ended otherwise
              error TEXT             answer with an error
              die                    exit without an answer
              hang                   never answer

            Each request is printed on standard output as one line of JSON. A request that is \
            closed before it is answered is printed as {"closed":true}, \
            and what an app that follows the choice does as {"deselected":[ID…]} or \
            {"max_count":N,"min_count":N}.
            """,
        version: ProgramVersion.current)

    @Option(name: .shortAndLong, help: "A line of the script, in place of a file. May be repeated.")
    var answer: [String] = []

    @Option(help: ArgumentHelp("The bus name to own.", valueName: "name"))
    var name: String = PickerBackendInterface.defaultBusName.rawValue

    @Argument(help: "The file that contains the script.")
    var script: String?

    func validate() throws {
        guard BusName(name) != nil else { throw ValidationError("'\(name)' is not a bus name.") }
        guard answer.isEmpty != (script == nil) else {
            throw ValidationError("Give the answers either in a file or with --answer.")
        }
    }

    static func main() {
        let command = parseOrExit()
        MainThread.run {
            do {
                try await command.run()
                return 0
            } catch {
                return exitCode(for: error).rawValue
            }
        }
    }

    func run() async throws {
        do {
            try await serve(try readScript())
        } catch let error as ExitCode {
            throw error
        } catch let error as DBusError {
            StandardError.print("photo-portal-script: \(error.message)")
            throw ExitCode.failure
        } catch {
            StandardError.print("photo-portal-script: \(error)")
            throw ExitCode.failure
        }
    }

    private func readScript() throws -> Script {
        guard let script else { return try Script(answer.joined(separator: "\n")) }
        do {
            let file = try Descriptor.openForReading(FilePath(script))
            return try Script(String(decoding: try file.read(upTo: 1 << 20), as: UTF8.self))
        } catch {
            StandardError.print("photo-portal-script: \(script): \(error)")
            throw ExitCode.failure
        }
    }

    private func serve(_ script: Script) async throws {
        guard let name = BusName(name) else { return }
        let signals = await TerminationSignals.receive()
        let connection = try await Connection.open()
        let scripted = ScriptedBackend(script)
        let backend = try await PickerBackend(
            on: connection,
            pick: { (method, request, conversation) async throws(DBusError) in
                let (departure, leave) = AsyncStream<Void>.makeStream()
                let following = ScriptedChoice(conversation) { scripted.report($0) }
                let hearing = Task {
                    await conversation.hear { news in
                        if news == .left { leave.yield() } else { await following.hear(news) }
                        return true
                    }
                }
                defer { hearing.cancel() }
                return try await cancelling(when: departure) { () async throws(DBusError) in
                    try await scripted.answer(method, request, following)
                }
            },
            authorize: { (request, departure) async throws(DBusError) in
                try await cancelling(when: departure) { () async throws(DBusError) in
                    try await scripted.decide(request)
                }
            },
            delete: { (request, departure) async throws(DBusError) in
                try await cancelling(when: departure) { () async throws(DBusError) in
                    try await scripted.confirm(request)
                }
            },
            preview: { (call, departure) async throws(DBusError) in
                try await cancelling(when: departure) { () async throws(DBusError) in
                    try await scripted.show(call)
                }
            })
        guard try await connection.requestName(name) == .owner else {
            throw ValidationError("The bus name \(name) is already in use.")
        }
        ServiceState.ready.notify()
        await connection.onDisconnect { Glibc.exit(0) }
        for await _ in signals { break }
        await connection.close()
        withExtendedLifetime(backend) {}
    }

    /// Runs an answer, which ends early when the service has left.
    private func cancelling<Outcome: Sendable>(
        when departure: AsyncStream<Void>,
        _ body: @escaping @Sendable () async throws(DBusError) -> Outcome
    ) async throws(DBusError) -> Outcome {
        let work = Task { () async -> Result<Outcome, DBusError> in
            do throws(DBusError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        let leaving = Task { for await _ in departure { work.cancel() } }
        defer { leaving.cancel() }
        return try await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }.get()
    }
}
