// SPDX-License-Identifier: MIT

import Files
import Photos
import Pixels
import Synchronization
import TestSupport
import Testing
import Videos

@Suite(.serialized) struct PacketCheckStackTests {
    /// Where the stack was in the calls.
    private final class Depths: Sendable {
        let values = Mutex<[UInt]>([])

        func note() {
            var local = 0
            let place = withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
            values.withLock { $0.append(place) }
        }
    }

    /// A decoder serves many videos, one after the other.
    @Test func `the thousandth comparison needs no more stack than the first`() throws {
        let depths = Depths()
        PacketCheck.install { (_, _, _) throws(PixelError) in
            depths.note()
            return true
        }
        defer { VideoFile.prepare() }
        for _ in 0..<1000 {
            _ = try PictureFile.derive(
                try Fixtures.open("location/tags.mkv"), Derivation(removesLocation: true))
        }
        let places = depths.values.withLock { $0 }
        #expect(places.count == 1000)
        let (lowest, highest) = (places.min() ?? 0, places.max() ?? 0)
        #expect(highest - lowest < 4096)
    }
}
