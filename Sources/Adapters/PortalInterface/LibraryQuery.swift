// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The arguments of the methods of `org.freedesktop.portal.PhotoLibrary` that read.
package struct LibraryQuery: Hashable, Sendable {
    /// The most photos in one reply.
    package static let mostAssets = 1000
    /// The most ids in one call.
    package static let mostIDs = 1000
    /// The most characters that are searched for.
    package static let longestSearch = 256

    package var mediaTypes: MediaFilter
    /// What somebody searches for; nil for no search.
    package var search: String?
    /// The position of the first photo.
    package var offset = 0
    /// The most photos, up to ``mostAssets``.
    package var limit = 100

    /// Reads the options of a call; unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the key, the
    ///   expected value and the value received.
    package init(_ options: Vardict) throws(DBusError) {
        try self.init(partIn: options)
        search = try options.decoded("search", .text(atMost: Self.longestSearch)) ?? nil
    }

    /// Reads the options of a method that does not search.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package init(partIn options: Vardict) throws(DBusError) {
        mediaTypes = try Self.mediaTypes(options)
        offset = try options.decoded("offset", .count) ?? offset
        limit = try options.decoded("limit", .number(in: 1...Self.mostAssets)) ?? limit
    }

    /// The media types alone, for a method that has no other option.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func mediaTypes(_ options: Vardict) throws(DBusError) -> MediaFilter {
        try options.decoded("media_types", .mediaTypes) ?? .everything
    }

    /// The unit of the moments that `GetMoments` lists.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func unit(_ options: Vardict) throws(DBusError) -> Moment.Unit {
        try options.decoded("unit", .choice) ?? .day
    }

    /// The most ids in the reply of `GetChanges`.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func changeLimit(_ options: Vardict) throws(DBusError) -> Int {
        try options.decoded("limit", .number(in: 1...ChangeReport.mostIDs)) ?? ChangeReport.mostIDs
    }

    /// The generation with which the signals of `WatchChanges` begin; nil for the present one.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func since(_ options: Vardict) throws(DBusError) -> UInt64? {
        try options.decoded("since", .generation)
    }

    /// Which file `OpenAsset` opens.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func version(_ options: Vardict) throws(DBusError) -> AssetVersion {
        try options.decoded("version", .choice) ?? .current
    }

    /// Which of the files of a photo `OpenAsset` opens.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func resource(_ options: Vardict) throws(DBusError) -> ResourceChoice {
        ResourceChoice(
            try options.decoded("resource", .choice) ?? .primary,
            index: try options.decoded("index", .count) ?? 0)
    }

    /// The title of the album to which `SaveImage` adds; nil for none.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func albumTitle(_ options: Vardict) throws(DBusError) -> String? {
        try options.decoded("album", .title)
    }

    /// The id of an album; a text that cannot be an id is that of no album.
    ///
    /// - Throws: ``DBusError`` `NotFound`.
    package static func album(_ text: String) throws(DBusError) -> AlbumID {
        guard let album = AlbumID(text) else { throw noAlbum(text) }
        return album
    }

    package static func noAlbum(_ id: String) -> DBusError {
        PortalError.notFound("There is no album with the id '\(id.excerpt)'")
    }

    /// The ids among these texts; a text that cannot be an id is that of no photo.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument` if there are too many.
    package static func ids(_ texts: [String]) throws(DBusError) -> [AssetID] {
        guard texts.count <= mostIDs else {
            throw PortalError.invalidArgument(
                "Expected at most \(mostIDs) elements for 'ids', got \(texts.count)")
        }
        return texts.compactMap { AssetID($0) }
    }

    /// The size of a thumbnail.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func thumbnailSize(_ size: UInt32) throws(DBusError) -> ThumbnailSize {
        let most = ThumbnailSize.xxLarge.pixels
        guard let size = Int(exactly: size), (1...most).contains(size) else {
            throw PortalError.invalidArgument("Expected 1 to \(most) for 'size', got \(size)")
        }
        return ThumbnailSize.covering(size)
    }

    /// The longest side of the largest preview.
    package static let mostPreviewPixels = 8192

    /// The longest side of a preview.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package static func previewSide(_ side: UInt32) throws(DBusError) -> Int {
        guard let side = Int(exactly: side), (1...mostPreviewPixels).contains(side) else {
            throw PortalError.invalidArgument(
                "Expected 1 to \(mostPreviewPixels) for 'max_dimension', got \(side)")
        }
        return side
    }
}

extension AccessLevel {
    /// Reads the argument `level`.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package init(argument text: String) throws(DBusError) {
        guard let level = AccessLevel(rawValue: text) else {
            throw PortalError.invalidArgument("Expected 'add' or 'read-write' for 'level'")
        }
        self = level
    }
}

extension Vardict {
    /// The token of the caller's request.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package func handleToken() throws(DBusError) -> HandleToken {
        try decoded("handle_token", .token) ?? .standard
    }
}

extension OptionCoding where Value == UInt64 {
    fileprivate static var generation: OptionCoding {
        OptionCoding(decode: { $0 }, encode: { $0 })
    }
}
