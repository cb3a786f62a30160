// SPDX-License-Identifier: MIT

import Files
import ImageWork
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage
import Thumbnails

extension LibraryService {
    func albums(
        _ call: IncomingCall<Arguments<Vardict>>
    ) async throws(DBusError) -> Arguments<[Vardict]> {
        let (visitor, environment) = try await open(call.sender)
        let query = try LibraryQuery(call.input.values)
        let albums = try await reading { () throws(LibraryError) in
            try await environment.library.albums(query.mediaTypes, in: visitor.view)
        }
        return Arguments(albums.map { $0.vardict(for: visitor) })
    }

    func assets(
        _ call: IncomingCall<Arguments<String, Vardict>>
    ) async throws(DBusError) -> Arguments<[Vardict], UInt64> {
        let (visitor, environment) = try await open(call.sender)
        let (album, options) = call.input.values
        let (id, query) = (try LibraryQuery.album(album), try LibraryQuery(options))
        let page = try await reading { () throws(LibraryError) in
            try await environment.library.page(
                of: id, query.mediaTypes, in: visitor.view, from: query.offset, limit: query.limit)
        }
        guard let page else { throw PortalError.notFound("There is no album '\(id)'") }
        return Arguments(
            page.assets.map { $0.vardict(for: visitor) }, UInt64(clamping: page.total))
    }

    func lookUp(
        _ call: IncomingCall<Arguments<[String]>>
    ) async throws(DBusError) -> Arguments<[Vardict]> {
        let (visitor, environment) = try await open(call.sender)
        let ids = try LibraryQuery.ids(call.input.values).map { visitor.asset($0) }
        let assets = try await reading { () throws(LibraryError) in
            try await environment.library.listed(ids, in: visitor.view)
        }
        return Arguments(assets.map { $0.vardict(for: visitor) })
    }

    func thumbnail(
        _ call: IncomingCall<Arguments<String, UInt32, Vardict>>
    ) async throws(DBusError) -> Arguments<Descriptor, Vardict> {
        let (visitor, environment) = try await open(call.sender)
        let (text, wanted, _) = call.input.values
        let size = try LibraryQuery.thumbnailSize(wanted)
        let id = try LibraryQuery.ids([text]).first.map { visitor.asset($0) }
        let listed = try await reading { () throws(LibraryError) in
            try await environment.library.listed(id.map { [$0] } ?? [], in: visitor.view)
        }
        guard let asset = listed.first?.asset else {
            throw PortalError.notFound("There is no photo '\(text.printable.prefix(64))'")
        }
        let paths = try await reading { () throws(LibraryError) in
            try await environment.library.paths(of: asset.id)
        }
        for path in paths {
            // Opened again, because callers of the same thumbnail may share the work.
            if let picture = await Self.picture(of: path, size, for: visitor, environment),
                let pixels = try? picture.file.reopened()
            {
                return Arguments(pixels, picture.vardict)
            }
        }
        throw PortalError.failed("The photo cannot be shown")
    }

    /// Makes a thumbnail; nil if the file cannot be shown.
    private static func picture(
        of path: FilePath, _ size: ThumbnailSize, for visitor: Visitor, _ environment: Environment
    ) async -> RawPicture? {
        let roots = environment.roots
        // The kernel finds out whether a link leads out of the library's folders.
        let opened = await FileCalls.shared.run(on: path, within: Deliverer.patience) { _ in
            let file = try? LibraryBounds.open(path, in: roots)
            if let file { FileCalls.shared.closeHere(file, of: path) }
            return file.flatMap { file in
                (try? FileVersion(of: file)).map { (file: file, version: $0) }
            }
        }
        guard let opened = opened ?? nil else { return nil }
        guard visitor.view == .everything else {
            // A hostile photo may have taken over the decoder of a cache entry and drawn another one,
            // which this app may not see.
            let decoder = environment.decoders.session(client: visitor.caller.party.description)
            return try? await decoder.run(.pixels(side: size.pixels), on: opened.file)
        }
        let made = try? await environment.thumbnails.versioned(path, size, priority: .visible)
        return made?.version == opened.version ? made?.picture : nil
    }

    /// Reads the library for a caller.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.Failed`.
    private func reading<Value: Sendable>(
        _ body: () async throws(LibraryError) -> Value
    ) async throws(DBusError) -> Value {
        do {
            return try await body()
        } catch {
            throw PortalError.failed("The library cannot be read: \(error)")
        }
    }
}

// MARK: - Replies

extension Album {
    fileprivate func vardict(for visitor: Visitor) -> Vardict {
        var vardict: Vardict = [
            "id": id.rawValue.variant, "kind": kind.name.variant, "title": title.variant,
            "count": UInt64(clamping: count).variant,
        ]
        vardict["cover"] = cover.map { visitor.alias(of: $0).description.variant }
        return vardict
    }
}

extension Album.Kind {
    fileprivate var name: String {
        switch self {
        case .smart: "smart"
        case .folder: "folder"
        }
    }
}

extension ListedAsset {
    fileprivate func vardict(for visitor: Visitor) -> Vardict {
        var vardict: Vardict = [
            "id": visitor.alias(of: asset.id).description.variant,
            "media_type": asset.mediaType.rawValue.variant,
            "name": name.printable.variant,
            "width": UInt32(clamping: asset.size?.width ?? 0).variant,
            "height": UInt32(clamping: asset.size?.height ?? 0).variant,
            "size": UInt64(clamping: byteCount).variant,
            "modified": modified.variant,
        ]
        if asset.hasCaptureDate { vardict["taken"] = asset.date.variant }
        return vardict
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
