// SPDX-License-Identifier: MIT

import Foundation

/// The largest memory of a program with all its child processes, in MiB, while something is done.
///
/// Each page counts once, divided among the processes that share it (PSS), and is looked at all the
/// time: the peaks of processes that do not have them at the same time do not add up.
///
/// - Source: proc(5), `smaps_rollup`.
func peakMemory<Result>(
    of process: Int32, during body: () async throws -> Result
) async throws -> (Result, Double) {
    try await peak(of: { memory(of: process) }, during: body)
}

/// The largest value of a quantity while something is done.
func peak<Result>(
    of quantity: @escaping @Sendable () -> Double, during body: () async throws -> Result
) async throws -> (Result, Double) {
    let sampler = Task {
        var peak = 0.0
        while !Task.isCancelled {
            peak = max(peak, quantity())
            // Fails when it is cancelled.
            try? await Task.sleep(for: .milliseconds(10))
        }
        return peak
    }
    defer { sampler.cancel() }
    let result = try await body()
    sampler.cancel()
    return (result, await sampler.value)
}

private func memory(of process: Int32) -> Double {
    let folder = "/proc/\(process)"
    let text = (try? String(contentsOfFile: "\(folder)/smaps_rollup", encoding: .utf8)) ?? ""
    let own =
        text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) } ?? 0
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")) ?? []
    let children = tasks.flatMap { task in
        (try? String(contentsOfFile: "\(folder)/task/\(task)/children", encoding: .utf8))?
            .split(separator: " ").compactMap { Int32($0) } ?? []
    }
    return own / 1024 + children.map { memory(of: $0) }.reduce(0, +)
}
