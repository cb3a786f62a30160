// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PickModel

/// What a window offers, as its texts name it.
enum Offer {
    case photos, videos, both

    init(_ filter: MediaFilter) {
        self = !filter.includesVideos ? .photos : filter.includesImages ? .both : .videos
    }

    /// The title of a window whose app gives none.
    func title(isOne: Bool) -> String {
        switch self {
        case .photos: isOne ? localized("Choose a Photo") : localized("Choose Photos")
        case .videos: isOne ? localized("Choose a Video") : localized("Choose Videos")
        case .both:
            isOne ? localized("Choose a Photo or Video") : localized("Choose Photos or Videos")
        }
    }

    /// The name of the album that has all of them.
    var allTitle: String {
        switch self {
        case .photos: localized("All photos")
        case .videos: localized("All videos")
        case .both: localized("All photos and videos")
        }
    }

    /// A number of them.
    func text(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos: localizedCount(one: "%@ photo", many: "%@ photos", count: count, number)
        case .videos: localizedCount(one: "%@ video", many: "%@ videos", count: count, number)
        case .both: localizedCount(one: "%@ item", many: "%@ items", count: count, number)
        }
    }

    /// What the person is told when an action has no effect.
    func text(_ refusal: Refusal) -> String {
        switch refusal {
        case .tooMany(let maximum): atMost(maximum)
        case .tooFew(let minimum): atLeast(minimum)
        case .notReady(let reason): Self.text(reason)
        case .examining: localized("The files are still being checked")
        case .notCropped: localized("This file cannot be cropped")
        case .unfit(let rule, let filter): text(rule, of: filter)
        case .deselected(let count): deselected(count)
        case .listChanged: localized("The list has just changed. Please try again.")
        }
    }

    private static func text(_ reason: Unready) -> String {
        switch reason {
        case .changed(let items, let name?) where items.count == 1:
            localized("“%@” has changed or disappeared, and is no longer chosen", name)
        case .changed(let items, _):
            localizedCount(
                one: "%@ file has changed or disappeared, and is no longer chosen",
                many: "%@ files have changed or disappeared, and are no longer chosen",
                count: items.count, LocalTime.number(items.count))
        case .unreachable(let name?):
            localized("“%@” cannot be opened now. Try again, or choose another file.", name)
        case .unreachable(nil):
            localized("A file cannot be opened now. Try again, or choose another file.")
        case .noSpace(let name?):
            localized(
                "There is not enough space for a copy of “%@”. Free up some space, and try again.",
                name)
        case .noSpace(nil):
            localized("There is not enough space for a copy. Free up some space, and try again.")
        case .locationStays(1, let name?):
            localized("The location cannot be removed from “%@”", name)
        case .locationStays(let count, _):
            localizedCount(
                one: "The location cannot be removed from %@ file",
                many: "The location cannot be removed from %@ files",
                count: count, LocalTime.number(count))
        }
    }

    private func deselected(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos:
            localizedCount(
                one: "The app has removed %@ photo from your choice",
                many: "The app has removed %@ photos from your choice", count: count, number)
        case .videos:
            localizedCount(
                one: "The app has removed %@ video from your choice",
                many: "The app has removed %@ videos from your choice", count: count, number)
        case .both:
            localizedCount(
                one: "The app has removed %@ item from your choice",
                many: "The app has removed %@ items from your choice", count: count, number)
        }
    }

    private func atMost(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos:
            localizedCount(
                one: "You can choose only %@ photo", many: "You can choose up to %@ photos",
                count: count, number)
        case .videos:
            localizedCount(
                one: "You can choose only %@ video", many: "You can choose up to %@ videos",
                count: count, number)
        case .both:
            localizedCount(
                one: "You can choose only %@ item", many: "You can choose up to %@ items",
                count: count, number)
        }
    }

    private func atLeast(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos:
            localizedCount(
                one: "Choose at least %@ photo", many: "Choose at least %@ photos", count: count,
                number)
        case .videos:
            localizedCount(
                one: "Choose at least %@ video", many: "Choose at least %@ videos", count: count,
                number)
        case .both:
            localizedCount(
                one: "Choose at least %@ item", many: "Choose at least %@ items", count: count,
                number)
        }
    }

    /// The title and the explanation of a page without photos; nil for the photos themselves.
    func texts(of page: PickPage) -> (title: String, description: String)? {
        switch page {
        case .photos: nil
        case .looking(let files): (lookingTitle, Self.lookingText(files))
        case .emptyLibrary: emptyLibrary
        case .nothingFits:
            (
                nothingFitsTitle,
                localized("None of your photos and videos has a file type that the app accepts.")
            )
        case .emptyAlbum: (emptyAlbumTitle, "")
        case .nothingFound(let words, let isInAlbum):
            (nothingFoundTitle, Self.nothingFoundText(words, isInAlbum: isInAlbum))
        case .noLibrary:
            (
                localized("Choose from your files"),
                localized("Open files, or drop or paste them here.")
            )
        case .cameraOnly: (localized("Take a photo with the camera"), "")
        case .unavailable:
            (
                localized("Your photos cannot be shown"),
                localized("The list of photos cannot be read. Try again after logging out and in.")
            )
        }
    }

    private var nothingFitsTitle: String {
        switch self {
        case .photos: localized("No matching photos")
        case .videos: localized("No matching videos")
        case .both: localized("No matching photos or videos")
        }
    }

    private var lookingTitle: String {
        switch self {
        case .photos: localized("Looking for photos")
        case .videos: localized("Looking for videos")
        case .both: localized("Looking for photos and videos")
        }
    }

    private static func lookingText(_ files: Int) -> String {
        localizedCount(
            one: "Looking through %@ file…", many: "Looking through %@ files…", count: files,
            LocalTime.number(files))
    }

    private var emptyLibrary: (title: String, description: String) {
        switch self {
        case .photos:
            (
                localized("No photos in Pictures yet"),
                localized("Photos that you save in your Pictures folder appear here.")
            )
        case .videos:
            (
                localized("No videos yet"),
                localized("Videos that you save in your Videos or Pictures folder appear here.")
            )
        case .both:
            (
                localized("No photos or videos yet"),
                localized(
                    "Photos and videos that you save in your Pictures or Videos folder appear here."
                )
            )
        }
    }

    private var emptyAlbumTitle: String {
        switch self {
        case .photos: localized("No photos in this album")
        case .videos: localized("No videos in this album")
        case .both: localized("No photos or videos in this album")
        }
    }
}

