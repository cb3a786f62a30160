// SPDX-License-Identifier: MIT

package import Photos

/// Why nothing of a change set was done.
package enum LibraryChangeError: Error, Hashable, Sendable {
    /// The operation at this position of the set is not possible.
    case refused(index: Int, Reason)
    /// A copy takes the place of the library, and changes to it would be gone with the session.
    case substitute
    case library(LibraryError)

    package enum Reason: Hashable, Sendable {
        /// Nil for one that the set itself was to make.
        case noAlbum(AlbumID?)
        /// It follows from files or from a rule.
        case notFilledByPeople
        /// Nil for one that the set itself was to add.
        case noAsset(AssetID?)
        /// The album has fewer other photos.
        case noPosition(Int)
        /// There are so many albums already.
        case tooManyAlbums(Int)
        /// No album may have more photos.
        case tooManyPhotos(Int)
        /// A picture is no version of a video, nor the other way round.
        case otherKind
        /// Another service has removed what was on its way into the library.
        case interrupted
    }
}
