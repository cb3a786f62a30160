// SPDX-License-Identifier: MIT

/// A picture or video in an app's list.
package enum PreviewImage: Hashable, Sendable {
    /// A photo of the library.
    case asset(AssetID)
    /// The `file://` URI of a file.
    case uri(String)
    /// A file that the app has opened, by its index among the descriptors that come with the request.
    case file(Int)
    /// A picture on the web, by its https URI.
    ///
    /// - Parameter thumbnail: An asset or a file that stands for it until it is there.
    indirect case web(String, thumbnail: PreviewImage?)

    /// The photo of the library that it is, or that stands for it.
    package var asset: AssetID? {
        switch self {
        case .asset(let id): id
        case .web(_, let thumbnail): thumbnail?.asset
        case .uri, .file: nil
        }
    }

    /// The index of the descriptor that it is, or that stands for it.
    package var file: Int? {
        switch self {
        case .file(let index): index
        case .web(_, let thumbnail): thumbnail?.file
        case .asset, .uri: nil
        }
    }

    /// The same with another photo of the library, if it has one.
    package func naming(_ id: AssetID) -> PreviewImage {
        switch self {
        case .asset: .asset(id)
        case .web(let uri, let thumbnail): .web(uri, thumbnail: thumbnail?.naming(id))
        case .uri, .file: self
        }
    }
}

/// An app's request to show a list of pictures and videos.
package struct PreviewRequest: Hashable, Sendable {
    /// The most pictures of one request; a person could not look at more.
    package static let mostImages = 1000
    /// The most of them that are open files: what dbus-daemon lets a message contain.
    package static let mostFiles = 16

    package var appID: AppID
    /// The parent window, in the notation of the portals; empty for none.
    package var parentWindow: String
    /// The title in the app's own words; empty for none.
    package var title: String
    /// The pictures in the app's order, at least one; the same one may be in it several times.
    package var images: [PreviewImage]
    /// The index of the picture that is shown first.
    package var first = 0
    /// Whether the person may remove pictures from the list.
    package var allowsRemoving = false
    /// Whether the parent window is blocked meanwhile.
    package var isModal = true
    /// The path of the request on the bus.
    package var handle = ""

    package init(
        appID: AppID, parentWindow: String, title: String, images: [PreviewImage]
    ) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.title = title
        self.images = images
    }
}

/// How a request to show pictures ended.
package enum PreviewOutcome: Hashable, Sendable {
    /// The person has seen enough.
    ///
    /// - Parameter removed: The indices of the pictures that they removed from the list, ascending.
    case closed(removed: [Int])
    case cancelled
    case ended
}
