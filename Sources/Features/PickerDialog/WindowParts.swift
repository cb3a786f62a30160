// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// What a window needs whoever asks; made while it is being found out who does.
@UIActor
struct WindowParts {
    let library: LibrarySource
    let early: EarlyThumbnails
    let source: PhotoSource
    let views: PickerViews
    let grid: PhotoGrid
    let sidebar: AlbumSidebar

    nonisolated static let firstPhotos = 200

    /// Makes the widgets, and begins to read the photos that a pick begins with.
    init(_ pick: Pick, _ environment: PickerEnvironment) {
        let library = LibrarySource()
        let early = EarlyThumbnails(environment.thumbnails)
        let style = environment.memory.style
        self.library = library
        self.early = early
        // The widgets take about as long as the first photos, so both begin now.
        Task.detached { [query = pick.query, layout = pick.layout] in
            await library.prepare(query, limit: Self.firstPhotos, early) {
                layout == .sheet
                    ? PhotoStrip.firstThumbnails(of: $0) : PhotoGrid.firstThumbnails(of: $0, style)
            }
        }
        source = PhotoSource(library, environment.thumbnails, early)
        views = PickerViews()
        grid = PhotoGrid(in: views.grid, below: views.gridOverlay, style)
        sidebar = AlbumSidebar(views.albums)
    }
}
