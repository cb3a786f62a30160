// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import ImageWork
import Photos

/// One photo in the grid.
///
/// There are only as many tiles as fit on the screen; the grid reuses them as it scrolls.
@UIActor
final class PhotoTile {
    let button = ToggleButton()
    /// The photo that the tile shows; nil while it is free.
    private(set) var id: AssetID?
    /// Shows the photo or, until it is there, its colour.
    private let picture = GtkKit.Picture()
    private var hasPicture = false
    private let badge = Label()
    private let kind: KindBadge
    /// Stands in for a picture that is missing.
    private let sign = GapSign()
    /// Opens the preview; visible below the pointer.
    private let magnifier = Icon("edit-find-symbolic", pixels: 16)
    private var description = ""
    /// Why the photo cannot be chosen; nil if it can.
    private var obstacle: String?
    private var gap: Gap?
    private var isVideo = false
    /// The longer side of the texture that was asked for, in device pixels.
    private var pixels = 0
    /// The photo's place in the order of choice, or those of the pictures of a burst, and the number of
    /// chosen photos; nil if not chosen.
    private var choice: (numbers: [Int], count: Int)?
    /// Loads the thumbnail; cancelled when the tile is reused.
    private var loading: Task<Void, Never>?
    /// Says so if that takes long.
    private var waiting: Task<Void, Never>?
    /// Finds out what the photo is.
    private var asking: Task<Void, Never>?
    /// Whether the grid moves, so that a picture which fades in would never be seen whole.
    private let isMoving: @UIActor () -> Bool
    /// What the pointer is told of the photo besides why it has no picture.
    private var facts: String?

    private static let patience = Duration.seconds(3)

    /// Why there is no picture; none while one has just begun to load.
    private enum Gap {
        /// It is still loading, and has been for a while.
        case slow
        case failed(PhotoProblem)

        var icon: String {
            switch self {
            case .slow, .failed(PhotoProblem(.timedOut)), .failed(PhotoProblem(.stalled)):
                "content-loading-symbolic"
            case .failed: "image-missing-symbolic"
            }
        }

        /// What the person is told.
        func text(isVideo: Bool) -> String {
            switch self {
            case .slow: PhotoProblem.waitingText(isVideo: isVideo)
            case .failed(let problem): problem.text(isVideo: isVideo)
            }
        }
    }

    init(isMoving: @escaping @UIActor () -> Bool) {
        self.isMoving = isMoving
        let overlay = Overlay(picture)
        kind = KindBadge(on: overlay)
        overlay.addAtCenter(sign.box)
        overlay.addAtTopEnd(badge)
        overlay.addAtBottomEnd(magnifier)
        magnifier.setClass("magnifier")
        badge.setClass("photo-badge")
        badge.isVisible = false
        button.setClass("photo-tile")
        button.setClass("flat")
        // It would cover the magnifier.
        button.letClicksThroughTooltip()
        button.setChild(overlay)
        button.setAccessibleBusy(true)
        button.isVisible = false
    }

    /// Whether there is the sign that opens the preview at a point of the tile.
    func isMagnifier(at point: (x: Double, y: Double)) -> Bool {
        // Without a mouse it is not visible.
        guard button.isHovered else { return false }
        let size = button.size
        // A narrow photo would be nothing but this corner.
        guard Double(min(size.width, size.height)) >= 2 * Self.magnifierSide else { return false }
        let x = button.isRightToLeft ? point.x : Double(size.width) - point.x
        return x < Self.magnifierSide && point.y > Double(size.height) - Self.magnifierSide
    }

    /// Of the corner in which a click opens the preview, in layout pixels.
    private static let magnifierSide = 36.0

    /// Shows another photo, immediately if its texture is cached and otherwise once it is loaded.
    ///
    /// - Parameters:
    ///   - description: What a screen reader says of the photo.
    ///   - obstacle: Why the photo cannot be chosen; nil if it can.
    ///   - colour: What is shown until there is a texture; nil for grey.
    ///   - pixels: The longer side of what `load` loads, in device pixels.
    ///   - ready: A texture to show at once, and whether a larger one takes its place when it is loaded.
    ///   - load: Returns the texture or the reason why there is none.
    func show(
        _ id: AssetID, isVideo: Bool, description: String, at position: Int, of count: Int,
        obstacle: String?, colour: PhotoColour?, pixels: Int,
        ready: (texture: Texture, isSmall: Bool)?,
        load: @escaping @UIActor () async -> Result<Texture, PhotoProblem>?
    ) {
        // The tile stays where it is, or a click on it at this moment would be lost.
        reset()
        self.id = id
        self.isVideo = isVideo
        self.description = description
        self.obstacle = obstacle
        button.setClass("unfit", obstacle != nil)
        choice = nil
        nameButton()
        button.setAccessiblePosition(position, of: count)
        button.isVisible = true
        self.pixels = pixels
        if let ready {
            button.setClass("instant")
            set(ready.texture)
            if ready.isSmall { begin(load) }
            return
        }
        tint(colour)
        begin(load)
        waiting = Task { [weak self] in
            do { try await Task.sleep(for: Self.patience) } catch { return }
            guard !Task.isCancelled else { return }
            self?.show(.slow)
        }
    }

