// SPDX-License-Identifier: MIT

import CameraWork
import Files
import GtkKit
import Photos

/// The live picture of a camera, which fills the view, or a photo as a whole.
@UIActor
final class CameraView {
    let canvas = Canvas()
    private let picture = PixelArea()
    /// Two lines across and two down.
    private let thirds = (0..<4).map { _ in CameraView.part("crop-third") }
    private let focusBox = CameraView.part("focus-box")
    /// The size of the photo; nil for a live picture.
    private var photo: PixelSize?
    /// Where the focus box is, in layout pixels.
    private var focus: (x: Double, y: Double)?
    /// Which of two equal animations of the box comes next: GTK plays none of them twice in a row.
    private var isEven = false
    private var hiding: Task<Void, Never>?
    private var isAway = false

    /// Called with a press on the live picture, and the size of the view, in layout pixels.
    var onPoint: @UIActor (_ x: Double, _ y: Double, _ width: Int, _ height: Int) -> Void = {
        _, _, _, _ in
    }
    var showsThirds = false { didSet { if showsThirds != oldValue { update() } } }

    private static let boxSide = 72.0
    /// How long the box is seen: it grows in 0.3 s, and shrinks in 0.5 s (S5.20).
    private static let boxTime = Duration.milliseconds(800)

    init() {
        canvas.clipContent()
        canvas.isFocusable = true
        canvas.setClass("preview-canvas")
        for part in [picture] + thirds + [focusBox] as [Widget] { canvas.add(part) }
        for part in thirds + [focusBox] { part.ignoresPointer = true }
        canvas.allocate = { [weak self] width, height in self?.place(width, height) }
        canvas.onPress { [weak self] _, _, position in
            guard let self, photo == nil, !picture.isEmpty else { return }
            onPoint(position.x, position.y, canvas.size.width, canvas.size.height)
        }
        update()
    }

    private static func part(_ style: String) -> Box {
        let box = Box(isVertical: true)
        box.setClass(style)
        return box
    }

    /// The size of the view in device pixels; nil before it is laid out.
    var deviceSize: PixelSize? {
        let (width, height) = canvas.size
        guard width > 0, height > 0 else { return nil }
        return PixelSize(width: width * canvas.scaleFactor, height: height * canvas.scaleFactor)
    }

    /// Turns the picture away like a card, to show that of another camera on its back (S5.15).
    func turnAway() {
        guard picture.isVisible, photo == nil else { return }
        isAway = true
        picture.setClass("turned-back", false)
        picture.setClass("turned-away")
    }

    private func turnBack() {
        guard isAway else { return }
        isAway = false
        picture.setClass("turned-back")
        picture.setClass("turned-away", false)
    }

    /// Shows a picture of the camera.
    ///
    /// - Returns: False if it is not what it claims to be.
    func show(live frame: CameraPicture) -> Bool {
        guard draw(frame) else { return false }
        turnBack()
        guard photo != nil || !picture.isVisible else { return true }
        photo = nil
        update()
        return true
    }

    /// Shows a photo, as ``show(live:)`` does.
    func show(photo: CameraPicture) -> Bool {
        guard draw(photo) else { return false }
        self.photo = photo.size
        update()
        return true
    }

    private func draw(_ frame: CameraPicture) -> Bool {
        picture.show(
            width: frame.size.width, height: frame.size.height, stride: frame.stride,
            bytes: frame.memory.bytes, owner: frame.memory)
    }

    /// Shows nothing.
    func clear() {
        picture.clear()
        photo = nil
        isAway = false
        for style in ["turned-away", "turned-back"] { picture.setClass(style, false) }
        update()
    }

    private func update() {
        picture.isVisible = !picture.isEmpty
        let isLive = picture.isVisible && photo == nil
        for third in thirds { third.isVisible = isLive && showsThirds }
        if !isLive { hideFocus() }
        canvas.queueAllocate()
    }

    // MARK: - Focus

    /// Shows the box where the camera focuses, for as long as it takes to see it.
    func showFocus(x: Double, y: Double) {
        focus = (x, y)
        focusBox.isVisible = true
        isEven.toggle()
        focusBox.setClass("even", isEven)
        focusBox.setClass("odd", !isEven)
        canvas.queueAllocate()
        hiding?.cancel()
        hiding = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.boxTime)) != nil else { return }
            self?.hideFocus()
        }
    }

    private func hideFocus() {
        hiding?.cancel()
        hiding = nil
        focus = nil
        focusBox.isVisible = false
    }

    // MARK: - Layout

    private func place(_ width: Int, _ height: Int) {
        let frame = photo.map { Self.fitting($0, width, height) } ?? (0, 0, width, height)
        canvas.place(
            picture, x: frame.0, y: frame.1, width: max(frame.2, 1), height: max(frame.3, 1))
        for (index, third) in thirds.enumerated() {
            let part = index % 2 + 1
            if index < 2 {
                canvas.place(third, x: 0, y: height * part / 3, width: max(width, 1), height: 1)
            } else {
                canvas.place(third, x: width * part / 3, y: 0, width: 1, height: max(height, 1))
            }
        }
        let side = Int(Self.boxSide)
        let (x, y) = focus ?? (0, 0)
        canvas.place(
            focusBox, x: Int((x - Self.boxSide / 2).rounded()),
            y: Int((y - Self.boxSide / 2).rounded()), width: side, height: side)
    }

    /// The place of a whole photo in the middle of the view.
    private static func fitting(
        _ photo: PixelSize, _ width: Int, _ height: Int
    ) -> (Int, Int, Int, Int) {
        guard !photo.isEmpty else { return (0, 0, width, height) }
        let scale = min(
            Double(width) / Double(photo.width), Double(height) / Double(photo.height))
        let size = (
            Int((Double(photo.width) * scale).rounded()),
            Int((Double(photo.height) * scale).rounded())
        )
        return ((width - size.0) / 2, (height - size.1) / 2, size.0, size.1)
    }
}
