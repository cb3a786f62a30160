// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import ImageWork
import Photos
import PickModel

/// The page on which a photo is cropped, in front of everything else.
@UIActor
final class CropPage {
    let box: Box
    let view = CropView()
    let toasts: ToastOverlay
    private let done: Button
    private let reset: Button
    private let turns: [Button]
    private let angle: Scale
    private let degrees: Label
    private let title: PageTitle
    /// The shapes to choose from; nil if the app names one.
    private var shapes: DropDown?
    private let shapesPlace: Box
    private let shapesRow: Box

    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// Called with the version of the photo in view.
    var onVersion: @UIActor (FileVersion, AssetID) -> Void = { _, _ in }

    private let source: PreviewSource
    /// Returns the size of the window in device pixels.
    var windowSize: @UIActor () -> PixelSize = { PixelSize(width: 1, height: 1) }
    /// The photo in view.
    private var id: AssetID?
    private var frame: CropFrame?
    private var loading: Task<Void, Never>?

    init(_ source: PreviewSource) {
        self.source = source
        let builder = Builder(PackageResources.crop_page_ui)
        box = builder.box("crop")
        toasts = builder.toastOverlay("toasts")
        done = builder.button("done")
        reset = builder.button("reset")
        turns = [builder.button("turn_left"), builder.button("turn_right")]
        angle = builder.scale("angle")
        // A photo has the same left side in all languages.
        for widget in [builder.box("tools"), angle] { widget.keepLeftToRight() }
        degrees = builder.label("degrees")
        title = PageTitle(builder)
        shapesPlace = builder.box("shapes")
        shapesRow = builder.box("shapes_row")
        builder.box("place").append(view.canvas, expands: true)
        builder.button("back").onClick { [weak self] in self?.onEvent(.cropClosed) }
        done.onClick { [weak self] in self?.onEvent(.cropDone) }
        reset.onClick { [weak self] in
            self?.shapes?.selected = 0
            self?.onEvent(.cropChanged(.reset))
        }
        turns[0].onClick { [weak self] in self?.onEvent(.cropChanged(.turn(-1))) }
        turns[1].onClick { [weak self] in self?.onEvent(.cropChanged(.turn(1))) }
        angle.onChange { [weak self] in self?.straighten() }
        view.onChange = { [weak self] change in self?.onEvent(.cropChanged(change)) }
    }

    /// Whether keys go to the frame.
    var isFrameFocused: Bool { view.canvas.containsFocus }

    func takeFocus() { view.canvas.grabFocus() }

    /// Whether the header bar has no room for the title and for the shapes.
    var isNarrow = false {
        didSet {
            title.isNarrow = isNarrow
            reset.show(localized("Reset"), icon: "edit-undo-symbolic", isNarrow: isNarrow)
            placeShapes()
        }
    }

    /// Draws the state, and loads the photo if it is another one than before.
    ///
    /// - Returns: Whether it is another one.
    func show(_ pick: Pick) -> Bool {
        guard let crop = pick.crop else {
            close()
            return false
        }
        let area = crop.frame?.area
        title.set(
            title: crop.step.map { $0.count > 1 } == true
                ? localized(
                    "Crop %@ of %@", LocalTime.number(crop.step?.number ?? 1),
                    LocalTime.number(crop.step?.count ?? 1))
                : localized("Crop Photo"),
            subtitle: area.map { dimensionsText($0.width, $0.height) } ?? "")
        offerShapes(pick.offersShapes)
        let isOther = crop.id != id
        if isOther { load(crop.id) }
        view.isRound = pick.cropsToCircle
        if crop.frame != frame {
            frame = crop.frame
            view.show(frame)
            describe()
        }
        return isOther
    }

    private func describe() {
        let isReady = frame != nil
        for control in turns + [done, reset, angle] { control.isSensitive = isReady }
        shapes?.isSensitive = isReady
        let rotation = frame?.rotation ?? .none
        let tenths = Int((Double(rotation.hundredths) / 10).rounded())
        // Translators: an angle, for example 2.5 degrees.
        let angleText = localized("%@°", LocalTime.decimal(tenths: tenths))
        degrees.text = angleText
        if angle.value != rotation.degrees { angle.value = rotation.degrees }
        guard let area = frame?.area else {
            // What is said of the frame before is no longer true.
            return view.canvas.setAccessibleLabel(localized("Crop Photo"))
        }
        let text = localized(
            "Area: %@ × %@ pixels, %@ from the left, %@ from the top",
            LocalTime.number(area.width), LocalTime.number(area.height),
            LocalTime.number(area.x), LocalTime.number(area.y))
        // Translators: what a photo is cropped to, and two angles, by which it is turned.
        let turned = localized(
            "%@. Turned by %@°, straightened by %@", text, LocalTime.number(rotation.turn),
            angleText)
        // Screen readers say the new name of what has the focus.
        view.canvas.setAccessibleLabel(rotation == .none ? text : turned)
        view.canvas.tooltip = localized("Move with the arrow keys, resize with + and −")
    }

