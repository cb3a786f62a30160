// SPDX-License-Identifier: MIT

import Desktop
import Photos

extension Offer {
    /// Why a photo or a video that breaks a rule cannot be chosen.
    func text(_ rule: PhotoFilter.Rule, of filter: PhotoFilter) -> String {
        switch rule {
        case .minimumWidth: leastWidth(LocalTime.number(filter.minimumWidth ?? 0))
        case .minimumHeight: leastHeight(LocalTime.number(filter.minimumHeight ?? 0))
        case .maximumByteCount:
            localized(
                "The app needs files no larger than %@",
                LocalTime.byteText(Int64(clamping: filter.maximumByteCount ?? 0)))
        case .newerThan: takenAfter(LocalTime.text(filter.newerThan ?? 0))
        case .olderThan: takenBefore(LocalTime.text(filter.olderThan ?? 0))
        case .favorites: localized("The app needs favorites")
        case .minimumDuration:
            localized(
                "The app needs videos of at least %@",
                PhotoCaption.durationText(milliseconds: (filter.minimumDuration ?? 0) * 1000))
        case .maximumDuration:
            localized(
                "The app needs videos of at most %@",
                PhotoCaption.durationText(milliseconds: (filter.maximumDuration ?? 0) * 1000))
        }
    }

    private func leastWidth(_ pixels: String) -> String {
        switch self {
        case .photos: localized("The app needs photos at least %@ pixels wide", pixels)
        case .videos: localized("The app needs videos at least %@ pixels wide", pixels)
        case .both: localized("The app needs photos and videos at least %@ pixels wide", pixels)
        }
    }

    private func leastHeight(_ pixels: String) -> String {
        switch self {
        case .photos: localized("The app needs photos at least %@ pixels high", pixels)
        case .videos: localized("The app needs videos at least %@ pixels high", pixels)
        case .both: localized("The app needs photos and videos at least %@ pixels high", pixels)
        }
    }

    private func takenAfter(_ date: String) -> String {
        switch self {
        case .photos: localized("The app needs photos taken after %@", date)
        case .videos: localized("The app needs videos taken after %@", date)
        case .both: localized("The app needs photos and videos taken after %@", date)
        }
    }

    private func takenBefore(_ date: String) -> String {
        switch self {
        case .photos: localized("The app needs photos taken before %@", date)
        case .videos: localized("The app needs videos taken before %@", date)
        case .both: localized("The app needs photos and videos taken before %@", date)
        }
    }
}
