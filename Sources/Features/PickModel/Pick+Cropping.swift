// SPDX-License-Identifier: MIT

import Photos

extension Pick {
    private var clip: ClipOptions { request.options.clip }

    /// Whether the person may crop photos from the preview.
    package var offersCrop: Bool { clip.mode != .none }

    /// Whether the person may choose the shape.
    package var offersShapes: Bool { clip.shape == nil }

    /// Whether the app shows a circle of each photo.
    package var cropsToCircle: Bool { clip.outline == .circle }

    /// Whether a photo is cropped as soon as it is chosen, because that is all the app wants.
    var cropsAtOnce: Bool { clip.mode == .required && selection.limits.maximum == 1 }

    // MARK: - Opening

    /// Shows the page for the photo in the preview.
    mutating func cropPreviewed() -> [PickEffect] {
        guard let id = preview?.shown, offersCrop, !uncroppable.contains(id) else { return [] }
        if let refusal = refusal(of: id) { return [.announce(refusal)] }
        crop = Crop(id: id, step: nil)
        return []
    }

    /// Shows the page for the next chosen photo that the app wants cropped.
    ///
    /// - Returns: Whether there is one.
    mutating func cropNext() -> Bool {
        guard clip.mode == .required else { return false }
        let ids = selection.assetIDs.filter { !uncroppable.contains($0) && !isVideo($0) }
        guard let index = ids.firstIndex(where: { selection.clip(of: $0) == nil }) else {
            return false
        }
        crop = Crop(id: ids[index], step: Crop.Step(number: index + 1, count: ids.count))
        return true
    }

    private func isVideo(_ id: AssetID) -> Bool {
        photos.index(of: id).map { photos.isVideo[$0] } ?? false
    }

    // MARK: - Events

    /// Begins to crop once the size of the photo is known; nil if it cannot be cropped.
    mutating func sizeCrop(_ id: AssetID, _ size: PixelSize?) -> [PickEffect] {
        guard let crop, crop.id == id, crop.frame == nil else { return [] }
        guard let size, !size.isEmpty else {
            uncroppable.insert(id)
            self.crop = nil
            // A file from elsewhere that is wanted alone has been on no other page.
            if preview?.shown == id, acceptsPreview { return [.announce(.notCropped)] }
            // The app gets the middle, or the whole file if it is a video.
            return crop.step == nil ? [.announce(.notCropped)] : accept()
        }
        let frame = CropFrame(
            of: size, shape: clip.shape, area: selection.clip(of: id),
            rotation: selection.rotation(of: id), isTouched: selection.isClipTouched(of: id))
        self.crop?.frame = frame
        return []
    }

    mutating func change(crop change: CropChange) -> [PickEffect] {
        guard var frame = crop?.frame else { return [] }
        switch change {
        case .move(let x, let y): frame.move(x: x, y: y)
        case .drag(let handle, let x, let y): frame.drag(handle, toX: x, y: y)
        case .stretch(let x, let y): frame.stretch(x: x, y: y)
        case .grow(let factor): frame.grow(by: factor)
        case .turn(let quarters): frame.turn(by: quarters)
        case .straighten(let hundredths): frame.straighten(to: hundredths)
        case .shape(let shape): if offersShapes { frame.setShape(shape) }
        case .shapeOfPhoto: if offersShapes { frame.setShapeOfPicture() }
        case .reset: frame.reset()
        }
        crop?.frame = frame
        return []
    }

    /// Keeps the area, and goes on to the next photo that the app wants cropped.
    ///
    /// A photo that is cropped from the preview is chosen with that.
    mutating func finishCrop() -> [PickEffect] {
        guard let crop, let frame = crop.frame else { return [] }
        guard
            photos.index(of: crop.id) != nil || selection.contains(crop.id)
                || preview?.shown == crop.id
        else {
            self.crop = nil
            return [.announce(.listChanged)]
        }
        let item = PickedItem(crop.id)
        if case .refused(let limit) = selection.select(item) {
            return [.announce(.tooMany(maximum: limit))]
        }
        let part = frame.chosen
        let isWhole = part.isWhole(frame.upright) && clip.mode == .optional
        selection.clip(
            item.reference, to: isWhole ? nil : part.area, part.rotation,
            isTouched: frame.isTouched && !(isWhole && part.rotation == .none))
        self.crop = nil
        return crop.step == nil ? [] : accept()
    }

    mutating func closeCrop() -> [PickEffect] {
        crop = nil
        return []
    }

    /// Leaves the page of a photo that has gone, or that looks different now.
    mutating func closeCrop(of ids: Set<AssetID>) {
        if let crop, ids.contains(crop.id) { self.crop = nil }
    }
}
