// SPDX-License-Identifier: MIT

import Files
import ImageWork
import SystemPackage
import TestSupport

/// What it costs that each file for an app gets a decoder process that has seen no other file.
struct FreshProcesses {
    private static let rounds = 5
    private static let count = 40
    /// What it may cost, in milliseconds.
    private static let limit = 3.0

    func measure() async throws -> [Row] {
        let photos = try await Photographs.make(Self.count)
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        func probe(isFresh: Bool) async throws -> Double {
            let time = try await milliseconds {
                for photo in photos {
                    let file = try Descriptor.openForReading(photo)
                    if isFresh {
                        _ = try await pool.session().run(.probe, on: file)
                    } else {
                        _ = try await pool.run(.probe, on: file, priority: .visible)
                    }
                }
            }
            return time / Double(photos.count)
        }
        // Starts the process that is forked, and reads all headers once.
        _ = try await probe(isFresh: true)
        var costs: [Double] = []
        for _ in 0..<Self.rounds {
            let used = try await probe(isFresh: false)
            costs.append(try await probe(isFresh: true) - used)
        }
        return [
            .lessIsBetter(
                "a decoder process for one file, beyond the work on it", unit: "ms",
                ours: median(costs), peer: "the limit", theirs: Self.limit)
        ]
    }
}
