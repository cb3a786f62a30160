// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The bar above the photos in which a person searches: a field, what its last word may become, and the
/// parts of the search that mean more than their words.
@UIActor
final class SearchField {
    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// Called when the photos are to get the keyboard focus.
    var onLeave: @UIActor () -> Void = {}
    /// Called when the person wants the photos that were found.
    var onEnter: @UIActor () -> Void = {}

    private let bar: SearchBar
    private let toggle: ToggleButton
    private let found: Label
    private let suggestions: SuggestionRow
    private let parts: Box
    /// Scrolls ``parts``.
    private let row: Widget
    /// What ``parts`` shows, and the query that it is about.
    private var shown: (parts: [Part], query: PhotoQuery)?
    /// Whether the person chose the album in view among the suggestions, so that it is a part of the
    /// search, even without words.
    private var hasChosenAlbum = false

    /// A part of the search that can be taken back by itself.
    private enum Part: Hashable {
        case term(SearchTerm, title: String)
        case album(title: String)
    }

    init(
        _ bar: SearchBar, _ toggle: ToggleButton, found: Label, suggestions: SuggestionRow,
        parts: Box, in row: Widget
    ) {
        self.bar = bar
        self.toggle = toggle
        self.found = found
        self.suggestions = suggestions
        self.parts = parts
        self.row = row
    }

    /// - Parameters:
    ///   - clear: The button on the page that says that nothing was found.
    ///   - all: The one beside it that searches beyond the album in view.
    func connect(_ window: Window, clear: Button, all: Button) {
        bar.takeTyping(in: window)
        bar.onChange { [weak self] in
            guard let self else { return }
            onEvent(.searched(bar.text))
        }
        bar.onEnter { [weak self] in self?.onEnter() }
        toggle.onToggle { [weak self] in
            guard let self else { return }
            bar.isOpen = toggle.isActive
        }
        bar.onOpen { [weak self] in
            guard let self else { return }
            toggle.isActive = bar.isOpen
            if !bar.isOpen {
                hasChosenAlbum = false
                onLeave()
            }
        }
        suggestions.onChoose = { [weak self] suggestion in self?.choose(suggestion) }
        clear.onClick { [weak self] in
            guard let self else { return }
            bar.text = ""
            bar.focusField()
        }
        all.onClick { [weak self] in
            guard let self else { return }
            // The button is about to go.
            bar.focusField()
            onEvent(.albumChosen(.all))
        }
    }

    /// Whether keys go to the field.
    var isFocused: Bool { bar.isOpen && bar.isFieldFocused }

    /// Opens the bar if it is closed, and gives the focus to the field.
    func open() {
        bar.isOpen = true
        bar.focusField()
    }

    /// Leaves the search.
    ///
    /// - Returns: Whether there was one.
    func close() -> Bool {
        guard bar.isOpen else { return false }
        bar.isOpen = false
        return true
    }

    /// Shows how the words were understood, and how many photos were found.
    ///
    /// - Parameter albumTitle: The name of an album for people.
    func show(_ pick: Pick, albumTitle: (Album) -> String) {
        let isSearching = !pick.query.searchText.isEmpty
        // Those that have the focus are about to go.
        if suggestions.containsFocus, pick.suggestions != suggestions.shown { bar.focusField() }
        suggestions.show(pick.suggestions, pick.shownOffer)
        toggle.isVisible = pick.takes(.library)
        found.isVisible = isSearching && pick.isComplete && !pick.photos.isEmpty
        if found.isVisible { found.text = pick.shownOffer.text(pick.photos.count) }
        let hasParts = isSearching || hasChosenAlbum
        guard hasParts || shown != nil else { return }
        let album =
            pick.query.album == .all || pick.isLimitedToAlbum
            ? nil : pick.albums.first { $0.id == pick.query.album }.map(albumTitle)
        let terms = pick.query.search?.terms ?? []
        let wanted =
            hasParts
            ? terms.compactMap { term in term.facet.map { Part.term(term, title: $0.title) } }
                + (album.map { [Part.album(title: $0)] } ?? []) : []
        let isSame = wanted == shown?.parts
        shown = hasParts ? (wanted, pick.query) : nil
        guard !isSame else { return }
        parts.removeAll()
        for part in wanted { parts.append(button(part)) }
        row.isVisible = !wanted.isEmpty
    }

    private func button(_ part: Part) -> Button {
        let title: String
        switch part {
        case .term(_, let text): title = text
        case .album(let text): title = localized("Album: %@", text.cut(to: 30))
        }
        let content = Box(isVertical: false, spacing: 6)
        content.append(Label(title))
        content.append(Icon("window-close-symbolic", pixels: 12))
        let button = Button(content)
        button.setClass("search-part")
        button.setAccessibleLabel(localized("Remove from search: %@", title))
        button.onClick { [weak self] in self?.remove(part) }
        return button
    }

    private func choose(_ suggestion: SearchSuggestion) {
        // The button is about to go, and the next key is for the words that follow.
        bar.focusField()
        bar.text = suggestion.text
        guard let album = suggestion.album else { return }
        hasChosenAlbum = true
        onEvent(.albumChosen(album))
    }

    private func remove(_ part: Part) {
        guard let query = shown?.query else { return }
        // The button is about to go, and the next key is for the words that are left.
        bar.focusField()
        switch part {
        case .term(let term, _):
            bar.text = query.searchText(without: term)
        case .album: onEvent(.albumChosen(.all))
        }
    }
}
