// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoLibrary
import Photos

/// The list of albums with their covers and counts.
@UIActor
final class AlbumSidebar {
    var onChoose: @UIActor (AlbumID) -> Void = { _ in }
    var loadCover: @UIActor (AssetID, Int) async -> Texture? = { _, _ in nil }

    private let list: ListBox
    private var albums: [Album] = []
    private var offer = Offer.photos
    private var covers: [AlbumID: GtkKit.Picture] = [:]
    private var counts: [AlbumID: Label] = [:]
    private var rows: [AlbumID: ListRow] = [:]
    private var shownCovers: [AlbumID: AssetID] = [:]
    /// The covers that have been loaded, for when rows are made again.
    private var textures: [AssetID: Texture] = [:]
    private var loading: [AlbumID: Task<Void, Never>] = [:]

    private static let coverPixels = 32

    init(_ list: ListBox) {
        self.list = list
        list.onActivate { [weak self] index in
            guard let self, albums.indices.contains(index) else { return }
            onChoose(albums[index].id)
        }
    }

    /// Shows albums; the rows of those that were there before stay.
    func show(_ albums: [Album], selected: AlbumID, _ offer: Offer) {
        guard albums != self.albums || offer != self.offer else { return highlight(selected) }
        let isSame = offer == self.offer && albums.map(\.id) == self.albums.map(\.id)
        // The row of all photos has another name then.
        if offer != self.offer { forget(AlbumID.all) }
        self.albums = albums
        self.offer = offer
        if !isSame {
            let wanted = Set(albums.compactMap(\.cover))
            textures = textures.filter { wanted.contains($0.key) }
            showRows()
        }
        for album in albums {
            let count = LocalTime.number(album.count)
            counts[album.id]?.text = count
            rows[album.id]?.setAccessibleLabel(
                localized("%@, %@", title(of: album), offer.text(album.count)))
            showCover(album)
        }
        highlight(selected)
    }

    /// Loads the covers that are these photos again.
    func reload(_ ids: Set<AssetID>) {
        textures = textures.filter { !ids.contains($0.key) }
        for album in albums {
            guard let cover = shownCovers[album.id], ids.contains(cover) else { continue }
            shownCovers[album.id] = nil
            showCover(album)
        }
    }

    /// Highlights the album that is shown; the keyboard focus does not move the highlight.
    private func highlight(_ album: AlbumID) {
        for (id, row) in rows { row.isHighlighted = id == album }
    }

    var containsFocus: Bool { list.containsFocus }

    /// Gives the keyboard focus to the album that is shown.
    ///
    /// - Returns: Whether it has the focus now; false while the sidebar is hidden.
    func takeFocus() -> Bool {
        list.isMapped && rows.values.first { $0.isHighlighted }?.grabFocus() ?? false
    }

    func focusFirst() { albums.first.flatMap { rows[$0.id] }?.grabFocus() }
    func focusLast() { albums.last.flatMap { rows[$0.id] }?.grabFocus() }

    /// The album's name for people.
    func title(of album: Album) -> String {
        SmartAlbum(album.id).map { title(of: $0) } ?? album.title.printable
    }

    /// The name of a smart album for people.
    func title(of smart: SmartAlbum) -> String {
        switch smart {
        case .all: offer.allTitle
        case .recent: localized("Recent")
        case .favorites: localized("Favorites")
        case .videos: localized("Videos")
        case .screenshots: localized("Screenshots")
        case .panoramas: localized("Panoramas")
        case .selfies: localized("Selfies")
        case .animations: localized("Animations")
        case .live: localized("Live photos")
        case .bursts: localized("Bursts")
        case .raw: localized("RAW")
        }
    }

    private func showRows() {
        for id in Set(rows.keys).subtracting(albums.map(\.id)) { forget(id) }
        let firstFolder = albums.first { $0.kind == .folder }?.id
        let firstFilled = albums.first { $0.kind == .user }?.id
        let wanted = albums.map { album in
            let row = rows[album.id] ?? makeRow(album)
            row.heading =
                switch album.id {
                case firstFilled: localized("Albums")
                case firstFolder: localized("Folders")
                default: nil
                }
            rows[album.id] = row
            return row
        }
        list.show(wanted)
    }

    private func forget(_ album: AlbumID) {
        loading.removeValue(forKey: album)?.cancel()
        covers[album] = nil
        counts[album] = nil
        rows[album] = nil
        shownCovers[album] = nil
    }

    private func makeRow(_ album: Album) -> ListRow {
        let cover = GtkKit.Picture()
        let frame = Box(isVertical: true)
        frame.setMinimumSize(width: Self.coverPixels, height: Self.coverPixels)
        frame.setClass("album-cover")
        let square = Overlay(frame)
        square.centerVertically()
        square.addFilling(cover)
        let title = Label(title(of: album))
        title.setAlignedToStart()
        title.setEllipsized()
        let count = Label()
        count.setClass("dim-label")
        count.setClass("numeric")
        let content = Box(isVertical: false, spacing: 12)
        content.append(square)
        content.append(title, expands: true)
        content.append(count)
        covers[album.id] = cover
        counts[album.id] = count
        return ListRow(content)
    }

    private func showCover(_ album: Album) {
        guard shownCovers[album.id] != album.cover, let picture = covers[album.id] else { return }
        shownCovers[album.id] = album.cover
        guard let id = album.cover else {
            loading.removeValue(forKey: album.id)?.cancel()
            return picture.texture = nil
        }
        if let texture = textures[id] { return picture.texture = texture }
        let pixels = Self.coverPixels * picture.scaleFactor
        loading[album.id]?.cancel()
        loading[album.id] = Task { [weak self, weak picture, loadCover] in
            guard let texture = await loadCover(id, pixels), !Task.isCancelled else { return }
            self?.textures[id] = texture
            picture?.texture = texture
        }
    }
}