extension Pick {
    /// What the person may choose.
    var offer: Offer { Offer(accepted) }
    /// What the person sees, of that.
    var shownOffer: Offer { Offer(query.filter) }

    /// How many photos are chosen; nil where the app wants a single one.
    var counterText: String? {
        let limits = selection.limits
        guard limits.maximum != nil else {
            return selection.isEmpty ? "" : offer.text(selection.count)
        }
        let maximum = limits.capacity
        return maximum == 1
            ? nil
            : localized("%@ of %@", LocalTime.number(selection.count), LocalTime.number(maximum))
    }
}

extension PhotoList {
    /// What a screen reader says of a photo.
    func description(at index: Int) -> String {
        photoDescription(
            isVideo: isVideo[index], taken: taken[index], aspectRatio: Double(aspectRatios[index]))
    }
}

/// What a screen reader says of a photo.
///
/// - Parameter taken: In seconds since 1970.
func photoDescription(isVideo: Bool, taken: Int64, aspectRatio ratio: Double) -> String {
    let date = LocalTime.text(taken)
    if isVideo { return localized("Video, %@", date) }
    if ratio > 2 { return localized("Photo, %@, panorama", date) }
    if ratio > 1.05 { return localized("Photo, %@, landscape", date) }
    return ratio < 0.95
        ? localized("Photo, %@, portrait", date) : localized("Photo, %@, square", date)
}

/// Width and height of a picture in pixels, in this order also where lines run from right to left.
func dimensionsText(_ width: Int, _ height: Int) -> String {
    // Translators: width and height of a photo in pixels.
    "\u{2066}" + localized("%@ × %@", LocalTime.number(width), LocalTime.number(height))
        + "\u{2069}"
}
