// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The test bed itself.
@Suite(.serialized, .enabled(if: BedSupport.isAvailable, Comment(rawValue: BedSupport.skipReason)))
struct BedTests {
    /// The resources of the machine that a bed uses: control groups, mounts and processes.
    private static func traces() throws -> [String] {
        let groups = ["", "/unified", "/systemd"].flatMap { hierarchy in
            (try? FileManager.default.contentsOfDirectory(atPath: "/sys/fs/cgroup\(hierarchy)"))
                ?? []
        }.filter { $0.hasPrefix("photo-portal-bed") }.sorted()
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
            .split(separator: "\n").map(String.init)
        return groups + mounts
    }

    @Test func `a bed leaves nothing behind`() async throws {
        let before = try Self.traces()
        let bed = try await Bed.boot()
        #expect(try await bed.output("whoami; cat /proc/1/comm") == "person\nsystemd")
        #expect(try Self.traces() != before)
        try await bed.shutDown()
        #expect(try Self.traces() == before)
    }

    @Test func `files written in a bed are gone in the next one`() async throws {
        for _ in 0..<2 {
            let bed = try await Bed.boot()
            #expect(try await bed.output("ls; touch trace", as: .person) == "")
            try await bed.shutDown()
        }
    }
}
