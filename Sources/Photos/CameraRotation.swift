// SPDX-License-Identifier: MIT

/// How a camera's picture gets upright, whichever way the device is held.
package enum CameraRotation {
    /// The orientation of a photo, which is never mirrored.
    ///
    /// A device that is turned clockwise turns a back camera clockwise as well, and what it sees seems to turn the
    /// other way. A front camera looks back at the person, from where the device turns counterclockwise.
    /// Others stay where they are.
    ///
    /// - Parameters:
    ///   - mounting: ``Camera/mounting``.
    ///   - device: The quarter turns clockwise by which the device is held, as its screen is seen; any number.
    package static func photo(
        mounting: Int, device: Int, facing: CameraFacing
    ) -> Orientation {
        let mounted = Rotation(quarters: mounting)
        let turned = Rotation(quarters: device)
        let both =
            switch facing {
            case .back: mounted.turned(by: turned.quarters)
            case .front: mounted.turned(by: turned.inverse.quarters)
            case .other: mounted
            }
        return Orientation.upright.turned(by: both)
    }

    /// The orientation of the live picture: that of the photo, and mirrored if people see themselves in it.
    package static func preview(
        mounting: Int, device: Int, facing: CameraFacing
    ) -> Orientation {
        let photo = photo(mounting: mounting, device: device, facing: facing)
        return facing == .front ? photo.inMirror : photo
    }
}

extension Orientation {
    /// Upright, and then with left and right exchanged.
    package var inMirror: Orientation {
        switch self {
        case .upright: .mirrored
        case .mirrored: .upright
        case .turnedAround: .flipped
        case .flipped: .turnedAround
        case .transposed: .turnedRight
        case .turnedRight: .transposed
        case .transversed: .turnedLeft
        case .turnedLeft: .transversed
        }
    }
}