    /// Ends all work, and forgets the photo.
    func close() {
        guard id != nil else { return }
        id = nil
        frame = nil
        loading?.cancel()
        source.forgetAll()
        view.setPicture(nil)
        view.show(nil)
    }

    private func load(_ id: AssetID) {
        self.id = id
        frame = nil
        shapes?.selected = 0
        view.setPicture(nil)
        view.show(nil)
        describe()
        loading?.cancel()
        source.forgetAll()
        loading = Task { [weak self, source] in
            guard let size = self?.windowSize() else { return }
            let result = await source.picture(of: id, .fitting(size), priority: .visible)
            guard !Task.isCancelled, let self, self.id == id else { return }
            switch result {
            case .success(let sharp) where sharp.isStill:
                view.setPicture(sharp.texture)
                onVersion(sharp.version, id)
                onEvent(.cropSized(id, sharp.size))
            case .success, .failure: onEvent(.cropSized(id, nil))
            case nil: break
            }
        }
    }

    /// Turns the photo to the angle of the slider, in tenths of a degree, which are what is shown.
    private func straighten() {
        let hundredths = Int((angle.value * 10).rounded()) * 10
        guard let frame, hundredths != frame.rotation.hundredths else { return }
        onEvent(.cropChanged(.straighten(hundredths)))
    }

    /// Straightens the photo by tenths of a degree.
    func straighten(by tenths: Int) {
        guard let frame else { return }
        let shown = Int((Double(frame.rotation.hundredths) / 10).rounded())
        onEvent(.cropChanged(.straighten((shown + tenths) * 10)))
    }

    // MARK: - Shapes

    /// The first one is free, and the second one that of the photo.
    private static let ratios = [nil, nil, (1, 1), (3, 2), (4, 3), (16, 9)]
        .map { $0.map { PixelSize(width: $0.0, height: $0.1) } }

    private func offerShapes(_ isOffered: Bool) {
        guard isOffered, shapes == nil else { return }
        let ratios = Self.ratios.dropFirst(3).compactMap(\.self).map {
            localized("%@:%@", LocalTime.number($0.width), LocalTime.number($0.height))
        }
        let list = DropDown(
            [localized("Free"), localized("Original"), localized("Square")] + ratios)
        list.setName(localized("Shape"))
        list.onSelect { [weak self] in self?.chooseShape() }
        shapes = list
        placeShapes()
    }

    private func placeShapes() {
        guard let shapes else { return }
        shapesPlace.removeAll()
        shapesRow.removeAll()
        (isNarrow ? shapesRow : shapesPlace).append(shapes)
        shapesRow.isVisible = isNarrow
    }

    private func chooseShape() {
        guard let index = shapes?.selected, Self.ratios.indices.contains(index), frame != nil else {
            return
        }
        onEvent(.cropChanged(index == 1 ? .shapeOfPhoto : .shape(Self.ratios[index])))
        // The next key is for the frame, not for the list.
        takeFocus()
    }

    // MARK: - Keys

    /// Changes the frame by a key; false if it means nothing here.
    ///
    /// Arrows move the frame by one pixel of the photo, with Shift by ten; with Ctrl they size it.
    func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        let step = modifiers.contains(.shift) ? 10 : 1
        let direction: (x: Int, y: Int)
        switch key {
        case .left: direction = (-step, 0)
        case .right: direction = (step, 0)
        case .up: direction = (0, -step)
        case .down: direction = (0, step)
        case .character("+"), .character("="):
            onEvent(.cropChanged(.grow(by: 1.05)))
            return true
        case .character("-"):
            onEvent(.cropChanged(.grow(by: 1 / 1.05)))
            return true
        default: return false
        }
        onEvent(
            .cropChanged(
                modifiers.contains(.control)
                    ? .stretch(x: direction.x, y: direction.y)
                    : .move(x: direction.x, y: direction.y)))
        return true
    }
}
