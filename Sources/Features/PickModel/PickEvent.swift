// SPDX-License-Identifier: MIT

package import Photos

/// Anything that changes the state of a pick.
package enum PickEvent: Hashable, Sendable {
    // MARK: What is shown

    /// The window appeared, on an album that takes precedence over the request's.
    case opened(on: AlbumID? = nil)
    case albumChosen(AlbumID)
    /// Shows all photos in place of the sheet.
    case gridOpened
    /// Shows the sheet again.
    case sheetReturned
    /// Chooses a filter of the file request by its index; nil for all of them together.
    case filterChosen(Int?)
    case searched(String)
    /// What a search may become was found out.
    case suggested(PhotoQuery, [SearchSuggestion])
    case libraryChanged
    /// The first photos of a load; the rest follows.
    case began(PhotoLoad, PhotoList)
    case loaded(PhotoLoad, LibraryContents)
    /// The library could not be read.
    case failed(PhotoLoad)
    /// Photos are no longer in the version that the person saw.
    case outdated(Set<AssetID>)
    /// The person has had the time to read that chosen photos have gone.
    case lossRead
    /// Opens the preview on a photo.
    case previewed(AssetID)
    case previewMoved(PreviewStep)
    /// The burst that the photo in the preview is a picture of was found out; nil if it is of none.
    case burstFound(AssetID, Burst?)
    /// Shows another picture of that burst.
    case frameMoved(PreviewStep)
    case frameShown(AssetID)
    /// Whether the preview goes through the chosen photos only.
    case previewLimited(Bool)
    case previewClosed

    // MARK: What is chosen

    /// A click on a photo, or the second press of a double click.
    ///
    /// - Parameters:
    ///   - presses: 1 for a click, 2 for the second press of a double click.
    ///   - isExtending: Whether Shift is held.
    ///   - isSettled: Whether the person can have seen that the photo is in this place.
    case clicked(AssetID, presses: Int, isExtending: Bool, isSettled: Bool)
    /// The person ticked the heading of these photos: chooses them all, or none if all were chosen.
    case groupToggled([AssetID])
    /// An assistive technology activated a photo.
    case activated(AssetID)
    /// The row of the sheet that delivers the newest photo was activated.
    ///
    /// - Parameter isSettled: Whether the person can have seen which photo that is.
    case newestChosen(isSettled: Bool)
    /// A photo got the keyboard focus.
    case focused(AssetID)
    case key(PickKey)
    /// The person brought items from a source other than the library.
    case added([PickedItem])
    /// So many files are being looked at that the person brought.
    case examining(Int)
    case removed(PickedItem.Reference)
    /// Gives an item another place in the order of choice, from 0.
    case moved(PickedItem.Reference, to: Int)
    /// The sizes of photos' original files turned out, in bytes.
    case measured([AssetID: Int64])
    case clipped(PickedItem.Reference, to: PixelRectangle?, isTouched: Bool)
    /// Opens the page on which the photo in the preview is cropped.
    case cropOpened
    /// The upright size of the photo on that page has become known; nil if it cannot be cropped.
    case cropSized(AssetID, PixelSize?)
    case cropChanged(CropChange)
    /// Keeps the area.
    case cropDone
    case cropClosed
    /// Whether there is a camera was found out, or has changed.
    case cameraFound(Bool)
    /// Whether the desktop does not allow cameras was found out, or has changed.
    case cameraForbidden(Bool)
    /// Opens the page on which the person takes a photo.
    case cameraOpened
    case cameraClosed
    /// The app changed how many photos it accepts.
    case limited(CountLimits)
    /// The app no longer wants these photos.
    case deselected(Set<AssetID>)

    // MARK: Grants and answers

    case granted(Grants, Bool)
    /// Answers a question of the file request, by its index.
    case answered(Int, String)
    /// Whether a photo has a location turned out.
    case located(AssetID, Bool)
    /// The person decided whether an app that asked for files gets the location.
    case locationRemoval(Bool)
    /// So many files for an app that asked for files are ready, and the person has been waiting for a
    /// while.
    case preparing(Int)
    /// The files for an app that asked for files are ready, as URIs in the order of choice.
    case prepared([String])
    case notPrepared(Unready)

    // MARK: The end

    case accepted
    /// The person meant to send as many photos as ``PickEffect/confirm`` says.
    case confirmed
    case cancelled
    /// The person prefers the file dialog.
    case browsed
    /// The request was closed.
    case closed
    /// Whoever passes the choice on has left, so that nothing can be delivered any more.
    case abandoned

    /// Whether the event makes the person see other photos.
    var changesQuery: Bool {
        switch self {
        case .opened, .albumChosen, .filterChosen, .searched, .sheetReturned: true
        default: false
        }
    }

    /// Whether the event is a decision of the person, or of another source, about what the app gets.
    var changesAnswer: Bool {
        switch self {
        case .clicked, .activated, .newestChosen, .groupToggled, .added, .removed, .moved, .clipped,
            .granted,
            .answered, .filterChosen, .locationRemoval, .cropDone, .accepted, .confirmed, .browsed:
            true
        case .key(.move): false
        case .key: true
        // What the app changes may end the preparation.
        case .limited, .deselected: false
        case .opened, .albumChosen, .gridOpened, .sheetReturned, .searched, .suggested,
            .libraryChanged, .began, .loaded,
            .failed,
            .outdated, .lossRead, .previewed, .previewMoved, .previewLimited, .previewClosed,
            .burstFound, .frameMoved, .frameShown, .examining, .cropOpened, .cropSized,
            .cropChanged, .cropClosed, .cameraFound, .cameraForbidden, .cameraOpened, .cameraClosed,
            .focused,
            .measured,
            .located,
            .preparing, .prepared, .notPrepared,
            .cancelled, .closed,
            .abandoned:
            false
        }
    }
}

