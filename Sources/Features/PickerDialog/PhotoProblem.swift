// SPDX-License-Identifier: MIT

import Desktop
import ImageWork
import WebFetch

/// Why a photo or a video cannot be shown; it can still be chosen.
struct PhotoProblem: Error, Hashable {
    enum Cause: Hashable {
        case decoding(DecodeError)
        case fetching(FetchError)
        /// What came from the web is no picture and no video.
        case noPicture
    }

    let cause: Cause
    /// Whether another attempt may help: the server may answer otherwise.
    private(set) var canBeRetried = false

    init(_ error: DecodeError) {
        cause = .decoding(error)
    }

    init(fetching error: FetchError) {
        cause = .fetching(error)
        canBeRetried = true
    }

    private init(_ cause: Cause) {
        self.cause = cause
        canBeRetried = true
    }

    /// The same with what was fetched.
    var ofWeb: PhotoProblem {
        PhotoProblem(cause == .decoding(.unsupported) ? .noPicture : cause)
    }

    /// What the person is told.
    func text(isVideo: Bool) -> String {
        switch cause {
        case .decoding(let error): Self.text(of: error, isVideo: isVideo)
        case .fetching(let error): Self.text(of: error)
        case .noPicture: localized("The server sent something that is not a picture")
        }
    }

    private static func text(of error: FetchError) -> String {
        switch error {
        case .unreachable: localized("The server of this picture cannot be reached")
        case .forbidden: localized("This picture is in a place that apps may not show")
        case .insecure: localized("The connection to the server of this picture is not secure")
        case .timedOut: localized("The server of this picture takes too long to answer")
        case .tooLarge: localized("This picture is too large to load")
        case .refused: localized("The server does not provide this picture")
        case .redirected, .broken: localized("The server of this picture gave no sensible answer")
        case .unavailable, .cancelled: localized("This picture cannot be loaded now")
        }
    }

    private static func text(of error: DecodeError, isVideo: Bool) -> String {
        switch error {
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
