// SPDX-License-Identifier: MIT

package import Photos

/// The state of one pick: what is shown, what is chosen, and what the app will get.
///
/// A window draws this state and sends it events; ``handle(_:)`` answers each with work to do. It
/// is a plain value without widgets, bus or database, at home on any actor. Photos are remembered
/// by id, never by position, because the list changes while the person looks at it.
package struct Pick: Sendable {
    package let request: PickRequest
    /// The controls of a file request; nil if the app asked for photos.
    package internal(set) var file: FileState?

    // MARK: What is shown

    /// What is behind the preview and the page that crops; a sheet may open the grid.
    package internal(set) var layout: PickLayout
    /// The photos of the sheet, while the grid is open in its place.
    var sheetQuery: PhotoQuery?
    /// The newest photo of ``photos`` that follows the app's rules; nil without a sheet.
    package internal(set) var newest: AssetID?
    /// What the person wants to see.
    package internal(set) var query: PhotoQuery
    /// The query that found ``photos``, which lags behind ``query``; nil before the first result.
    package internal(set) var shown: PhotoQuery?
    package internal(set) var photos = PhotoList()
    /// What the unfinished word of the search may become; those for an earlier text stay until there are
    /// others.
    package internal(set) var suggestions: [SearchSuggestion] = []
    /// The albums to offer: those with photos, the whole library, and the album in view.
    package internal(set) var albums: [Album] = []
    /// Whether the person sees no album but the one the app named.
    package internal(set) var isLimitedToAlbum = false
    /// The state of the library; nil before the first result, and while there is no library.
    package internal(set) var status: LibraryStatus?
    package internal(set) var page = PickPage.photos
    /// Whether the request's album does not exist.
    var isAlbumIgnored = false
    /// The load in progress.
    var load: PhotoLoad?
    var loadCount = 0
    /// Whether the library changed after the load in progress began.
    var isOutdated = false

    /// The page in front of the photos that shows one of them; nil if there is none.
    package internal(set) var preview: Preview?
    /// The page in front of everything on which a photo is cropped; nil if there is none.
    package internal(set) var crop: Crop?
    /// Whether the page on which the person takes a photo is in front of everything.
    package internal(set) var isCameraOpen = false
    /// Whether there is a camera.
    var hasCamera = false
    /// Whether the desktop does not allow cameras.
    package internal(set) var isCameraForbidden = false
    /// The photos that turned out to have no size, and cannot be cropped.
    var uncroppable: Set<AssetID> = []

    // MARK: What is chosen

    package internal(set) var selection: Selection
    /// The photo that keys act on.
    package internal(set) var focus: AssetID? { didSet { isFocusInherited = false } }
    /// Whether the focus came from a neighbour that has gone, and not from the person.
    var isFocusInherited = false
    /// The photo at which a range begins that Shift extends.
    package internal(set) var anchor: AssetID?
    /// The photos that the current range added; they leave it when the range shrinks.
    var range: Set<AssetID> = []
    /// The photos that were chosen and have gone, until the person has read that or has decided anything
    /// about the choice.
    var lost: [PickedItem.Reference] = [] { didSet { isLossRepeated = false } }
    /// Whether the person has pressed Select and was told about ``lost`` once more.
    var isLossRepeated = false
    /// What was chosen before the last click, which may be the first press of a double click.
    var beforeClick: (id: AssetID, selection: Selection)?
    /// Whether to choose all photos of ``query`` once they are known.
    var choosesAllWhenLoaded = false
    /// Which pictures of bursts the photos of the grid stand for.
    var knownFrames = KnownFrames()
    /// What is known of the chosen photos.
    package internal(set) var facts = ChoiceFacts()
    package internal(set) var grants = Grants.none
    /// How many files are being looked at that the person brought from elsewhere.
    var examinedCount = 0
    /// Whether the person has gone from the sheet to the grid, or back, since they brought these.
    var hasTurned = false
    /// What is being made ready for an app that asked for files; nil if nothing is.
    ///
    /// Meanwhile ``selection`` has the same items.
    var preparing: [PickedItem]?
    /// The items that the person was asked about because there are so many; nil if they were not asked.
    var confirming: [PickedItem]?
    /// Whether nobody is left who could pass the choice on.
    ///
    /// The photos stay on the screen, and the choice stays visible, but neither changes any more.
    package internal(set) var isAbandoned = false
    /// Whether the pick has ended; further events are ignored.
    package internal(set) var isFinished = false

    /// Begins a pick for a request.
    ///
    /// - Parameter file: The file request that is answered with photos, if there is one; its
    ///   `pick` takes the place of `request`.
    package init(_ request: PickRequest, file: FileRequest? = nil) {
        self.request = file?.pick ?? request
        self.file = file.map(FileState.init)
        let options = self.request.options
        layout = options.layout
        query = PhotoQuery(
            album: options.album ?? .all, filter: self.file?.shown ?? options.mediaTypes,
            wanted: options.filter)
        // Without the library no page would show them.
        let known = options.sources?.contains(.library) ?? true ? options.preselected : []
        selection = Selection(limits: options.count, preselected: known)
    }

    /// The media types that the app accepts, whichever filter is in use.
    package var accepted: MediaFilter { file?.accepted ?? request.options.mediaTypes }

    /// Whether the app takes photos from a source.
    ///
    /// One that wants a certain album and nothing else takes others only if it says so.
    package func takes(_ source: PickedItem.Source) -> Bool {
        let options = request.options
        let isOnlyAlbum = options.isOnlyAlbum && !isAlbumIgnored
        return options.sources?.contains(source) ?? (source == .library || !isOnlyAlbum)
    }

    /// Whether the person may look for files outside the library.
    ///
    /// An app that asked for files has the file dialog instead.
    package var offersFiles: Bool { file == nil && takes(.files) }

    /// Whether the photos of ``query`` are still being read.
    package var isLoading: Bool { shown != query }

    /// Whether ``photos`` are all photos of ``query``.
    package var isComplete: Bool { !isLoading && load?.showsBeginning != true }

    /// How much of the library has been read, 0 to 1; nil if it has been read completely.
    package var progress: Double? {
        guard takes(.library) else { return nil }
        guard let status else { return shown == nil ? nil : 0 }
        guard status.isIndexing else { return nil }
        return status.files > 0 ? 1 - Double(status.pending) / Double(status.files) : 0
    }

    /// Why the pick cannot finish now; nil if it can.
    ///
    /// The same rule holds for the button and for the keys.
    package var obstacle: Refusal? {
        if examinedCount > 0 { return .examining }
        if acceptsPreview { return previewRefusal }
        let limits = selection.limits
        if selection.count < limits.minimum { return .tooFew(minimum: limits.minimum) }
        if selection.count > limits.capacity { return .tooMany(maximum: limits.capacity) }
        return nil
    }

    /// Whether the window waits for the files before it can finish.
    package var isPreparing: Bool { preparing != nil }

    /// Whether a chosen photo has a location that an app that asked for files would get.
    ///
    /// So many photos that looking at each takes long count as if one had.
    package var hasLocation: Bool {
        guard let file else { return false }
        return selection.count > Self.photosToExamine
            || selection.items.contains {
                if case .asset(let id) = $0.reference {
                    file.withLocation.contains(id)
                } else {
                    true
                }
            }
    }

    /// More photos than this are sent only after a question: one key chooses a whole library.
    package static let mostUnconfirmed = 100

    /// Of a larger choice, no photo is examined.
    package static let photosToExamine = 50

    /// What the app would get if the pick finished now.
    package var receipt: Receipt { Receipt(selection, facts, granted: grants, request.options) }
}
