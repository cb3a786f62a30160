// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// A pick in a test, with a library of numbered photos behind it.
struct Session {
    var pick: Pick
    /// The effects for the window since the test last looked.
    var effects: [PickEffect] = []
    /// The library's photos by album.
    var library: [AlbumID: [UInt8]]
    /// The photos that break a rule of the app.
    var unfit: Set<UInt8> = []
    /// The pictures of bursts that lists do not show, with the photos that they show instead.
    var frames: [UInt8: UInt8] = [:]
    /// The number of photos of types that the app does not accept.
    var unsuitable = 0

    /// Opens a window on a library with the photos 1 to `count`.
    init(
        photos count: UInt8 = 9, albums: [AlbumID: [UInt8]] = [:], minimum: Int = 1,
        maximum: Int? = nil, file: FileRequest? = nil, unfit: Set<UInt8> = [],
        _ change: (inout PickOptions) -> Void = { _ in }
    ) throws {
        var options = PickOptions()
        options.count = try #require(CountLimits(minimum: minimum, maximum: maximum))
        change(&options)
        pick = Pick(
            PickRequest(appID: "", parentWindow: "", title: "", options: options), file: file)
        library = albums
        self.unfit = unfit
        library[.all] = count > 0 ? Array(1...count) : []
        send(.opened())
        answer()
        effects = []
    }

    mutating func send(_ event: PickEvent) {
        effects += pick.handle(event)
    }

    mutating func click(
        _ number: UInt8, presses: Int = 1, shift: Bool = false, settled: Bool = true
    ) {
        send(
            .clicked(id(number), presses: presses, isExtending: shift, isSettled: settled))
    }

    mutating func key(_ key: PickKey) {
        send(.key(key))
    }

    /// The last load that the window was asked for.
    var load: PhotoLoad? {
        effects.lazy.compactMap { if case .load(let load) = $0 { load } else { nil } }.last
    }

    /// Reads the library like the window, until no load is left.
    mutating func answer(gone: Set<AssetID> = []) {
        while let load {
            effects.removeAll { if case .load = $0 { true } else { false } }
            send(.loaded(load, contents(for: load, gone: gone)))
        }
    }

    /// - Parameter photos: What is found; nil for the photos of the album.
    func contents(
        for load: PhotoLoad, photos: [UInt8]? = nil, gone: Set<AssetID> = []
    ) -> LibraryContents {
        LibraryContents(
            albums: library.keys.sorted { $0.rawValue < $1.rawValue }.map { album in
                Album(
                    id: album, kind: .smart, title: album.rawValue,
                    count: library[album]?.count ?? 0, cover: nil)
            },
            photos: list(photos ?? library[load.query.album] ?? [], unfit: unfit),
            status: LibraryStatus(
                isIndexing: false, files: (library[.all]?.count ?? 0) + unsuitable, pending: 0,
                skipped: 0), gone: gone,
            frames: Dictionary(uniqueKeysWithValues: frames.map { (id($0), id($1)) }))
    }

    /// Replaces the photos of the library; those that left it are no longer chosen.
    mutating func change(_ album: AlbumID = .all, to photos: [UInt8]) {
        let old = Set(library.values.joined())
        library[album] = photos
        send(.libraryChanged)
        answer(gone: Set(old.subtracting(library.values.joined()).map(id)))
    }

    /// The numbers of the chosen photos, in order.
    var chosen: [UInt8] { pick.selection.assetIDs.compactMap(\.bytes.first) }
    /// The numbers of the listed photos.
    var listed: [UInt8] { pick.photos.ids.compactMap(\.bytes.first) }

    /// How the pick ended; nil while it is in progress.
    var outcome: PickOutcome? {
        effects.lazy.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }.first
    }

    /// The numbers of the photos that were delivered.
    var delivered: [UInt8]? {
        guard case .picked(let items, _) = outcome else { return nil }
        return items.compactMap {
            if case .asset(let id) = $0.reference { id.bytes.first } else { nil }
        }
    }
}

/// An id made from a number.
func id(_ number: UInt8) -> AssetID {
    guard let id = AssetID(bytes: Array(repeating: number, count: 16)) else {
        preconditionFailure("16 bytes are an id")
    }
    return id
}

func list(_ numbers: [UInt8], unfit: Set<UInt8> = []) -> PhotoList {
    var list = PhotoList()
    for number in numbers {
        list.append(
            id(number), size: PixelSize(width: 3, height: 2), taken: Int64(number),
            breaking: unfit.contains(number) ? .minimumWidth : nil)
    }
    return list
}

func album(_ name: String) -> AlbumID {
    guard let album = AlbumID(name) else { preconditionFailure("not the name of an album") }
    return album
}
