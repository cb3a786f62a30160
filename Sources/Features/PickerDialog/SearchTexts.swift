// SPDX-License-Identifier: MIT

import Desktop
import PhotoLibrary
import Photos
import PickModel

extension PhotoQuery {
    /// What the words of the search mean today; nil for no search.
    var search: SearchQuery? {
        searchText.isEmpty ? nil : SearchQuery(searchText, today: .today)
    }

    /// The words that are left of the search without one of its terms.
    func searchText(without term: SearchTerm) -> String {
        search?.text(without: term, today: .today) ?? ""
    }
}

extension Offer {
    /// The title of the page of a search that has found nothing.
    var nothingFoundTitle: String {
        switch self {
        case .photos: localized("No photos found")
        case .videos: localized("No videos found")
        case .both: localized("No photos or videos found")
        }
    }

    /// What the button says that searches beyond the album in view.
    var searchAllLabel: String {
        switch self {
        case .photos: localized("Search All Photos")
        case .videos: localized("Search All Videos")
        case .both: localized("Search All Photos and Videos")
        }
    }

    static func nothingFoundText(_ words: String, isInAlbum: Bool) -> String {
        let words = words.cut(to: 60).printable
        return isInAlbum
            ? localized("Nothing in this album matches “%@”.", words)
            : localized("Nothing matches “%@”.", words)
    }
}

extension PickPage {
    /// Whether it says that a search in an album has found nothing.
    var isSearchInAlbum: Bool {
        if case .nothingFound(_, let isInAlbum) = self { isInAlbum } else { false }
    }
}

extension SearchFacet {
    /// What the facet finds, in the words of the person.
    var title: String {
        switch self {
        case .days(let ranges):
            Self.alternatives(ranges.map(\.title))
        case .everyYear(let month, let day): LocalTime.text(month: month, day: day)
        case .picture: localized("Pictures")
        case .video: localized("Videos")
        case .animation: localized("Animations")
        case .live: localized("Live photos")
        case .burst: localized("Bursts")
        case .raw: localized("Raw files")
        case .types(let types): Self.alternatives(types.map(\.formatName))
        case .portrait: localized("Portrait format")
        case .landscape: localized("Landscape format")
        case .square: localized("Square")
        case .hasPlace: localized("With location")
        case .favorite: localized("Favorites")
        }
    }

    /// A day such as 3/10/2019 can be read in two ways.
    private static func alternatives(_ texts: [String]) -> String {
        texts.dropFirst().reduce(texts.first ?? "") { localized("%@ or %@", $0, $1) }
    }
}

extension DayRange {
    /// A year, a month or a day if the range is one, and otherwise the first and the last day.
    fileprivate var title: String {
        if self == DayRange(year: first.year) { return LocalTime.text(year: first.year) }
        if self == DayRange(year: first.year, month: first.month) {
            return LocalTime.text(year: first.year, month: first.month)
        }
        guard let last = end.adding(days: -1), last != first else { return first.title }
        return localized("%@ – %@", first.title, last.title)
    }
}

extension CalendarDay {
    fileprivate var title: String { LocalTime.text(year: year, month: month, day: day) }
}

extension MediaType {
    /// The format as people call it, for example “JPEG”.
    var formatName: String {
        let name = entry?.fileExtension ?? rawValue
        return name == "jpg" ? "JPEG" : name.uppercased()
    }
}
