// SPDX-License-Identifier: MIT

package import Photos

/// Which photos of the library a window lists.
package struct PhotoQuery: Hashable, Sendable {
    package var album: AlbumID
    package var filter: MediaFilter
    /// What the app wants of each photo besides its type; others are listed, too.
    package var wanted: PhotoFilter
    /// Words that the person searches for, as ``SearchQuery`` reads them; empty for no search.
    package var searchText = ""

    package init(album: AlbumID, filter: MediaFilter, wanted: PhotoFilter = PhotoFilter()) {
        self.album = album
        self.filter = filter
        self.wanted = wanted
    }
}

/// One read of the library on behalf of a window.
///
/// A result is used only while its load is the latest one, so the answer for an album, a filter or
/// a search that the person has left never appears.
package struct PhotoLoad: Hashable, Sendable {
    package let query: PhotoQuery
    /// Counts the loads of one window.
    package let number: Int
    /// Whether to report the first photos before the whole list is read.
    package let showsBeginning: Bool
}

/// The result of a load.
package struct LibraryContents: Hashable, Sendable {
    /// Every album, including empty ones.
    package var albums: [Album]
    package var photos: PhotoList
    /// The state of the library; nil while there is no library yet.
    package var status: LibraryStatus?
    /// The chosen photos that are no longer in the library.
    package var gone: Set<AssetID>
    /// The chosen photos for which lists show others: pictures of bursts, and files that the person brought and
    /// that the library has too.
    package var frames: [AssetID: AssetID]

    package init(
        albums: [Album] = [], photos: PhotoList = PhotoList(), status: LibraryStatus? = nil,
        gone: Set<AssetID> = [], frames: [AssetID: AssetID] = [:]
    ) {
        self.albums = albums
        self.photos = photos
        self.status = status
        self.gone = gone
        self.frames = frames
    }
}

/// The content of the window's main area.
package enum PickPage: Hashable, Sendable {
    case photos
    /// The library is being read for the first time; this many files were found so far.
    case looking(files: Int)
    case emptyLibrary
    /// The library has photos or videos, and the app accepts none of them.
    case nothingFits
    case emptyAlbum
    /// A search for these words has found nothing.
    case nothingFound(String, isInAlbum: Bool)
    /// The app wants no photos of the library.
    case noLibrary
    /// The app takes photos from the camera alone.
    case cameraOnly
    /// The library exists and cannot be read.
    case unavailable
}
