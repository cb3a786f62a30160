// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage
import Thumbnails

extension LibraryService {
    func status(
        _ call: IncomingCall<Arguments<Vardict>>
    ) async throws(DBusError) -> Arguments<Vardict> {
        let (visitor, environment) = try await open(call.sender)
        let status = try await reading(for: visitor) { () async throws(LibraryError) in
            try await environment.library.status()
        }
        return Arguments(status.vardict(isComplete: visitor.view == .everything))
    }

    func albums(
        _ call: IncomingCall<Arguments<Vardict>>
    ) async throws(DBusError) -> Arguments<[Vardict]> {
        let (visitor, environment) = try await open(call.sender)
        let types = try LibraryQuery.mediaTypes(call.input.values)
        let albums = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.albums(types, in: visitor.view)
        }
        return Arguments(albums.map { $0.vardict(for: visitor.names) })
    }

    func moments(
        _ call: IncomingCall<Arguments<Vardict>>
    ) async throws(DBusError) -> Arguments<[Vardict], UInt64> {
        let (visitor, environment) = try await open(call.sender)
        let options = call.input.values
        let (unit, query) = (try LibraryQuery.unit(options), try LibraryQuery(partIn: options))
        let found = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.moments(
                unit, query.mediaTypes, in: visitor.view, from: query.offset, limit: query.limit)
        }
        return Arguments(
            await Self.vardicts(of: found.moments, for: visitor.names),
            UInt64(clamping: found.total))
    }

    func assets(
        _ call: IncomingCall<Arguments<String, Vardict>>
    ) async throws(DBusError) -> Arguments<[Vardict], UInt64> {
        let (visitor, environment) = try await open(call.sender)
        let (album, options) = call.input.values
        let (id, query) = (try LibraryQuery.album(album), try LibraryQuery(options))
        let page = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.page(
                of: visitor.names.album(id), query.mediaTypes, in: visitor.view,
                matching: query.search.map { SearchQuery($0, today: .today) },
                from: query.offset, limit: query.limit)
        }
        guard let page else { throw LibraryQuery.noAlbum(album) }
        return Arguments(
            await Self.vardicts(of: page.assets, for: visitor.names), UInt64(clamping: page.total))
    }

    func lookUp(
        _ call: IncomingCall<Arguments<[String]>>
    ) async throws(DBusError) -> Arguments<[Vardict]> {
        let (visitor, environment) = try await open(call.sender)
        let ids = try LibraryQuery.ids(call.input.values)
        let assets = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.listed(
                await Self.assets(ids, of: visitor.names), in: visitor.view)
        }
        return Arguments(await Self.vardicts(of: assets, for: visitor.names))
    }

    func thumbnail(
        _ call: IncomingCall<Arguments<String, UInt32, Vardict>>
    ) async throws(DBusError) -> Arguments<Descriptor, Vardict> {
        let (id, size, _) = call.input.values
        return try await picture(
            of: id, try .thumbnail(LibraryQuery.thumbnailSize(size)), for: call.sender)
    }

    func preview(
        _ call: IncomingCall<Arguments<String, UInt32, Vardict>>
    ) async throws(DBusError) -> Arguments<Descriptor, Vardict> {
        let (id, side, _) = call.input.values
        return try await picture(
            of: id, try .preview(side: LibraryQuery.previewSide(side)), for: call.sender)
    }

    /// How a photo is shown to an app.
    private enum Showing {
        case thumbnail(ThumbnailSize)
        case preview(side: Int)

        var side: Int {
            switch self {
            case .thumbnail(let size): size.pixels
            case .preview(let side): side
            }
        }
    }

    private func picture(
        of text: String, _ showing: Showing, for sender: BusName
    ) async throws(DBusError) -> Arguments<Descriptor, Vardict> {
        let (visitor, environment) = try await open(sender)
        let id = AssetID(text).map { visitor.names.asset($0) }
        let located = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.located(id, in: visitor.view)
        }
        guard let located else {
            throw PortalError.notFound("There is no photo '\(text.excerpt)'")
        }
        var problem = DecodeError.unreadable
        for file in located.files {
            do throws(DecodeError) {
                let picture = try await Self.picture(of: file, showing, for: visitor, environment)
                // Opened again, because callers of the same thumbnail may share the work.
                guard let pixels = try? picture.file.reopened() else { continue }
                return Arguments(pixels, picture.vardict)
            } catch {
                problem = error
            }
        }
        logger.info(
            "A photo cannot be shown to an app.",
            metadata: ["app": "\(visitor.caller.appID)", "error": "\(problem)"])
        throw PortalError.failed("The photo cannot be shown: \(problem.reason)")
    }

    /// Decodes a file, in the version that the library knows: another photo may have its name now.
    private static func picture(
        of file: LocatedFile, _ showing: Showing, for visitor: Visitor,
        _ environment: Environment
    ) async throws(DecodeError) -> RawPicture {
        let (path, roots) = (file.path, environment.roots)
        // The kernel finds out whether a link leads out of the library's folders.
        let opened = await FileCalls.shared.run(on: path, within: Deliverer.patience) { _ in
            let file = try? LibraryBounds.open(path, in: roots)
            if let file { FileCalls.shared.closeHere(file, of: path) }
            return file.flatMap { file in
                (try? FileVersion(of: file)).map { (file: file, version: $0) }
            }
        }
        guard let opened = opened ?? nil, opened.version == file.examined else {
            throw .unreadable
        }
        let client = visitor.caller.party.description
        // A hostile photo may have taken over the decoder of a cache entry and drawn another one, which
        // an app that sees only some photos may not see.
        guard case .thumbnail(let size) = showing, visitor.view == .everything else {
            return try await environment.decoders.session(client: client)
                .run(.pixels(side: showing.side), on: opened.file)
        }
        let made = try await environment.thumbnails.versioned(
            path, size, priority: .visible, client: client)
        guard made.version == opened.version else { throw .unreadable }
        return made.picture
    }

    // MARK: - Away from the bus

    // A thousand ids take milliseconds, in which the bus would stand still for everybody.

    @concurrent
    private static func assets(_ aliases: [AssetID], of names: AppAliases) async -> [AssetID] {
        aliases.map { names.asset($0) }
    }

    @concurrent
    private static func vardicts(of albums: [Album], for names: AppAliases) async -> [Vardict] {
        albums.map { $0.vardict(for: names) }
    }

    @concurrent
    private static func vardicts(
        of assets: [ListedAsset], for names: AppAliases
    ) async -> [Vardict] {
        assets.map { $0.vardict(for: names) }
    }
}

