// SPDX-License-Identifier: MIT

/// An app's request to move photos to the trash.
package struct DeletionRequest: Hashable, Sendable {
    /// The most photos of one request; a person could not look at more.
    package static let mostPhotos = 1000

    package var appID: AppID
    /// The parent window, in the notation of the portals; empty for none.
    package var parentWindow: String
    package var photos: [AssetID]
    /// The reason, in the app's own words.
    package var reason: String?

    package init(
        appID: AppID, parentWindow: String, photos: [AssetID], reason: String? = nil
    ) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.photos = photos
        self.reason = reason
    }
}
