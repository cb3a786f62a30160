// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The buttons below the field of a search, each with something that its last word may become.
@UIActor
final class SuggestionRow {
    var onChoose: @UIActor (SearchSuggestion) -> Void = { _ in }

    private let box: Box
    /// Scrolls ``box``.
    private let row: Widget
    private(set) var shown: [SearchSuggestion] = []

    init(_ box: Box, in row: Widget) {
        self.box = box
        self.row = row
    }

    var containsFocus: Bool { row.containsFocus }

    /// - Parameter offer: What the suggestions find.
    func show(_ suggestions: [SearchSuggestion], _ offer: Offer) {
        guard suggestions != shown else { return }
        shown = suggestions
        box.removeAll()
        for (index, suggestion) in suggestions.enumerated() {
            let button = button(suggestion, offer)
            button.setAccessiblePosition(index + 1, of: suggestions.count)
            box.append(button)
        }
        row.isVisible = !suggestions.isEmpty
    }

    private func button(_ suggestion: SearchSuggestion, _ offer: Offer) -> Button {
        let content = Box(isVertical: false, spacing: 6)
        content.append(Icon(suggestion.kind.icon, pixels: 16))
        content.append(Label(suggestion.title.cut(to: 30).printable))
        let button = Button(content)
        button.setClass("suggestion")
        button.setAccessibleLabel(suggestion.name(offer))
        button.onClick { [weak self] in self?.onChoose(suggestion) }
        return button
    }
}

extension SearchSuggestion {
    /// What a screen reader says: the kind, the title, and how many photos there are.
    fileprivate func name(_ offer: Offer) -> String {
        let title = title.cut(to: 100).printable
        let photos = offer.text(count)
        let number = hasMore ? localized("more than %@", photos) : photos
        return switch kind {
        case .date: localized("Date: %@, %@", title, number)
        case .smartAlbum, .album: localized("Album: %@, %@", title, number)
        case .folder: localized("Folder: %@, %@", title, number)
        case .keyword: localized("Keyword: %@, %@", title, number)
        case .camera: localized("Camera: %@, %@", title, number)
        case .lens: localized("Lens: %@, %@", title, number)
        }
    }
}

extension SearchSuggestion.Kind {
    fileprivate var icon: String {
        switch self {
        case .date: "x-office-calendar-symbolic"
        case .smartAlbum: "folder-saved-search-symbolic"
        case .album: "folder-pictures-symbolic"
        case .folder: "folder-symbolic"
        case .keyword: "user-bookmarks-symbolic"
        case .camera: "camera-photo-symbolic"
        case .lens: "media-optical-symbolic"
        }
    }
}
