// SPDX-License-Identifier: MIT

import Foundation
import Processes
import SystemPackage
import TestSupport

/// Measures, prints a table, and writes `.bench/results.json`.
@main
enum Main {
    static func main() async throws {
        let wanted = CommandLine.arguments.dropFirst()
        var rows: [Row] = []
        var hasFailed = false
        for (name, measure) in benchmarks where wanted.isEmpty || wanted.contains(name) {
            StandardError.print("Measuring: \(name)")
            do {
                rows.append(contentsOf: try await measure())
            } catch {
                // Keep the other measurements.
                StandardError.print("\(name) failed: \(error)")
                hasFailed = true
            }
        }
        let results = Results(
            date: ISO8601DateFormatter().string(from: Date()),
            cores: ProcessInfo.processInfo.processorCount, rows: rows)
        results.print()
        try results.write(to: Programs.source.appending(".bench"))
        if hasFailed { exit(1) }
    }

    private static let benchmarks: [(String, @Sendable () async throws -> [Row])] = [
        ("index", { try await FirstIndex().measure() }),
        ("index-peers", { try await IndexPeers().measure() }),
        ("window", { try await HugeLibrary().measure() }),
        ("library", { try await LargeLibrary().measure() }),
        ("sharp", { try await SharpPreview().measure() }),
        ("search", { try await Searches().measure() }),
        ("suggestions", { try await Suggestions().measure() }),
        ("pages", { try await Pages().measure() }),
        ("changes", { try await Changes().measure() }),
        ("stuck-disk", { try await StuckDisk().measure() }),
        ("activation", { try await Activation().measure() }),
        ("thumbnails", { try await Thumbnails().measure() }),
        ("previews", { try await Previews().measure() }),
        ("processes", { try await FreshProcesses().measure() }),
        ("wallpapers", { try await Wallpapers().measure() }),
        ("stages", { try await Stages().measure() }),
        ("metadata", { try await Metadata().measure() }),
        ("derived", { try await Derived().measure() }),
        ("round-trip", { try await RoundTrip().measure() }),
        ("deliveries", { try await Deliveries().measure() }),
        ("camera", { try await Cameras().measure() }),
        ("floods", { try await Floods().measure() }),
    ]
}
