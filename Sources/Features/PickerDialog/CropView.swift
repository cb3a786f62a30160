// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// A photo that stands still, as the person turned it, under a frame that is moved and sized by its handles.
@UIActor
final class CropView {
    let canvas = Canvas()
    private let picture = GtkKit.Picture(isStretched: true)
    /// Outside the frame: above, below, left and right of it.
    private let shades = (0..<4).map { _ in CropView.part("crop-shade") }
    private let border = CropView.part("crop-border")
    /// Inside the frame: the corners outside the circle, if the app wants one.
    private let corners = Box(isVertical: false)
    /// Two lines across and two down.
    private let thirds = (0..<4).map { _ in CropView.part("crop-third") }
    private let handles = CropFrame.Handle.all.map { ($0, CropView.part("crop-handle")) }
    private var viewport = Viewport(of: PixelSize(width: 1, height: 1))
    private var frame: CropFrame?
    /// The drag in progress.
    private var drag: Drag?

    var onChange: @UIActor (CropChange) -> Void = { _ in }
    /// Whether only the circle inside the frame is clear.
    var isRound = false

    private struct Drag {
        /// Nil to move the frame.
        let handle: CropFrame.Handle?
        /// The frame when the drag began.
        let frame: CropFrame
    }

    /// The room around the photo, in layout pixels, so that its edges can be taken hold of.
    private static let margin = 24
    /// How far from an edge of the frame a press still takes hold of it, in layout pixels.
    private static let reach = 20.0
    private static let handleSide = 12

    init() {
        canvas.clipContent()
        canvas.isFocusable = true
        canvas.setClass("preview-canvas")
        let circle = CropView.part("crop-circle")
        corners.append(circle, expands: true)
        corners.clipContent()
        for part in [picture] + shades + thirds + [corners, border] + handles.map(\.1) {
            canvas.add(part)
        }
        show(nil)
        canvas.allocate = { [weak self] width, height in self?.place(width, height) }
        canvas.onDrag(
            begin: { [weak self] x, y in self?.beginDrag(x, y) },
            move: { [weak self] x, y in self?.moveDrag(x, y) },
            end: { [weak self] in self?.drag = nil })
    }

    private static func part(_ style: String) -> Box {
        let box = Box(isVertical: true)
        box.setClass(style)
        return box
    }

    /// Shows a photo, whose size the frame names; nil for none yet.
    func setPicture(_ texture: Texture?) {
        picture.texture = texture
        picture.isVisible = texture != nil
    }

    /// Shows the frame; nil for none yet.
    func show(_ frame: CropFrame?) {
        // What was taken hold of is somewhere else.
        if frame?.rotation.quarters != self.frame?.rotation.quarters { drag = nil }
        self.frame = frame
        for part in shades + thirds + [border] + handles.map(\.1) { part.isVisible = frame != nil }
        corners.isVisible = frame != nil && isRound
        picture.isVisible = frame != nil && picture.texture != nil
        if let frame { viewport = Viewport(of: frame.picture, enlarges: true) }
        canvas.queueAllocate()
    }

    // MARK: - Layout

    /// The place of the frame's edges in the view, in layout pixels.
    private func edges(_ area: PixelRectangle) -> (
        left: Double, top: Double, right: Double, bottom: Double
    ) {
        let origin = viewport.frame
        let margin = Double(Self.margin)
        func x(_ column: Int) -> Double { margin + origin.x + Double(column) * viewport.scale }
        func y(_ row: Int) -> Double { margin + origin.y + Double(row) * viewport.scale }
        return (x(area.x), y(area.y), x(area.x + area.width), y(area.y + area.height))
    }

