// SPDX-License-Identifier: MIT

import Photos

/// What the program for cameras may take.
package enum CameraLimits {
    /// How long a camera may say nothing, in milliseconds.
    package static let silence: Int32 = 3000
    /// How long a camera may take to change its mode for a photo, in milliseconds.
    package static let modeChange: Int32 = 1000
    /// How long a camera may take to end a stream, before another one begins.
    package static let handover = Duration.seconds(1)
    /// The quality of photos.
    package static let quality = 95
    /// The most bytes of a photo.
    package static let mostPhotoBytes: Int64 = 128 << 20
    /// The longest side of a picture for the window.
    package static let longestSide = 8192
    /// The largest packet in bytes: a full list of cameras with the longest names.
    package static let packetSize = 160 << 10

    /// How long the program may take until it answers.
    static func patience(for request: CameraRequest) -> Duration {
        switch request {
        // It may have to start, with all its libraries.
        case .cameras: .seconds(10)
        // The camera, and once more the one before.
        case .open: .seconds(8)
        case .frame: .seconds(5)
        case .shoot: .seconds(10)
        case .set, .point: .seconds(3)
        }
    }

    /// The sizes of pictures that are asked for.
    static func allows(_ size: PixelSize) -> Bool {
        let sides = 1...longestSide
        return sides ~= size.width && sides ~= size.height
    }
}
