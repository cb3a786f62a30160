// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PickModel

extension Refusal {
    /// What the person is told.
    var text: String {
        switch self {
        case .tooMany(let maximum):
            localizedCount(
                one: "You can choose only %@ photo", many: "You can choose up to %@ photos",
                count: maximum, LocalTime.number(maximum))
        case .tooFew(let minimum):
            localizedCount(
                one: "Choose at least %@ photo", many: "Choose at least %@ photos",
                count: minimum, LocalTime.number(minimum))
        }
    }
}

extension Pick {
    /// How many photos are chosen; nil where the app wants a single one.
    var counterText: String? {
        let count = LocalTime.number(receipt.count)
        guard let maximum = selection.limits.maximum else {
            return selection.isEmpty
                ? ""
                : localizedCount(one: "%@ photo", many: "%@ photos", count: receipt.count, count)
        }
        return maximum == 1 ? nil : localized("%@ of %@", count, LocalTime.number(maximum))
    }
}

extension PickPage {
    /// The title and the explanation of a page without photos; nil for the photos themselves.
    var texts: (title: String, description: String)? {
        switch self {
        case .photos: nil
        case .looking(let files):
            (
                localized("Looking for photos"),
                localizedCount(
                    one: "Looking through %@ file…", many: "Looking through %@ files…",
                    count: files, LocalTime.number(files))
            )
        case .emptyLibrary:
            (
                localized("No photos in Pictures yet"),
                localized("Photos that you save in your Pictures folder appear here.")
            )
        case .nothingFits:
            (
                localized("No matching photos"),
                localized("None of your photos and videos has a file type that the app accepts.")
            )
        case .emptyAlbum: (localized("No photos in this album"), "")
        case .unavailable:
            (
                localized("Your photos cannot be shown"),
                localized("The list of photos cannot be read. Try again after logging out and in.")
            )
        }
    }
}

extension PhotoList {
    /// What a screen reader says of a photo.
    func description(at index: Int) -> String {
        let date = LocalTime.text(taken[index])
        let ratio = aspectRatios[index]
        if isVideo[index] { return localized("Video, %@", date) }
        if ratio > 2 { return localized("Photo, %@, panorama", date) }
        if ratio > 1.05 { return localized("Photo, %@, landscape", date) }
        return ratio < 0.95
            ? localized("Photo, %@, portrait", date) : localized("Photo, %@, square", date)
    }
}
