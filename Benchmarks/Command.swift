// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport

/// A shell command that processes files.
struct Command {
    let name: String
    /// `$1` is a file, or `$@` all of them; `$0` is the folder for the results.
    let line: String

    /// Runs a process for each file.
    ///
    /// - Returns: The total time in milliseconds, including the start of each process.
    func run(
        forEach files: some Collection<FilePath>, into folder: FilePath, cores: Int
    ) async throws -> Double {
        try await run(files, into: folder, cores, ["-n", "1", "-P", "\(cores)"])
    }

    /// Runs a process for each file, one after the other, each of which may use two cores.
    ///
    /// - Returns: The total time in milliseconds, including the start of each process.
    func run(
        oneByOne files: some Collection<FilePath>, into folder: FilePath
    ) async throws -> Double {
        try await run(files, into: folder, 2, ["-n", "1"])
    }

    /// Runs one process for all files.
    ///
    /// - Returns: The time in milliseconds, including the start of the process.
    func run(
        forAll files: some Collection<FilePath>, into folder: FilePath
    ) async throws -> Double {
        try await run(files, into: folder, 1, ["-x", "-n", "\(files.count)"])
    }

    private func run(
        _ files: some Collection<FilePath>, into folder: FilePath, _ cores: Int,
        _ options: [String]
    ) async throws -> Double {
        let home = try TestHome()
        try Directory.make(folder)
        let list = home.scratch.appending("list")
        try home.write(files.flatMap { Array($0.string.utf8) + [0] }, to: list)
        return try await milliseconds {
            let child = try ChildProcess(
                "taskset",
                ["-c", cores == 1 ? "0" : "0,1", "xargs", "-0"] + options
                    + ["sh", "-c", line, folder.string],
                environment: home.environment, scratch: home.scratch, input: list)
            guard try await child.exitStatus(within: .seconds(600)) == 0 else {
                throw NeverHappened(description: "\(name): \(child.errorText)")
            }
        }
    }
}
