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
            They are fetched again when an app shows them again. Whatever else is in the folder stays, and \
            is named. Exit status: 0 success, 2 something is left, 64 invalid command line.
            """)

    @Flag(help: "Remove all pictures of all apps.")
    var clear = false

    func validate() throws {
        guard clear else { throw ValidationError("--clear is missing.") }
    }

    func run() async throws {
        do throws(Errno) {
            let left = try WebCache().clear()
            guard !left.isEmpty else { return }
            for item in left {
                let reason = item.error.map { "\($0)" } ?? "it is no part of the cache"
                ShellDecoders.fail("\(item.path): \(reason)")
            }
        } catch {
            ShellDecoders.fail("\(WebCache.standardFolder): \(error)")
        }
        throw ExitCode(ShellDecoders.failure)
    }
}
