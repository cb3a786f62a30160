// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SystemPackage

/// The processor time that processes use, which other work of the machine does not change.
///
/// - Source: proc(5), `/proc/PID/stat` and `/proc/PID/task/TID/children`.
package enum ProcessorTime {
    /// The time that all children of this process have used, those that have ended included.
    package static func ofChildren() -> Duration {
        var ticks = numbers(at: 13, of: "self")
        for task in names(in: "/proc/self/task") {
            let children = text("/proc/self/task/\(task)/children").split(separator: " ")
            for child in children { ticks += numbers(at: 11, of: String(child)) }
        }
        return .seconds(ticks) / sysconf(Int32(_SC_CLK_TCK))
    }

    /// The sum of two neighbouring fields, counted from the one after the program's name.
    private static func numbers(at index: Int, of process: String) -> Int {
        // The name may contain spaces and parentheses.
        let fields = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ")
        return (fields ?? []).dropFirst(index).prefix(2).compactMap { Int($0) }.reduce(0, +)
    }

    private static func text(_ path: String) -> String {
        // A process that has ended has no files, and the time of a child is then our own.
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
