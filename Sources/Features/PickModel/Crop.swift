// SPDX-License-Identifier: MIT

package import Photos

/// The page on which a photo is cropped.
package struct Crop: Hashable, Sendable {
    package let id: AssetID
    /// Nil until the size of the photo is known.
    package internal(set) var frame: CropFrame?
    /// The place of the photo among those that the app wants cropped, from 1, and their number; nil if
    /// the person asked for the page.
    package let step: Step?

    package struct Step: Hashable, Sendable {
        package let number: Int
        package let count: Int
    }
}

/// A change of the frame.
package enum CropChange: Hashable, Sendable {
    /// By pixels of the photo.
    case move(x: Int, y: Int)
    /// Moves an edge or a corner to a point of the photo.
    case drag(CropFrame.Handle, x: Int, y: Int)
    /// Makes the frame wider or higher, in pixels of the photo.
    case stretch(x: Int, y: Int)
    case grow(by: Double)
    /// By quarters, clockwise.
    case turn(Int)
    /// To an angle in hundredths of a degree, clockwise.
    case straighten(Int)
    /// Nil for any shape.
    case shape(PixelSize?)
    /// The shape of the photo, as it is turned.
    case shapeOfPhoto
    case reset
}
