// SPDX-License-Identifier: MIT

/// The pictures of a burst that an app may get.
package struct Burst: Hashable, Sendable {
    /// The picture that lists show for all of them.
    package let shown: AssetID
    /// In the order in which they were taken; two or more.
    package let frames: PhotoList

    package init(shown: AssetID, frames: PhotoList) {
        self.shown = shown
        self.frames = frames
    }
}
