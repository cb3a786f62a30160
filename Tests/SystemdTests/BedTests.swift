// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage
import TestSupport
import Testing

/// The test bed itself.
@Suite(.serialized, .enabled(if: BedSupport.isAvailable, Comment(rawValue: BedSupport.skipReason)))
struct BedTests {
    @Test func `a bed leaves nothing behind`() async throws {
        let bed = try await Bed.boot()
        #expect(try await bed.output("whoami; cat /proc/1/comm") == "person\nsystemd")
        let groups = bed.resources.filter { $0.starts(with: "/sys/fs/cgroup") }
        #expect(!groups.isEmpty)
        for group in groups {
            #expect(FileManager.default.fileExists(atPath: group.string), "\(group)")
        }
        try await bed.shutDown()
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        for resource in bed.resources {
            #expect(!FileManager.default.fileExists(atPath: resource.string), "\(resource)")
            #expect(!mounts.contains(resource.string), "\(resource)")
        }
    }

    @Test func `files written in a bed are gone in the next one`() async throws {
        for _ in 0..<2 {
            let bed = try await Bed.boot()
            #expect(try await bed.output("ls; touch trace", as: .person) == "")
            try await bed.shutDown()
        }
    }
}
