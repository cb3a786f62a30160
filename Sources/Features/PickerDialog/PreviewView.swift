// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// A picture that can be zoomed and moved.
@UIActor
final class PreviewView {
    let canvas = Canvas()
    private let picture = GtkKit.Picture(isStretched: true)
    private(set) var viewport = Viewport(of: PixelSize(width: 1, height: 1))
    /// Returns the size of the window in layout pixels.
    var windowSize: @UIActor () -> (width: Int, height: Int) = { (1, 1) }
    /// Called when the picture is shown in another size.
    var onScale: @UIActor () -> Void = {}
    /// How far a drag has moved the picture.
    private var dragged = Viewport.Point(x: 0, y: 0)
    private var shownSide = 0
    /// Whether the size of the photo is known, and not only its shape.
    private var isMeasured = false

    init() {
        canvas.add(picture)
        canvas.clipContent()
        canvas.isFocusable = true
        canvas.setClass("preview-canvas")
        picture.isVisible = false
        canvas.allocate = { [weak self] width, height in
            guard let self else { return }
            viewport.resize(
                width: Double(width), height: Double(height), density: Double(canvas.scaleFactor))
            place()
        }
        canvas.onScroll { [weak self] scroll, x, y in self?.scroll(scroll, x, y) }
        canvas.onPinch { [weak self] factor, x, y in
            self?.change { $0.zoom(by: factor, at: Viewport.Point(x: x, y: y)) }
        }
        canvas.onDoublePress { [weak self] x, y in
            self?.change { $0.toggle(at: Viewport.Point(x: x, y: y)) }
        }
        canvas.onDrag(
            begin: { [weak self] _, _ in self?.dragged = Viewport.Point(x: 0, y: 0) },
            move: { [weak self] x, y in self?.drag(x, y) })
    }

    var hasPicture: Bool { picture.texture != nil }

    /// The size of the view in device pixels; that of the window before the view is laid out.
    var deviceSize: PixelSize {
        let size = canvas.size.width > 0 ? canvas.size : windowSize()
        return PixelSize(
            width: max(1, size.width * canvas.scaleFactor),
            height: max(1, size.height * canvas.scaleFactor))
    }

    /// The longest side in which frames are shown, in device pixels, but no more than can be moved
    /// quickly.
    var playingSide: Int { min(max(viewport.shownSide, 1), Self.mostPlayed) }

    /// The longest side of a frame.
    private static let mostPlayed = 1280

    /// Shows another photo as a whole; nil for none yet.
    ///
    /// - Parameter isMeasured: Whether it has this size, and not only this shape.
    func show(_ texture: Texture?, of size: PixelSize, isMeasured: Bool = false) {
        self.isMeasured = isMeasured
        viewport = Viewport(of: size)
        picture.texture = texture
        picture.isVisible = texture != nil
        shownSide = 0
        canvas.queueAllocate()
    }

    /// Shows a sharper picture of the same photo.
    func sharpen(_ texture: Texture) {
        picture.texture = texture
        picture.isVisible = true
        canvas.queueAllocate()
    }

    /// Shows a frame of the same photo in the place of its picture.
    func show(frame: Texture) {
        picture.texture = frame
        picture.isVisible = true
    }

    /// Sets the size of the photo; what is on the screen stays there.
    func measure(_ size: PixelSize) {
        isMeasured = true
        viewport.setPicture(size)
        canvas.queueAllocate()
    }

    /// Zooms or moves the picture.
    func change(_ change: (inout Viewport) -> Void) {
        // Nobody can say yet how large its pixels are.
        guard hasPicture, isMeasured else { return }
        change(&viewport)
        canvas.queueAllocate()
    }

    private func scroll(_ scroll: Scroll, _ x: Double, _ y: Double) {
        switch scroll {
        case .wheel(let notches):
            change { viewport in
                var factor = 1.0
                // No person turns the wheel further in one event.
                for _ in 0..<Int(min(notches.magnitude, 10).rounded(.up)) {
                    factor *= Viewport.step
                }
                viewport.zoom(
                    by: notches > 0 ? 1 / factor : factor, at: Viewport.Point(x: x, y: y))
            }
        case .surface(let x, let y): change { $0.move(x: -x, y: -y) }
        }
    }

    private func drag(_ x: Double, _ y: Double) {
        change { $0.move(x: x - dragged.x, y: y - dragged.y) }
        dragged = Viewport.Point(x: x, y: y)
    }

    private func place() {
        let frame = viewport.frame
        let left = frame.x.rounded()
        let top = frame.y.rounded()
        // Whatever its place, the size is the same, or a photo in its own pixels would be blurred.
        canvas.place(
            picture, x: Int(left), y: Int(top), width: max(1, Int(frame.width.rounded())),
            height: max(1, Int(frame.height.rounded())))
        guard viewport.shownSide != shownSide else { return }
        shownSide = viewport.shownSide
        onScale()
    }
}
