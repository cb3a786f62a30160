// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage
import TestSupport

/// A row of the table: one of our figures and a peer's, measured in the same run.
struct Row: Encodable {
    let name: String
    let unit: String
    let ours: Double
    /// The peer's name; nil if there is none.
    var peer: String?
    var theirs: Double?
    /// How much better ours is; above 1 means better.
    var ratio: Double?

    /// Makes a row for a figure where less is better.
    static func lessIsBetter(
        _ name: String, unit: String, ours: Double, peer: String? = nil, theirs: Double? = nil
    ) -> Row {
        Row(
            name: name, unit: unit, ours: ours, peer: peer, theirs: theirs,
            ratio: quotient(theirs, ours))
    }

    /// Makes a row for a figure where more is better.
    static func moreIsBetter(
        _ name: String, unit: String, ours: Double, peer: String? = nil, theirs: Double? = nil
    ) -> Row {
        Row(
            name: name, unit: unit, ours: ours, peer: peer, theirs: theirs,
            ratio: quotient(ours, theirs))
    }
}

/// A ratio; nil if both results are zero.
private func quotient(_ above: Double?, _ below: Double?) -> Double? {
    guard let above, let below, below != 0 else { return nil }
    return above / below
}

/// The results of a run, and the machine they were measured on.
struct Results: Encodable {
    let date: String
    let cores: Int
    let rows: [Row]

    /// Writes `.bench/results.json`.
    func write(to folder: FilePath) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(
            atPath: folder.string, withIntermediateDirectories: true)
        try encoder.encode(self).write(
            to: URL(fileURLWithPath: folder.appending("results.json").string))
    }

    func print() {
        let head = ["what", "unit", "ours", "theirs", "ratio", "peer"]
        let table = [head] + rows.map(Self.cells)
        // Figures are right-aligned.
        let widths = head.indices.dropLast().map { column in
            table.map { $0[column].count }.max() ?? 0
        }
        for line in table {
            let padded = zip(line, widths).enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + blanks : blanks + cell.0
            }
            Swift.print((padded + line.suffix(1)).joined(separator: "  "))
        }
    }

    private static func cells(of row: Row) -> [String] {
        [
            row.name, row.unit, figure(row.ours), figure(row.theirs),
            row.ratio.map { figure($0) + "×" } ?? "", row.peer ?? "",
        ]
    }

    private static func figure(_ value: Double?) -> String {
        guard let value else { return "" }
        return String(format: abs(value) < 10 ? "%.2f" : abs(value) < 100 ? "%.1f" : "%.0f", value)
    }
}

/// The median of several measurements.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Measures how long an operation takes, in milliseconds.
func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) * 1000 + Double(attoseconds) / 1e15
}

/// The private memory of a process, in MiB.
func anonymousMemory(of process: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Double {
        text.split(separator: "\n").first { $0.hasPrefix(name) }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
            .flatMap { Double($0) } ?? 0
    }
    return field("RssAnon") / 1024
}

/// The processor time that a process has used, in seconds.
///
/// - Source: proc(5), `/proc/PID/stat`, fields `utime` and `stime`.
func processorTime(of process: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // The name of the program may contain spaces and parentheses.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
    else { return .nan }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