// MARK: - Replies

extension LibraryStatus {
    /// - Parameter isComplete: Whether the app sees all photos, and so may know how many there are.
    fileprivate func vardict(isComplete: Bool) -> Vardict {
        var vardict: Vardict = ["indexing": isIndexing.variant]
        guard isComplete else { return vardict }
        vardict["files"] = UInt64(clamping: files).variant
        vardict["pending"] = UInt64(clamping: pending).variant
        vardict["skipped"] = UInt64(clamping: skipped).variant
        vardict["unwatched"] = isUnwatched.variant
        vardict["waiting"] = isWaiting.variant
        return vardict
    }
}

extension Album {
    fileprivate func vardict(for names: AppAliases) -> Vardict {
        var vardict: Vardict = [
            "id": names.alias(of: id).rawValue.variant, "kind": kind.name.variant,
            "title": title.printable.variant, "count": UInt64(clamping: count).variant,
        ]
        vardict["date"] = Moment(id)?.date.variant
        vardict["cover"] = cover.map { names.alias(of: $0).description.variant }
        return vardict
    }
}

extension Album.Kind {
    fileprivate var name: String {
        switch self {
        case .smart: "smart"
        case .folder: "folder"
        case .user: "user"
        case .day, .month: "moment"
        }
    }
}

extension ListedAsset {
    fileprivate func vardict(for names: AppAliases) -> Vardict {
        var vardict: Vardict = [
            "id": names.alias(of: asset.id).description.variant,
            "media_type": asset.mediaType.rawValue.variant,
            "name": name.printable.variant,
            "width": UInt32(clamping: asset.size?.width ?? 0).variant,
            "height": UInt32(clamping: asset.size?.height ?? 0).variant,
            "size": UInt64(clamping: byteCount).variant,
            "modified": modified.variant,
            "favorite": isFavorite.variant,
            "adjusted": isAdjusted.variant,
            "resources": asset.resources.map(\.rawValue).variant,
        ]
        if !asset.rawTypes.isEmpty {
            vardict["raw_types"] = asset.rawTypes.map(\.rawValue).variant
        }
        if asset.frames > 0 { vardict["frames"] = UInt32(clamping: asset.frames).variant }
        if asset.hasCaptureDate { vardict["taken"] = asset.date.variant }
        vardict["has_place"] = details.hasPlace.variant
        vardict["duration"] = milliseconds.map { UInt64(clamping: $0).variant }
        vardict["color"] = colour?.variant
        vardict["title"] = details.title?.printable.variant
        vardict["alt"] = details.caption?.printable.variant
        if !details.keywords.isEmpty {
            vardict["keywords"] = details.keywords.map(\.printable).variant
        }
        vardict["rating"] = details.rating.map { UInt32(clamping: $0).variant }
        vardict["camera"] = details.camera?.printable.variant
        vardict["lens"] = details.lens?.printable.variant
        return vardict
    }
}

extension PhotoColour {
    /// The channels as in the results of `PickColor` of org.freedesktop.portal.Screenshot.
    fileprivate var variant: Variant {
        .structure([red, green, blue].map { .double(Double($0) / 255) })
    }
}

extension RawPicture {
    fileprivate var vardict: Vardict {
        [
            "width": UInt32(clamping: size.width).variant,
            "height": UInt32(clamping: size.height).variant,
            "stride": UInt32(clamping: stride).variant,
            "format": (hasAlpha ? "rgba" : "rgb").variant,
        ]
    }
}

extension DecodeError {
    /// The end of the sentence that an app gets.
    var reason: String {
        switch self {
        case .damaged, .crashed, .garbage, .miswritten: "it is damaged"
        case .tooLarge: "it is too large"
        case .unsupported, .locationStays: "its format is not supported"
        case .needsLibheif, .needsLibRaw: "it needs \(neededVersion ?? "another version")"
        case .unreadable: "its file is gone, has changed or cannot be read"
        case .timedOut: "decoding takes too long"
        case .stalled, .cancelled, .unavailable: "try again later"
        }
    }
}