    private func place(_ width: Int, _ height: Int) {
        guard let frame else { return }
        viewport.resize(
            width: Double(max(1, width - 2 * Self.margin)),
            height: Double(max(1, height - 2 * Self.margin)), density: Double(canvas.scaleFactor))
        let whole = rounded(edges(PixelRectangle(frame.picture)))
        let inner = rounded(edges(frame.area))
        placePicture(whole, frame.rotation)
        // Of a photo that leans, something may be everywhere.
        let outer: Edges = frame.rotation.hundredths == 0 ? whole : (0, 0, width, height)
        place(shades[0], (outer.left, outer.top, outer.right, inner.top))
        place(shades[1], (outer.left, inner.bottom, outer.right, outer.bottom))
        place(shades[2], (outer.left, inner.top, inner.left, inner.bottom))
        place(shades[3], (inner.right, inner.top, outer.right, inner.bottom))
        place(border, inner)
        place(corners, inner)
        for (index, third) in thirds.enumerated() {
            let part = index % 2 + 1
            let x = inner.left + (inner.right - inner.left) * part / 3
            let y = inner.top + (inner.bottom - inner.top) * part / 3
            place(
                third,
                index < 2
                    ? (inner.left, y, inner.right, y + 1) : (x, inner.top, x + 1, inner.bottom))
        }
        for (handle, part) in handles {
            let x = middle(handle.horizontal, inner.left, inner.right)
            let y = middle(handle.vertical, inner.top, inner.bottom)
            let half = Self.handleSide / 2
            place(part, (x - half, y - half, x + half, y + half))
        }
    }

    /// - Parameter whole: The place of the photo after the quarter turns.
    private func placePicture(_ whole: Edges, _ rotation: Rotation) {
        guard rotation != .none else { return place(picture, whole) }
        let (width, height) = (whole.right - whole.left, whole.bottom - whole.top)
        let isOnSide = rotation.swapsSides
        canvas.place(
            picture, around: Double(whole.left + whole.right) / 2,
            Double(whole.top + whole.bottom) / 2, width: max(1, isOnSide ? height : width),
            height: max(1, isOnSide ? width : height),
            degrees: Double(rotation.turn) + rotation.degrees)
    }

    private typealias Edges = (left: Int, top: Int, right: Int, bottom: Int)

    private func rounded(
        _ edges: (left: Double, top: Double, right: Double, bottom: Double)
    ) -> Edges {
        (
            Int(edges.left.rounded()), Int(edges.top.rounded()), Int(edges.right.rounded()),
            Int(edges.bottom.rounded())
        )
    }

    private func middle(_ side: Int, _ low: Int, _ high: Int) -> Int {
        side < 0 ? low : side > 0 ? high : (low + high) / 2
    }

    /// A part without room is not visible.
    private func place(_ part: Widget, _ edges: Edges) {
        let (width, height) = (edges.right - edges.left, edges.bottom - edges.top)
        part.setClass("gone", width <= 0 || height <= 0)
        canvas.place(
            part, x: edges.left, y: edges.top, width: max(width, 1), height: max(height, 1))
    }

    // MARK: - Dragging

    private func beginDrag(_ x: Double, _ y: Double) {
        guard let frame else { return }
        let edges = edges(frame.area)
        let handle = CropFrame.Handle(
            horizontal: Self.side(x, edges.left, edges.right),
            vertical: Self.side(y, edges.top, edges.bottom))
        let isNear =
            x > edges.left - Self.reach && x < edges.right + Self.reach
            && y > edges.top - Self.reach && y < edges.bottom + Self.reach
        guard isNear else { return }
        drag = Drag(handle: handle, frame: frame)
    }

    /// Which edge a press takes hold of: -1 for the lower one, 1 for the higher one, 0 for none.
    private static func side(_ value: Double, _ low: Double, _ high: Double) -> Int {
        // In a small frame the middle third moves it.
        let reach = min(reach, (high - low) / 3)
        if value < low + reach { return -1 }
        return value > high - reach ? 1 : 0
    }

    private func moveDrag(_ x: Double, _ y: Double) {
        guard let drag, let frame else { return }
        let scale = viewport.scale
        guard let handle = drag.handle else {
            let target = (
                x: drag.frame.area.x + Int((x / scale).rounded()),
                y: drag.frame.area.y + Int((y / scale).rounded())
            )
            return onChange(.move(x: target.x - frame.area.x, y: target.y - frame.area.y))
        }
        let area = drag.frame.area
        onChange(
            .drag(
                handle,
                x: (handle.horizontal > 0 ? area.x + area.width : area.x)
                    + Int((x / scale).rounded()),
                y: (handle.vertical > 0 ? area.y + area.height : area.y)
                    + Int((y / scale).rounded())))
    }
}
