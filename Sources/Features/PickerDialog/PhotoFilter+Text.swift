// SPDX-License-Identifier: MIT

import Desktop
import Photos

extension PhotoFilter {
    /// Why a photo that breaks a rule cannot be chosen.
    func text(_ rule: Rule) -> String {
        switch rule {
        case .minimumWidth:
            localized(
                "The app needs photos at least %@ pixels wide",
                LocalTime.number(minimumWidth ?? 0))
        case .minimumHeight:
            localized(
                "The app needs photos at least %@ pixels high",
                LocalTime.number(minimumHeight ?? 0))
        case .maximumByteCount:
            localized(
                "The app needs files no larger than %@",
                LocalTime.byteText(Int64(clamping: maximumByteCount ?? 0)))
        case .newerThan:
            localized("The app needs photos taken after %@", LocalTime.text(newerThan ?? 0))
        case .olderThan:
            localized("The app needs photos taken before %@", LocalTime.text(olderThan ?? 0))
        case .favorites: localized("The app needs favorites")
        case .minimumDuration:
            localized(
                "The app needs videos of at least %@",
                PhotoCaption.durationText(milliseconds: (minimumDuration ?? 0) * 1000))
        case .maximumDuration:
            localized(
                "The app needs videos of at most %@",
                PhotoCaption.durationText(milliseconds: (maximumDuration ?? 0) * 1000))
        }
    }
}
