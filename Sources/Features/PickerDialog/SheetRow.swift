// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// A row of the sheet: an icon and a text that begins beside it or, without an icon, a text in the middle.
@UIActor
final class SheetRow {
    let button: Button
    private let title = Label()
    /// What the window says of the row in its own words.
    private let note = Label()

    /// The least height of a row, in layout pixels; text of a larger size needs more.
    private static let height = 54
    private static let iconSide = 22
    /// The distance of the icon from the edge, and of a text with an icon.
    private static let (iconStart, titleStart) = (20, 60)

    /// - Parameter iconName: The name of an icon in the theme; a row without one, or with one that the theme
    ///   does not have, has its text in the middle.
    init(iconName: String = "") {
        let texts = Box(isVertical: true)
        texts.append(title)
        texts.append(note)
        texts.centerVertically()
        title.setEllipsized()
        note.setClass("dim-label")
        note.setClass("sheet-note")
        note.isVisible = false
        let content = Box(isVertical: false)
        let hasIcon = Icon.isInTheme(iconName)
        // What it says is to be read as a whole.
        note.setWrapped(isCentered: !hasIcon)
        if hasIcon {
            title.setAlignedToStart()
            note.setAlignedToStart()
            let icon = Icon(iconName, pixels: Self.iconSide)
            icon.startMargin = Self.iconStart
            icon.setClass("sheet-icon")
            texts.startMargin = Self.titleStart - Self.iconStart - Self.iconSide
            content.append(icon)
        }
        content.append(texts, expands: true)
        button = Button(content)
        button.setClass("with-icon", hasIcon)
        button.setMinimumSize(height: Self.height)
        button.setClass("flat")
        button.setClass("sheet-row")
    }

    /// Shows a text, and below it what the window says of it in its own words.
    func show(_ text: String, note: String? = nil) {
        title.text = text
        self.note.text = note ?? ""
        self.note.isVisible = note != nil
        button.setAccessibleLabel(note.map { localized("%@, %@", text, $0) } ?? text)
    }
}

extension SheetAction {
    /// The most characters of an app's text: about as many as a line has.
    private static let longestLabel = 60

    /// What the row says: the app's text, or ours.
    func title(_ offer: Offer) -> String {
        label.isBlank ? Self.title(kind, offer) : label.cut(to: Self.longestLabel).printable
    }

    /// What the row says below the app's text; nil for what shows by itself what it does.
    ///
    /// An app may call the row “Cancel” that sends it a photo, and “Send” the one that closes the window.
    func note(_ offer: Offer) -> String? {
        guard title(offer) != Self.title(kind, offer) else { return nil }
        return switch kind {
        case .recent: offer.newestNote
        case .close: localized("Sends nothing")
        case .library, .camera, .files: nil
        }
    }

    private static func title(_ kind: Kind, _ offer: Offer) -> String {
        switch kind {
        case .library: localized("Library")
        case .camera: localized("Camera")
        case .recent: offer.newestTitle
        case .files: localized("Other Files…")
        case .close: localized("Cancel")
        }
    }
}

extension SheetAction.Kind {
    /// Why a row of this kind can do nothing; nil if it can, or if that says itself.
    func obstacle(in pick: Pick) -> String? {
        guard !pick.offers(self), !pick.isPreparing, !pick.isAbandoned else { return nil }
        return switch self {
        case .camera:
            if !pick.takesCamera {
                localized("The app does not accept photos from a camera")
            } else if !pick.hasRoom {
                pick.offer.text(.tooMany(maximum: pick.selection.limits.capacity))
            } else {
                localized("There is no camera")
            }
        case .recent: pick.isComplete ? pick.newestObstacle : nil
        case .library: localized("The app does not accept photos from the library")
        case .files: localized("The app does not accept other files")
        case .close: nil
        }
    }
}

extension Pick {
    /// Why there is no newest photo to be delivered alone.
    fileprivate var newestObstacle: String? {
        let minimum = selection.limits.minimum
        if minimum > 1 { return offer.text(.tooFew(minimum: minimum)) }
        // There are photos, but each breaks a rule of the app.
        return offer.texts(of: page == .photos ? .nothingFits : page)?.title
    }
}

extension Offer {
    /// The row that delivers the newest one.
    fileprivate var newestTitle: String {
        switch self {
        case .photos: localized("Newest Photo")
        case .videos: localized("Newest Video")
        case .both: localized("Newest Photo or Video")
        }
    }

    /// What that row does, in a sentence.
    fileprivate var newestNote: String {
        switch self {
        case .photos: localized("Sends your newest photo")
        case .videos: localized("Sends your newest video")
        case .both: localized("Sends your newest photo or video")
        }
    }

    /// The row that finishes with so many.
    func selectTitle(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos:
            localizedCount(one: "Select %@ Photo", many: "Select %@ Photos", count: count, number)
        case .videos:
            localizedCount(one: "Select %@ Video", many: "Select %@ Videos", count: count, number)
        case .both:
            localizedCount(one: "Select %@ Item", many: "Select %@ Items", count: count, number)
        }
    }
}
