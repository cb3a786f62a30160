// SPDX-License-Identifier: MIT

import Foundation
import Photos
import Testing

@testable import PhotoLibrary

/// Which frames of a burst are shown.
@Suite struct BurstFrameTests {
    private static func frame(
        _ asset: Int64, date: Int64 = 0, name: String = "a", isPreferred: Bool = false,
        isAdjusted: Bool = false, isFree: Bool = true, folders: Set<Int64> = [1]
    ) -> BurstFrame {
        BurstFrame(
            asset: asset,
            order: BurstOrder(date: date, name: Data(name.utf8), fingerprint: Data([UInt8(asset)])),
            frameOf: nil, frames: 0, isPreferred: isPreferred, isAdjusted: isAdjusted,
            isFree: isFree && !isAdjusted, folders: folders)
    }

    private func hidden(_ frames: BurstFrame...) -> [Int64: Int64] {
        let hidden = BurstFrame.hidden(among: frames)
        // The order in which they were found does not matter.
        #expect(BurstFrame.hidden(among: frames.reversed()) == hidden)
        return hidden
    }

    @Test func `one is shown: the preferred, the earlier, or the one with the smaller number`() {
        #expect(hidden(Self.frame(1)) == [:])
        #expect(hidden(Self.frame(1, date: 5), Self.frame(2, date: 4)) == [1: 2])
        #expect(hidden(Self.frame(1, date: 4), Self.frame(2, date: 5, isPreferred: true)) == [1: 2])
        #expect(hidden(Self.frame(1, name: "b10"), Self.frame(2, name: "b9")) == [1: 2])
        #expect(
            hidden(Self.frame(1), Self.frame(2), Self.frame(3, isPreferred: true)) == [1: 3, 2: 3])
    }

    @Test func `a frame with an adjusted version is shown`() {
        #expect(hidden(Self.frame(1, isPreferred: true), Self.frame(2, isAdjusted: true)) == [1: 2])
        #expect(
            hidden(
                Self.frame(1, isAdjusted: true), Self.frame(2, isAdjusted: true), Self.frame(3))
                == [3: 1])
    }

    @Test func `a frame whose id somebody is told is shown, but for no others`() {
        #expect(hidden(Self.frame(1), Self.frame(2, isFree: false), Self.frame(3)) == [3: 1])
    }

    @Test func `no folder loses its only frame`() {
        #expect(hidden(Self.frame(1), Self.frame(2, folders: [2])) == [:])
        #expect(hidden(Self.frame(1), Self.frame(2, folders: [1, 2])) == [:])
        #expect(hidden(Self.frame(1, folders: [1, 2]), Self.frame(2)) == [2: 1])
        #expect(
            hidden(
                Self.frame(1), Self.frame(2, folders: [2]), Self.frame(3),
                Self.frame(4, folders: [2]))
                == [3: 1, 4: 2])
    }

    @Test func `pictures of one burst have one key, and the size is a part of it`() {
        func key(
            _ identifier: String?, _ name: String = "IMG_20240101_120000_BURST001.jpg",
            _ type: String = "image/jpeg", _ width: Int = 40, _ height: Int = 30
        ) -> String? {
            BurstKey.text(
                identifier: identifier, name: Data(name.utf8), mediaType: type,
                size: PixelSize(width: width, height: height))
        }
        #expect(key("A") == key("A", "other.jpg"))
        #expect(key("A") != key("B"))
        #expect(key("A") == key("A", "a", "image/heic", 30, 40))
        #expect(key("A") != key("A", "a", "image/jpeg", 20, 40))
        #expect(key(nil) == key(nil, "IMG_20240101_120000_BURST002.jpg"))
        #expect(key(nil) != key(nil, "IMG_20240101_120001_BURST001.jpg"))
        #expect(key("A", "a.mov", "video/quicktime") == nil)
        #expect(key(nil, "a.jpg") == nil)
        #expect(key("A", "a.jpg", "image/jpeg", 0, 0) == nil)
    }
}
