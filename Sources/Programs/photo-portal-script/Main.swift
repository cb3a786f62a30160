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

/// A backend without a window: answers requests by a script.
@main
struct PhotoPortalScript: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo-portal-script",
        abstract: "Answers photo requests by a script, without a window.",
        discussion: """
            For tests: an app that asks for photos gets an answer on a machine without a \
            display. Each line of the script answers one request, and the last line all further \
            ones; # begins a comment. A line is made of steps between semicolons:

              delay 250ms | 2s       wait
              pick newest 3          pick the newest photos; also: most, fewest
              pick ids ID…           pick photos of the library
              pick files URI…        pick files from elsewhere
              pick preselected       pick what the app had preselected
              grant persistent | writable | location
                                     grant this with what is picked next
              allow | allow limited  let an app use the library
              deny                   do not
              cancel                 as if the person cancelled
              end                    end in another way
              error TEXT             fail
              die                    end this program without an answer
              hang                   never answer

            What is asked is printed on standard output, a line of JSON for each request; and \
            {"closed":true} when a request is closed before it is answered.
            """,
        version: "0.1.0")

    @Option(name: .shortAndLong, help: "The script itself, instead of a file.")
    var answer: [String] = []

    @Option(help: ArgumentHelp("The bus name to own.", valueName: "name"))
    var name: String = PickerBackendInterface.defaultBusName.rawValue

    @Argument(help: "A file with the script.")
    var script: String?

    func validate() throws {
        guard BusName(name) != nil else { throw ValidationError("'\(name)' is not a bus name.") }
        guard answer.isEmpty != (script == nil) else {
            throw ValidationError("Give either a file or --answer.")
        }
    }

    static func main() {
        let command = parseOrExit()
        MainThread.run {
            do {
                try await command.run()
                return 0
            } catch {
                exit(withError: error)
            }
        }
    }

    func run() async throws {
        do {
            let script = try Script(try text())
            try await serve(script)
        } catch let error as ExitCode {
            throw error
        } catch {
            StandardError.print("photo-portal-script: \(error)")
            throw ExitCode.failure
        }
    }

    private func text() throws -> String {
        guard let script else { return answer.joined(separator: "\n") }
        let file = try Descriptor.openForReading(FilePath(script))
        return String(decoding: try file.read(upTo: 1 << 20), as: UTF8.self)
    }

    private func serve(_ script: Script) async throws {
        guard let name = BusName(name) else { return }
        let signals = await TerminationSignals.receive()
        let connection = try await Connection.open()
        let scripted = ScriptedBackend(script, library: LibraryLocation.database)
        let backend = try await PickerBackend(
            on: connection,
            pick: { (method, request) async throws(DBusError) in
                try await scripted.answer(method, request)
            },
            authorize: { (request) async throws(DBusError) in
                try await scripted.decide(request)
            })
        guard try await connection.requestName(name) == .owner else {
            throw ValidationError("\(name) has an owner already.")
        }
        ServiceState.ready.notify()
        await connection.onDisconnect { Glibc.exit(0) }
        for await _ in signals { break }
        await connection.close()
        withExtendedLifetime(backend) {}
    }
}
