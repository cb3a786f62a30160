// SPDX-License-Identifier: MIT

import ArgumentParser
import SystemPackage
import WebFetch

/// Empties the cache of pictures of the web.
struct Cache: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", _superCommandName: "portal-pick",
        abstract: "Empties the cache of pictures that apps have shown from the web.",
        discussion: """
            They are fetched again when an app shows them again. Exit status: 0 success, 2 failed, 64 \
            invalid command line.
            """)

    @Flag(help: "Remove all pictures of all apps.")
    var clear = false

    func validate() throws {
        guard clear else { throw ValidationError("--clear is missing.") }
    }

    func run() async throws {
        do throws(Errno) {
            try WebCache().clear()
        } catch {
            ShellDecoders.fail("\(WebCache.standardFolder): \(error)")
            throw ExitCode(ShellDecoders.failure)
        }
    }
}