    /// Shows what kind of photo it is, and tells the pointer its name, date and size.
    ///
    /// - Parameter date: When the photo was taken, in seconds since 1970.
    func showCaption(date: Int64, _ find: @escaping @UIActor () async -> PhotoCaption?) {
        asking = Task { [weak self] in
            guard let caption = await find(), !Task.isCancelled, let self else { return }
            kind.show(caption)
            sign.name = caption.name.printable
            facts = [
                caption.name.printable, LocalTime.text(date), LocalTime.byteText(caption.byteCount),
                // Screen readers describe the tile by this, not by the sign.
                caption.isLive ? localized("Live photo") : nil,
                caption.frames > 0
                    ? localizedCount(
                        one: "Burst of %@ picture", many: "Burst of %@ pictures",
                        count: caption.frames, LocalTime.number(caption.frames)) : nil,
                caption.rawText,
            ].compactMap(\.self).joined(separator: "\n")
            showTooltip()
        }
    }

    private func showTooltip() {
        let lines = [obstacle, gap?.text(isVideo: isVideo), facts].compactMap(\.self)
        button.tooltip = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Tells the tile how large it is, in layout pixels.
    func fit(width: Int, height: Int) {
        sign.isRoomy = width >= 110 && height >= 100
    }

    /// Loads a larger texture if the present one is too small; until then it stays.
    func sharpen(
        to pixels: Int, load: @escaping @UIActor () async -> Result<Texture, PhotoProblem>?
    ) {
        guard ThumbnailSize.covering(pixels).pixels > ThumbnailSize.covering(self.pixels).pixels
        else { return }
        self.pixels = pixels
        // What failed in one size fails in the other, too.
        if case .failed = gap { return }
        begin(load)
    }

    private func begin(_ load: @escaping @UIActor () async -> Result<Texture, PhotoProblem>?) {
        loading?.cancel()
        loading = Task { [weak self] in
            let result = await load()
            guard !Task.isCancelled, let self else { return }
            waiting?.cancel()
            switch result {
            case .success(let texture): set(texture)
            // A picture that is there is better than none.
            case .failure(let problem): if !hasPicture { set(problem) }
            case nil: break
            }
        }
    }

    /// Frees the tile for another photo.
    func clear() {
        reset()
        id = nil
        button.isVisible = false
    }

    /// Takes away the picture, and what is said of it.
    private func reset() {
        loading?.cancel()
        loading = nil
        waiting?.cancel()
        waiting = nil
        asking?.cancel()
        asking = nil
        kind.show(nil)
        facts = nil
        sign.name = ""
        showTooltip()
        if gap != nil { show(nil) }
        hasPicture = false
        tint(nil)
        button.setClass("loaded", false)
        button.setClass("instant", false)
        // It has no picture until the next one is there.
        button.setAccessibleBusy(true)
    }

    /// Shows whether the photo is chosen.
    ///
    /// - Parameters:
    ///   - numbers: The place in the order of choice, or those of the pictures of a burst; none if the photo
    ///     is not chosen.
    ///   - count: The number of chosen photos.
    ///   - invites: Whether a photo under the pointer shows that further ones can be chosen.
    func setSelected(_ numbers: [Int], of count: Int, showsNumber: Bool, invites: Bool) {
        let isChosen = !numbers.isEmpty
        button.isActive = isChosen
        badge.isVisible = isChosen || invites
        badge.setClass("empty", !isChosen)
        badge.setClass("several", numbers.count > 1)
        badge.text = isChosen ? Self.badgeText(numbers, showsNumber: showsNumber) : ""
        choice = isChosen ? (numbers, count) : nil
        nameButton()
    }

    /// A check mark or a number; of several pictures of a burst, how many they are, or their numbers.
    private static func badgeText(_ numbers: [Int], showsNumber: Bool) -> String {
        guard showsNumber else {
            return numbers.count > 1 ? "✓ \(LocalTime.number(numbers.count))" : "✓"
        }
        let shown = numbers.prefix(mostNumbers).map(LocalTime.number).joined(separator: " · ")
        return numbers.count > mostNumbers ? shown + " …" : shown
    }

    /// For more there may be no room.
    private static let mostNumbers = 3

    /// Tells screen readers which photo this is and whether it is chosen.
    private func nameButton() {
        let description = [self.description, obstacle, gap?.text(isVideo: isVideo)]
            .compactMap(\.self).joined(separator: ", ")
        guard let (numbers, count) = choice, let number = numbers.first else {
            return button.setAccessibleLabel(description)
        }
        button.setAccessibleLabel(
            numbers.count > 1
                ? localizedCount(
                    one: "%@, %@ picture selected", many: "%@, %@ pictures selected",
                    count: numbers.count, description, LocalTime.number(numbers.count))
                : localized(
                    "%@, selected %@ of %@", description, LocalTime.number(number),
                    LocalTime.number(count)))
    }

    /// Shows a colour where there is no picture yet; nil for grey.
    private func tint(_ colour: PhotoColour?) {
        picture.texture = colour.map { Texture($0) }
        button.setClass("tinted", colour != nil)
    }

    private func set(_ texture: Texture) {
        if gap != nil { show(nil) }
        // In place of its colour, a picture need not fade in.
        if picture.texture != nil || isMoving() { button.setClass("instant") }
        hasPicture = true
        picture.texture = texture
        button.setClass("tinted", false)
        button.setClass("loaded")
        button.setAccessibleBusy(false)
    }

    private func set(_ problem: PhotoProblem) {
        show(.failed(problem))
        button.setAccessibleBusy(false)
    }

    /// Shows why there is no picture, or takes that back.
    private func show(_ gap: Gap?) {
        self.gap = gap
        // The sign is to be read on grey.
        if gap != nil, !hasPicture { tint(nil) }
        sign.show(gap.map { ($0.icon, $0.text(isVideo: isVideo)) })
        showTooltip()
        nameButton()
    }
}
