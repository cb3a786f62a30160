// SPDX-License-Identifier: MIT

import Desktop
import ImageWork

/// Why a photo or a video cannot be shown; it can still be chosen.
struct PhotoProblem: Error, Hashable {
    let cause: DecodeError

    init(_ cause: DecodeError) {
        self.cause = cause
    }

    /// What the person is told.
    func text(isVideo: Bool) -> String {
        switch cause {
        case .damaged, .crashed, .garbage, .miswritten, .locationStays:
            isVideo ? localized("This video is damaged") : localized("This photo is damaged")
        case .tooLarge:
            isVideo
                ? localized("This video is too large to show")
                : localized("This photo is too large to show")
        case .unsupported, .needsLibheif, .needsLibRaw:
            isVideo
                ? localized("This kind of video cannot be shown yet")
                : localized("This kind of picture cannot be shown yet")
        case .unreadable:
            isVideo
                ? localized("This video cannot be opened")
                : localized("This photo cannot be opened")
        case .timedOut, .stalled:
            isVideo
                ? localized("This video takes too long to load")
                : localized("This photo takes too long to load")
        case .cancelled, .unavailable:
            isVideo
                ? localized("This video cannot be shown now")
                : localized("This photo cannot be shown now")
        }
    }

    /// What the person is told while a photo or a video has been loading for a while.
    static func waitingText(isVideo: Bool) -> String {
        isVideo
            ? localized("This video is taking a long time to load")
            : localized("This photo is taking a long time to load")
    }
}
