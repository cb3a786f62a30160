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
    /// The covers that have been loaded, for when the rows are made again.
    private var textures: [AssetID: Texture] = [:]
    private var loading: [Task<Void, Never>] = []

    private static let coverPixels = 32

    init(_ list: ListBox) {
        self.list = list
        list.onActivate { [weak self] index in
            guard let self, albums.indices.contains(index) else { return }
            onChoose(albums[index].id)
        }
    }

    /// Shows albums; if only counts and covers changed, the rows stay.
    func show(_ albums: [Album], selected: AlbumID, _ offer: Offer) {
        guard albums != self.albums || offer != self.offer else { return highlight(selected) }
        let isSame = offer == self.offer && albums.map(\.id) == self.albums.map(\.id)
        self.albums = albums
        self.offer = offer
        if !isSame {
            let wanted = Set(albums.compactMap(\.cover))
            textures = textures.filter { wanted.contains($0.key) }
            rebuild()
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

    /// Highlights the album that is shown; the keyboard focus does not move the highlight.
    private func highlight(_ album: AlbumID) {
        for (id, row) in rows { row.isHighlighted = id == album }
    }

    /// The album's name for people.
    private func title(of album: Album) -> String {
        guard let smart = SmartAlbum(album.id) else { return album.title.printable }
        return switch smart {
        case .all: offer.allTitle
        case .recent: localized("Recent")
        }
    }

    private func rebuild() {
        for task in loading { task.cancel() }
        loading = []
        list.removeAll()
        covers = [:]
        counts = [:]
        rows = [:]
        shownCovers = [:]
        var hasHeading = false
        for album in albums {
            let row = makeRow(album)
            if album.kind == .folder && !hasHeading {
                hasHeading = true
                row.setHeading(localized("Folders"))
            }
            rows[album.id] = row
            list.append(row)
        }
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
        guard let id = album.cover, shownCovers[album.id] != id,
            let picture = covers[album.id]
        else { return }
        shownCovers[album.id] = id
        if let texture = textures[id] { return picture.texture = texture }
        let pixels = Self.coverPixels * picture.scaleFactor
        loading.append(
            Task { [weak self, weak picture, loadCover] in
                guard let texture = await loadCover(id, pixels), !Task.isCancelled else { return }
                self?.textures[id] = texture
                picture?.texture = texture
            })
    }
}
