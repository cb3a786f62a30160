// SPDX-License-Identifier: MIT

package import Photos

/// Where a view shows a picture, and how large.
///
/// Lengths in the view are layout pixels; x grows to the right in every language, because photos are
/// never mirrored.
package struct Viewport: Hashable, Sendable {
    /// A point of the view or of the picture.
    package struct Point: Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The place of the picture in the view; larger than the view if it is zoomed.
    package struct Frame: Hashable, Sendable {
        package let x: Double
        package let y: Double
        package let width: Double
        package let height: Double
    }

    /// The upright picture in its own pixels.
    package private(set) var picture: PixelSize
    private var view = Point(x: 1, y: 1)
    /// Device pixels per layout pixel.
    private var density = 1.0
    /// Whether a picture that is smaller than the view fills it.
    private var enlarges = false
    /// Layout pixels per pixel of the picture; nil to fit the picture into the view.
    private var zoom: Double?
    /// The point of the picture in the middle of the view.
    private var centre: Point

    /// A step of the mouse wheel or of a key.
    package static let step = 1.25
    /// The most device pixels for the side of a pixel of the picture.
    private static let largestPixel = 8.0

    /// Fits a picture into a view of unknown size.
    ///
    /// - Parameter enlarges: Whether a small picture is enlarged for that.
    package init(of picture: PixelSize, enlarges: Bool = false) {
        self.picture = picture
        self.enlarges = enlarges
        centre = Point(x: Double(picture.width) / 2, y: Double(picture.height) / 2)
    }

    // MARK: - Sizes

    /// Whether the whole picture is in view.
    package var isFitting: Bool { zoom == nil }

    /// Layout pixels per pixel of the picture.
    package var scale: Double { zoom ?? fit }

    /// The scale at which the whole picture is in view.
    private var fit: Double {
        let full = min(view.x / side(picture.width), view.y / side(picture.height))
        return enlarges ? min(full, Self.largestPixel * actual) : min(full, actual)
    }

    /// The scale at which a pixel of the picture is a pixel of the screen.
    private var actual: Double { 1 / density }

    private var largest: Double { max(Self.largestPixel * actual, fit) }

    private func side(_ pixels: Int) -> Double { Double(max(pixels, 1)) }

    /// The longer side of the picture as it is shown, in device pixels.
    package var shownSide: Int {
        let side = Double(max(picture.width, picture.height, 1)) * scale * density
        return Int(min(side.rounded(.up), Double(Int32.max)))
    }

    /// The place of the picture, at least one layout pixel wide and high.
    package var frame: Frame {
        let middle = clamped(centre)
        return Frame(
            x: view.x / 2 - middle.x * scale, y: view.y / 2 - middle.y * scale,
            width: max(1, side(picture.width) * scale), height: max(1, side(picture.height) * scale)
        )
    }

    // MARK: - Changes

    /// Adapts to the size of the view; the middle stays in the middle.
    package mutating func resize(width: Double, height: Double, density: Double) {
        view = Point(x: max(width, 1), y: max(height, 1))
        self.density = max(density, 1)
        set(zoom)
    }

    /// Replaces the size of the picture, of which only the shape was known.
    package mutating func setPicture(_ size: PixelSize) {
        guard size != picture, !size.isEmpty else { return }
        let factor = side(size.width) / side(picture.width)
        centre = Point(x: centre.x * factor, y: centre.y * factor)
        picture = size
        set(zoom.map { $0 / factor })
    }

    /// Makes the picture larger or smaller; a point of the view keeps what it shows.
    package mutating func zoom(by factor: Double, at point: Point? = nil) {
        let point = point ?? Point(x: view.x / 2, y: view.y / 2)
        let target = self.point(at: point)
        set(scale * factor)
        centre = clamped(
            Point(
                x: target.x - (point.x - view.x / 2) / scale,
                y: target.y - (point.y - view.y / 2) / scale))
    }

    /// Changes between the whole picture and its own size, with a point where it is.
    ///
    /// A picture that fits in its own size becomes twice as large.
    package mutating func toggle(at point: Point? = nil) {
        guard isFitting else { return showWhole() }
        zoom(by: (fit < actual * 0.99 ? actual : 2 * actual) / fit, at: point)
    }

    /// Shows each pixel of the picture as a pixel of the screen.
    package mutating func showPixels() { zoom(by: actual / scale) }

    /// Shows the whole picture.
    package mutating func showWhole() {
        zoom = nil
        centre = clamped(centre)
    }

    /// Moves the picture by layout pixels.
    package mutating func move(x: Double, y: Double) {
        let middle = clamped(centre)
        centre = clamped(Point(x: middle.x - x / scale, y: middle.y - y / scale))
    }

    /// The point of the picture at a point of the view.
    package func point(at point: Point) -> Point {
        let frame = frame
        return Point(x: (point.x - frame.x) / scale, y: (point.y - frame.y) / scale)
    }

    private mutating func set(_ zoom: Double?) {
        // As if it snapped in.
        self.zoom = zoom.flatMap { $0 <= fit * 1.01 ? nil : min($0, largest) }
        centre = clamped(centre)
    }

    /// The nearest middle at which the view has no more empty room than it must have.
    private func clamped(_ point: Point) -> Point {
        func clamp(_ value: Double, _ picture: Int, _ view: Double) -> Double {
            let length = side(picture)
            let half = view / 2 / scale
            return half >= length / 2 ? length / 2 : min(max(value, half), length - half)
        }
        return Point(
            x: clamp(point.x, picture.width, view.x), y: clamp(point.y, picture.height, view.y))
    }
}
