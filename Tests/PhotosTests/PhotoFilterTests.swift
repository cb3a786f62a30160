// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct PhotoFilterTests {
    private static let picture = PhotoFacts(
        size: PixelSize(width: 800, height: 600), byteCount: 5000, date: 1000, isFavorite: false,
        milliseconds: nil)
    private static let video = PhotoFacts(
        size: nil, byteCount: 5000, date: 1000, isFavorite: true, milliseconds: 5500)

    private func broken(
        by facts: PhotoFacts, _ change: (inout PhotoFilter) -> Void
    ) -> PhotoFilter.Rule? {
        var filter = PhotoFilter()
        change(&filter)
        return filter.broken(by: facts)
    }

    @Test func `without rules everything fits`() {
        #expect(PhotoFilter().isEmpty)
        #expect(broken(by: Self.picture) { _ in } == nil)
        #expect(broken(by: Self.video) { _ in } == nil)
    }

    @Test func `a picture has the least size, or more`() {
        #expect(broken(by: Self.picture) { $0.minimumWidth = 800 } == nil)
        #expect(broken(by: Self.picture) { $0.minimumWidth = 801 } == .minimumWidth)
        #expect(broken(by: Self.picture) { $0.minimumHeight = 600 } == nil)
        #expect(broken(by: Self.picture) { $0.minimumHeight = 601 } == .minimumHeight)
        #expect(broken(by: Self.video) { $0.minimumWidth = 1 } == .minimumWidth)
    }

    @Test func `a file has the largest size, or less`() {
        #expect(broken(by: Self.picture) { $0.maximumByteCount = 5000 } == nil)
        #expect(broken(by: Self.picture) { $0.maximumByteCount = 4999 } == .maximumByteCount)
    }

    @Test func `dates are later, or earlier, and not the same`() {
        #expect(broken(by: Self.picture) { $0.newerThan = 999 } == nil)
        #expect(broken(by: Self.picture) { $0.newerThan = 1000 } == .newerThan)
        #expect(broken(by: Self.picture) { $0.olderThan = 1001 } == nil)
        #expect(broken(by: Self.picture) { $0.olderThan = 1000 } == .olderThan)
    }

    @Test func `only favorites fit if the app wants favorites`() {
        #expect(broken(by: Self.picture) { $0.isFavorite = true } == .favorites)
        #expect(broken(by: Self.video) { $0.isFavorite = true } == nil)
    }

    @Test func `durations concern videos alone`() {
        #expect(broken(by: Self.picture) { $0.minimumDuration = 5 } == nil)
        #expect(broken(by: Self.video) { $0.minimumDuration = 5 } == nil)
        #expect(broken(by: Self.video) { $0.minimumDuration = 6 } == .minimumDuration)
        #expect(broken(by: Self.video) { $0.maximumDuration = 6 } == nil)
        #expect(broken(by: Self.video) { $0.maximumDuration = 5 } == .maximumDuration)
        #expect(broken(by: Self.video) { $0.maximumDuration = Int(UInt32.max) } == nil)
    }
}
