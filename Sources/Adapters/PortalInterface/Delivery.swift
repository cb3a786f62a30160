// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The results of a request.
package struct Delivery: Hashable, Sendable {
    /// One delivered file.
    package struct Item: Hashable, Sendable {
        /// Empty for a file that is not in the library.
        package var id: String
        package var uri: String
        package var mediaType: MediaType
        package var name: String
        /// Upright; nil when unknown.
        package var size: PixelSize?
        package var byteCount: UInt64
        /// Seconds since 1970; nil when unknown.
        package var taken: Int64?
        /// Seconds since 1970.
        package var modified: Int64
        package var source: PickedItem.Source
        package var isFavorite = false
        /// What it shows, in one line of words; nil when unknown.
        package var alternativeText: String?
        /// The part of the upright photo that it shows; nil for all of it.
        package var clip: PixelRectangle?
        /// How the photo was turned before.
        package var rotation = Rotation.none
        /// Whether the person changed that part, or turned the photo.
        package var isClipTouched = false
        /// The URI of a small picture of it; nil if there is none.
        package var thumbnail: String?
        /// The URI of a larger picture of it; nil if there is none.
        package var preview: String?
        /// Where it was taken; nil if that is unknown, or if the app may not know it.
        package var position: GeoPosition?
        /// Whether it shows less than the photo: a part of it, or fewer pixels.
        package var isPart = false

        /// Whether it is a part of the photo, or turned.
        package var isClipped: Bool { clip != nil || rotation != .none }

        package init(
            id: String, uri: String, mediaType: MediaType, name: String, size: PixelSize?,
            byteCount: UInt64, taken: Int64?, modified: Int64, source: PickedItem.Source
        ) {
            self.id = id
            self.uri = uri
            self.mediaType = mediaType
            self.name = name
            self.size = size
            self.byteCount = byteCount
            self.taken = taken
            self.modified = modified
            self.source = source
        }
    }

    /// A chosen photo that cannot be delivered.
    package struct Failure: Hashable, Sendable {
        package enum Code: String, Sendable {
            case notFound = "not-found"
            case changed
            case unreadable
            case wrongType = "wrong-type"
            /// Breaks a rule of the app.
            case unfit
            /// The photo exceeds the limits of a decoder, or cannot be made small enough; or more was
            /// chosen than one response can hold.
            case tooLarge = "too-large"
            /// The location cannot be removed.
            case location
            /// The disk has no room for the file that would have to be made.
            case noSpace = "no-space"
        }

        package var id: String
        package var code: Code
        /// A message for people; contains no path.
        package var message: String

        package init(id: String, code: Code, message: String) {
            self.id = id
            self.code = code
            self.message = message
        }
    }

    package var items: [Item]
    package var failures: [Failure]
    /// What the person granted to a sandboxed app; nil for any other caller.
    package var grants: Grants?
    /// The URIs of items whose location was removed, in order.
    package var withoutLocation: [String] = []
    /// The URIs of items that were converted, in order.
    package var converted: [String] = []

    package init(items: [Item] = [], failures: [Failure] = [], grants: Grants? = nil) {
        self.items = items
        self.failures = failures
        self.grants = grants
    }
}

// MARK: - Limits

extension Delivery {
    /// The results in place of a response that is too large.
    package static let tooLarge = Delivery(failures: [
        Failure(id: "", code: .tooLarge, message: "More was chosen than can be delivered at once.")
    ])
}

// MARK: - On the bus

extension Delivery {
    /// The results of a Response.
    package var vardict: Vardict {
        var results: Vardict = [
            "uris": items.map(\.uri).variant,
            "items": items.map(\.vardict).variant,
        ]
        if !failures.isEmpty { results["errors"] = failures.map(\.vardict).variant }
        results["persistent"] = grants?.contains(.persistent).variant
        results["writable"] = grants?.contains(.writable).variant
        results["include_location"] = grants?.contains(.location).variant
        var applied: Vardict = [:]
        if !withoutLocation.isEmpty { applied["location_removed"] = withoutLocation.variant }
        if !converted.isEmpty { applied["converted"] = converted.variant }
        if !applied.isEmpty { results["applied"] = applied.variant }
        return results
    }

    /// Reads the results of a Response; nil if they do not have the documented form.
    package init?(_ results: Vardict) {
        let items = results.value("items", as: [Vardict].self) ?? []
        let failures = results.value("errors", as: [Vardict].self) ?? []
        self.items = items.compactMap { Item($0) }
        self.failures = failures.compactMap { Failure($0) }
        if let isPersistent = results.value("persistent", as: Bool.self),
            let isWritable = results.value("writable", as: Bool.self)
        {
            let hasLocation = results.value("include_location", as: Bool.self) ?? false
            grants = (isPersistent ? Grants.persistent : .none)
                .union(isWritable ? .writable : .none).union(hasLocation ? .location : .none)
        }
        let applied = results.value("applied", as: Vardict.self) ?? [:]
        withoutLocation = applied.value("location_removed") ?? []
        converted = applied.value("converted") ?? []
        guard self.items.count == items.count, self.failures.count == failures.count else {
            return nil
        }
    }
}

extension Delivery.Item {
    fileprivate var vardict: Vardict {
        var vardict: Vardict = [
            "id": id.variant,
            "uri": uri.variant,
            "media_type": mediaType.rawValue.variant,
            "name": name.variant,
            "width": UInt32(clamping: size?.width ?? 0).variant,
            "height": UInt32(clamping: size?.height ?? 0).variant,
            "size": byteCount.variant,
            "modified": modified.variant,
            "source": source.rawValue.variant,
            "favorite": isFavorite.variant,
        ]
        vardict["taken"] = taken?.variant
        vardict["alt"] = alternativeText?.variant
        vardict["thumbnail_uri"] = thumbnail?.variant
        vardict["preview_uri"] = preview?.variant
        vardict["location"] = position?.variant
        vardict.write(clip, rotation, isClipTouched)
        return vardict
    }

    fileprivate init?(_ vardict: Vardict) {
        guard let uri = vardict.value("uri", as: String.self),
            let mediaType = vardict.value("media_type", as: String.self).flatMap(MediaType.init)
        else { return nil }
        let size = PixelSize(
            width: Int(vardict.value("width", as: UInt32.self) ?? 0),
            height: Int(vardict.value("height", as: UInt32.self) ?? 0))
        self.init(
            id: vardict.value("id") ?? "", uri: uri, mediaType: mediaType,
            name: vardict.value("name") ?? "", size: size.isEmpty ? nil : size,
            byteCount: vardict.value("size") ?? 0, taken: vardict.value("taken"),
            modified: vardict.value("modified") ?? 0,
            source: vardict.value("source", as: String.self)
                .flatMap(PickedItem.Source.init(rawValue:)) ?? .library)
        isFavorite = vardict.value("favorite") ?? false
        alternativeText = vardict.value("alt")
        thumbnail = vardict.value("thumbnail_uri")
        preview = vardict.value("preview_uri")
        position = vardict.value("location")
        clip = vardict.value("clip")
        rotation = vardict.rotation ?? .none
        isClipTouched = vardict.value("clip_touched") ?? false
    }
}

extension Delivery.Failure {
    fileprivate var vardict: Vardict {
        ["id": id.variant, "code": code.rawValue.variant, "message": message.variant]
    }

    fileprivate init?(_ vardict: Vardict) {
        guard let code = vardict.value("code", as: String.self).flatMap(Code.init(rawValue:))
        else { return nil }
        self.init(
            id: vardict.value("id") ?? "", code: code, message: vardict.value("message") ?? "")
    }
}
