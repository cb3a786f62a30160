// SPDX-License-Identifier: MIT

import Photos

// MARK: - What is shown

extension Pick {
    mutating func open(on album: AlbumID?) -> [PickEffect] {
        guard takes(.library) else {
            shown = query
            page = isCameraOnly ? .cameraOnly : .noLibrary
            return []
        }
        if let album { query.album = album }
        return startLoad(showsBeginning: true)
    }

    mutating func show(_ album: AlbumID) -> [PickEffect] {
        guard takes(.library), album != query.album, !isLimitedToAlbum else { return [] }
        query.album = album
        return startLoad(showsBeginning: true) + suggest()
    }

    mutating func filter(by index: Int?) -> [PickEffect] {
        guard file?.choose(filter: index) == true, let filter = file?.shown, filter != query.filter
        else { return [] }
        query.filter = filter
        return startLoad(showsBeginning: false) + suggest()
    }

    mutating func search(for text: String) -> [PickEffect] {
        // Blanks find everything, but one after a word ends it.
        let text = text.allSatisfy(\.isWhitespace) ? "" : text
        guard takes(.library), text != query.searchText else { return [] }
        query.searchText = text
        return startLoad(showsBeginning: true) + suggest()
    }

    /// Asks what the unfinished word of the search may become, if there is one.
    private mutating func suggest() -> [PickEffect] {
        guard UnfinishedWord(in: query.searchText) != nil else {
            suggestions = []
            return []
        }
        return [.suggest(query)]
    }

    /// Reads the library again, once the load in progress has ended.
    ///
    /// Restarting the load for each change would show nothing while the library keeps changing.
    mutating func reload() -> [PickEffect] {
        guard takes(.library) else { return [] }
        guard load == nil else {
            isOutdated = true
            return []
        }
        return startLoad(showsBeginning: false)
    }

    mutating func startLoad(showsBeginning: Bool) -> [PickEffect] {
        loadCount += 1
        isOutdated = false
        let next = PhotoLoad(query: query, number: loadCount, showsBeginning: showsBeginning)
        load = next
        return [.load(next)]
    }
}

// MARK: - Results

extension Pick {
    mutating func begin(_ load: PhotoLoad, _ photos: PhotoList) -> [PickEffect] {
        // An empty beginning means little: the album may not exist.
        guard load == self.load, !photos.isEmpty else { return [] }
        // The album has photos, so it exists.
        limitToAlbum()
        list(photos, of: load.query)
        page = .photos
        return []
    }

    mutating func use(_ contents: LibraryContents, of load: PhotoLoad) -> [PickEffect] {
        guard load == self.load else { return [] }
        self.load = nil
        let opened = contents.albums.opened(for: query.album)
        let isKnown = opened == query.album
        if isKnown { limitToAlbum() }
        // What the app chose in advance may have gone long ago, and the person has not seen it.
        let isKnownToPerson = status != nil
        status = contents.status
        let cropped = crop
        knownFrames.replace(with: contents.frames, of: load.number)
        dropFromPreview(contents.gone)
        closeCrop(of: contents.gone)
        let gone = drop(contents.gone)
        let notices = isKnownToPerson ? tellLoss(of: gone) : []
        // If the album does not exist, both it and `only_album` are ignored. But an album that the
        // window is limited to stays in view even after its last photo has gone. Before there is a
        // library, it is unknown whether the album exists.
        if !isKnown, contents.status != nil, !isLimitedToAlbum {
            query.album = opened
            isAlbumIgnored = true
            offer(contents.albums)
            return notices + startLoad(showsBeginning: true)
        }
        offer(contents.albums)
        list(contents.photos, of: load.query)
        page = contents.photos.isEmpty ? emptyPage : .photos
        let isCropLost = cropped != nil && crop == nil && notices.isEmpty
        return notices + (isCropLost ? [.announce(.listChanged)] : [])
            + (choosesAllWhenLoaded ? selectAll() : [])
            + (isOutdated ? startLoad(showsBeginning: false) : [])
    }

    mutating func fail(_ load: PhotoLoad) -> [PickEffect] {
        guard load == self.load else { return [] }
        self.load = nil
        // Keeps the photos on the screen; the next change of the library tries again.
        if photos.isEmpty { page = .unavailable }
        return isOutdated ? startLoad(showsBeginning: false) : []
    }

    /// Removes changed photos from the selection: the person has to look at them again.
    mutating func giveUp(_ changed: Set<AssetID>) -> [PickEffect] {
        // Whoever prepares the files finds out as well.
        guard preparing == nil else { return [] }
        closeCrop(of: changed)
        return tellLoss(of: drop(changed))
    }

    private mutating func tellLoss(of gone: [PickedItem.Reference]) -> [PickEffect] {
        guard !gone.isEmpty else { return [] }
        lost += gone
        // All that the person may not have read yet, because one message takes the place of another.
        return [.announce(.notReady(.changed(lost, name: nil)))]
    }

    /// Shows no other albums, if the app asked for that and its album exists.
    private mutating func limitToAlbum() {
        if request.options.isOnlyAlbum, !isAlbumIgnored { isLimitedToAlbum = true }
    }

    private var emptyPage: PickPage {
        guard query.searchText.isEmpty else {
            return .nothingFound(query.searchText, isInAlbum: query.album != .all)
        }
        guard let status, !status.isIndexing else { return .looking(files: status?.files ?? 0) }
        guard query.album == .all else { return .emptyAlbum }
        return status.files > status.skipped ? .nothingFits : .emptyLibrary
    }

    private mutating func offer(_ albums: [Album]) {
        self.albums = albums.filter { $0.count > 0 || $0.id == .all || $0.id == query.album }
    }

    private mutating func list(_ photos: PhotoList, of query: PhotoQuery) {
        if query != shown {
            shown = query
            focus = nil
            endRange()
        }
        if let focus, photos.index(of: focus) == nil {
            self.focus = neighbour(of: focus, in: photos)
            isFocusInherited = true
        }
        movePreview(to: photos)
        self.photos = photos
        findNewest()
        if let anchor, photos.index(of: anchor) == nil { endRange() }
    }

    /// The photo after one that another list no longer has, or else the one before it; nil if the
    /// other list has none of these photos.
    func neighbour(of id: AssetID, in other: PhotoList) -> AssetID? {
        guard let index = photos.index(of: id) else { return nil }
        return photos.ids[index...].first { other.index(of: $0) != nil }
            ?? photos.ids[..<index].last { other.index(of: $0) != nil }
    }

    /// Removes photos that left the library from the selection.
    ///
    /// - Returns: Those that were chosen.
    private mutating func drop(_ gone: Set<AssetID>) -> [PickedItem.Reference] {
        let lost = selection.items.map(\.reference).filter { item in
            if case .asset(let id) = item { gone.contains(id) } else { false }
        }
        selection.remove(Set(gone.map { .asset($0) }))
        if !lost.isEmpty { beforeClick = nil }
        range.subtract(gone)
        facts.forget(gone)
        if let anchor, gone.contains(anchor) { endRange() }
        return lost
    }
}
