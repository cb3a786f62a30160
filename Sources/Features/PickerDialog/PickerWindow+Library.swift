// SPDX-License-Identifier: MIT

import GtkKit
import Logging
import PhotoLibrary
import Photos
import PickModel
import SystemPackage

extension PickerWindow {
    /// Loads the library, and again whenever it changes.
    func follow() async {
        // Watching begins before the first load, so that no change falls between the two.
        let changes = await library.changes()
        send(.opened(on: await requestedFolder()))
        for await _ in changes {
            send(.libraryChanged)
            // While the library is indexed for the first time, it changes all the time.
            let pause = pick.photos.isEmpty ? Self.pauseWithoutPhotos : Self.pause
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    /// The album with the photos of the folder that a file request names.
    private func requestedFolder() async -> AlbumID? {
        guard let folder = pick.file?.request.folder else { return nil }
        let path = FilePath(platformString: folder.map { CChar(bitPattern: $0) } + [0])
        // Without it the window opens on all photos, and the load that follows reports the error.
        return try? await library.album(ofFolder: path)
    }

    func read(_ load: PhotoLoad) async {
        do throws(LibraryError) {
            var known: PhotoList?
            if load.showsBeginning {
                // The whole album may have a million photos.
                let photos = try await library.photos(load.query, limit: WindowParts.firstPhotos)
                // A search is not made twice if the beginning is all that it finds.
                if load.query.search != nil, photos.count < WindowParts.firstPhotos {
                    known = photos
                }
                send(.began(load, photos))
                // The first screen before everything else, unless the albums have to go from it.
                if !photos.isEmpty, !pick.request.options.isOnlyAlbum {
                    await source.rest(within: Self.firstScreenTime)
                }
            }
            // What is chosen while this runs is not looked up, so it cannot be among the gone.
            let contents = try await library.contents(
                load.query, known: known, chosen: pick.idsInView, accepted: pick.accepted)
            send(.loaded(load, contents))
            preview.findBurst(pick, again: true)
            if !load.showsBeginning { findOutdated() }
        } catch {
            guard !Task.isCancelled else { return }
            // Until the service has run for the first time there is no library.
            if error.code == .missing { return send(.loaded(load, LibraryContents())) }
            logger.error("\(error)")
            send(.failed(load))
        }
    }

    /// Finds out what the unfinished word of a search may become.
    func suggest(_ query: PhotoQuery) async {
        let titles =
            pick.isLimitedToAlbum
            ? nil
            : Dictionary(
                uniqueKeysWithValues: SmartAlbum.allCases.map { ($0, sidebar.title(of: $0)) })
        let suggestions = await library.suggestions(query, smartAlbums: titles)
        guard !Task.isCancelled else { return }
        send(.suggested(query, suggestions))
    }

    /// How long the rest of an album waits for the thumbnails of its beginning.
    private static let firstScreenTime = Duration.milliseconds(300)
    /// The shortest time between two loads of a library that changes all the time.
    private static let pause = Duration.seconds(2)
    private static let pauseWithoutPhotos = Duration.milliseconds(400)

}