/// The meaning of a key, independent of the keyboard and the layout of the grid.
package enum PickKey: Hashable, Sendable {
    /// Space: chooses the focused photo or removes it.
    case toggle
    /// Enter: with a limit of one, chooses the focused photo and finishes; otherwise opens the preview,
    /// or leaves it.
    case open
    /// An arrow key, or another key that moves the focus.
    case move(to: AssetID)
    /// The same with Shift: chooses everything from the anchor to the target.
    case extend(to: AssetID)
    case selectAll
    case deselectAll
}

/// Work that the state asks its window to do.
package enum PickEffect: Hashable, Sendable {
    /// Read the library, in place of any load still in progress.
    case load(PhotoLoad)
    /// Find out what the unfinished word of a search may become, in place of any such work still in
    /// progress, and send ``PickEvent/suggested(_:_:)``.
    case suggest(PhotoQuery)
    /// Tell the person why nothing happened.
    case announce(Refusal)
    /// Ask the person whether they mean to send so many photos, and send ``PickEvent/confirmed`` if
    /// they do.
    case confirm(Receipt)
    /// Find the files for an app that asked for files, and make copies without location if it gets
    /// those.
    case prepare([PickedItem], removingLocation: Bool)
    /// Show these items as they are now, because they are no longer what was on the screen.
    case reload([PickedItem.Reference])
    /// Tell the person that nothing can be delivered any more, and send ``PickEvent/cancelled`` when
    /// they have read it.
    case reportAbandonment
    case finish(PickOutcome)
    /// Close the window and open the file dialog.
    case browse
}

/// Why the files for an app that asked for files are not ready.
///
/// A name is that of the first file, as people know it; nil if there is none any more.
package enum Unready: Error, Hashable, Sendable {
    /// These are gone, or are not in the version that the person saw.
    case changed([PickedItem.Reference], name: String?)
    /// The disk with this file does not answer.
    case unreachable(name: String?)
    /// The disk has no room for a copy of it.
    case noSpace(name: String?)
    /// Of this many, no copy without location can be made.
    case locationStays(Int, name: String?)
}

/// Why an action of the person had no effect.
package enum Refusal: Hashable, Sendable {
    /// No more than this many photos may be chosen.
    case tooMany(maximum: Int)
    /// At least this many photos must be chosen.
    case tooFew(minimum: Int)
    case notReady(Unready)
    /// The files that the person brought are still being looked at.
    case examining
    /// The app removed so many photos from the choice.
    case deselected(Int)
    /// This kind of file cannot be cropped.
    case notCropped
    /// The photo breaks a rule of the app.
    case unfit(PhotoFilter.Rule, of: PhotoFilter)
    /// The list changed when the person was about to choose, so that they may have meant another
    /// photo.
    case listChanged
}
