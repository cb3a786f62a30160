// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// One photo in the grid.
///
/// Tiles are few, and are given to other photos as the grid scrolls.
@UIActor
final class PhotoTile {
    let button = ToggleButton()
    /// Which photo it shows now.
    private(set) var index = -1
    private let picture = GtkKit.Picture()
    private let badge = Label()
    private let broken = Icon("image-missing-symbolic", pixels: 32)
    private var description = ""
    /// The photo's place in the order of choice, and how many are chosen.
    private var choice: (number: Int, count: Int)?
    /// The work that gets the thumbnail; cancelled when the tile goes to another photo.
    private var loading: Task<Void, Never>?

    init() {
        let overlay = Overlay(picture)
        overlay.addAtCenter(broken)
        overlay.addAtTopEnd(badge)
        badge.setClass("photo-badge")
        badge.isVisible = false
        broken.setClass("dim-label")
        broken.isVisible = false
        button.setClass("photo-tile")
        button.setClass("flat")
        button.setChild(overlay)
        button.isVisible = false
    }

    /// Shows another photo: at once when its texture is at hand, else as soon as it is loaded.
    ///
    /// - Parameters:
    ///   - description: What a screen reader says of the photo.
    ///   - load: Gets the texture, or says why there is none.
    func show(
        _ index: Int, description: String, at position: Int, of count: Int, texture: Texture?,
        load: @escaping @UIActor () async -> Result<Texture, PhotoProblem>?
    ) {
        clear()
        self.index = index
        self.description = description
        choice = nil
        nameButton()
        button.setAccessiblePosition(position, of: count)
        button.isVisible = true
        if let texture {
            button.setClass("instant")
            set(texture)
            return
        }
        button.setAccessibleBusy(true)
        loading = Task { [weak self] in
            let result = await load()
            guard !Task.isCancelled, let self else { return }
            switch result {
            case .success(let texture): set(texture)
            case .failure(let problem): set(problem)
            case nil: break
            }
        }
    }

    /// Makes the tile free for another photo.
    func clear() {
        loading?.cancel()
        loading = nil
        index = -1
        picture.texture = nil
        broken.isVisible = false
        button.tooltip = nil
        button.setClass("loaded", false)
        button.setClass("instant", false)
        button.isVisible = false
    }

    /// Shows whether the photo is chosen, and as which.
    ///
    /// - Parameters:
    ///   - number: The place in the order of choice, nil when it is not chosen.
    ///   - count: How many are chosen.
    func setSelected(_ number: Int?, of count: Int, showsNumber: Bool) {
        button.isActive = number != nil
        badge.isVisible = number != nil
        if let number { badge.text = showsNumber ? "\(number)" : "✓" }
        choice = number.map { ($0, count) }
        nameButton()
    }

    /// What a screen reader says: the photo, and whether it is chosen.
    private func nameButton() {
        guard let (number, count) = choice else { return button.setAccessibleLabel(description) }
        button.setAccessibleLabel(
            localized("%@, selected %@ of %@", description, "\(number)", "\(count)"))
    }

    private func set(_ texture: Texture) {
        picture.texture = texture
        button.setClass("loaded")
        button.setAccessibleBusy(false)
    }

    private func set(_ problem: PhotoProblem) {
        broken.isVisible = true
        button.setAccessibleBusy(false)
        button.tooltip = problem.text
        description += ", \(problem.text)"
        nameButton()
    }
}

/// Why a photo cannot be shown; it can still be chosen.
struct PhotoProblem: Error, Hashable {
    let text: String
}
