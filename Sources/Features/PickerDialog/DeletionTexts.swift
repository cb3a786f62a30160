// SPDX-License-Identifier: MIT

import Desktop

extension Offer {
    /// Asks whether so many of them may be moved to the trash.
    func deletionText(_ count: Int) -> String {
        let number = LocalTime.number(count)
        return switch self {
        case .photos:
            localizedCount(
                one: "Move this photo to the trash?", many: "Move these %@ photos to the trash?",
                count: count, number)
        case .videos:
            localizedCount(
                one: "Move this video to the trash?", many: "Move these %@ videos to the trash?",
                count: count, number)
        case .both:
            localizedCount(
                one: "Move this item to the trash?",
                many: "Move these %@ photos and videos to the trash?", count: count, number)
        }
    }

    /// Says that the trash keeps them.
    var restoringText: String {
        switch self {
        case .photos: localized("You can restore photos from the trash.")
        case .videos: localized("You can restore videos from the trash.")
        case .both: localized("You can restore photos and videos from the trash.")
        }
    }
}
