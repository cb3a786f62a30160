// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Files
import FoundationEssentials
import PortalClient
import PortalInterface
import SDBus
import SystemPackage

/// Shows files in a window.
struct Preview: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", _superCommandName: "portal-pick",
        abstract: "Shows photos and videos in a window, one at a time.",
        discussion: """
            Waits until you close the window, and prints the files that are still in the list then, as \
            you named them: all of them, unless --allow-remove lets you remove some. No file is \
            deleted. Exit status: 0 success, 1 cancelled or standard output is closed, 2 failed, 64 \
            invalid command line.
            """)

    @Argument(help: ArgumentHelp("The photos and videos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    @Option(
        help: ArgumentHelp("The position of the one that is shown first, from 1.", valueName: "N"))
    var index: UInt32 = 1

    @Flag(help: "Let yourself remove files from the list.")
    var allowRemove = false

    @Option(help: "The title of the window.")
    var title: String = ""

    @Option(
        help: ArgumentHelp("The parent window: x11:XID or wayland:HANDLE.", valueName: "window"))
    var parent: String = ""

    @Option(
        help: "How files are written: path, uri, json, or null (paths that end in a zero byte).")
    var format: PortalPick.Format = .path

    func validate() throws {
        guard (1...files.count).contains(Int(index)) else {
            throw ValidationError(
                "--index is a number from 1 to that of the files, \(files.count).")
        }
    }

    func run() async throws {
        let uris = try files.map { try uri(of: $0) }
        var options: Vardict = ["index": (index - 1).variant]
        if allowRemove { options["allow_remove"] = true.variant }
        let answer = try await LibraryCommand.run { connection throws(DBusError) in
            try await RequestClient(on: connection).preview(
                uris.map { ["uri": $0.variant] }, parentWindow: parent, title: title,
                options: options)
        }
        switch answer.code {
        case .success: break
        case .cancelled: throw ExitCode(1)
        case .ended:
            ShellDecoders.fail(
                answer.results.value("message") ?? "the files could not be shown")
            throw ExitCode(ShellDecoders.failure)
        }
        let remaining = (answer.results.value("remaining", as: [UInt32].self) ?? [])
            .map(Int.init).filter(files.indices.contains)
        try StandardOutput.write(try output(remaining, uris, answer.results))
    }

    /// The URI of a file that can be opened.
    private func uri(of file: FileArgument) throws -> String {
        let path = file.path.absolute
        do throws(Errno) {
            _ = try Descriptor.openForReading(path)
        } catch {
            ShellDecoders.fail("\(file.path): \(error)")
            throw ExitCode(ShellDecoders.failure)
        }
        guard let uri = FileURI.make(path) else {
            ShellDecoders.fail("\(file.path): it has no URI")
            throw ExitCode(ShellDecoders.failure)
        }
        return uri
    }

    /// - Parameter remaining: Indices of ``files``.
    private func output(
        _ remaining: [Int], _ uris: [String], _ results: Vardict
    ) throws -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        switch format {
        case .path: return remaining.flatMap { files[$0].path.bytes + [newline] }
        case .null: return remaining.flatMap { files[$0].path.bytes + [0] }
        case .uri: return remaining.flatMap { uris[$0].utf8 + [newline] }
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            var results = results
            results["uris"] = remaining.map { uris[$0] }.variant
            return [UInt8](try encoder.encode(results)) + [newline]
        }
    }
}
