// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// What a window says about a request: what to choose, for whom, and why.
@UIActor
struct RequestTexts {
    let title: String
    let subtitle: String
    /// Nil if the app gives no reason.
    let reason: String?

    init(_ pick: Pick) {
        let request = pick.request
        // Quoted, because these are the app's words and not ours.
        title =
            request.title.isEmpty
            ? pick.offer.title(isOne: request.options.count.maximum == 1)
            : localized("“%@”", request.title.printable)
        subtitle =
            Asker(request).name.map { localized("For %@", $0) } ?? localized("For an unknown app")
        reason = request.options.reason.map { localized("“%@”", $0.printable) }
    }
}
