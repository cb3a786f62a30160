// SPDX-License-Identifier: MIT

/// An app's request to let the person choose photos.
package struct PickRequest: Hashable, Sendable {
    package var appID: AppID
    /// The parent window, in the notation of the portals; empty for none.
    package var parentWindow: String
    /// The title of the window; empty for the default.
    package var title: String
    package var options: PickOptions
    /// The path of the request, which contains the name of the app's connection; empty if unknown.
    package var handle = ""
    /// What the person is told about the app; nil if only its id is known.
    package var app: RequestingApp?

    package init(appID: AppID, parentWindow: String, title: String, options: PickOptions) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.title = title
        self.options = options
    }
}

/// The options of a request that concern the choice.
///
/// The values are always valid in combination.
package struct PickOptions: Hashable, Sendable {
    /// Whether the window is modal to its parent.
    package var isModal = true
    /// The label of the button that finishes; nil for the translated default.
    package var acceptLabel: String?
    /// The reason for the request, which is shown to the person.
    package var reason: String?
    package var mediaTypes = MediaFilter.images
    /// Where the photos may come from; nil for everything that there is.
    package var sources: Set<PickedItem.Source>?
    /// What the app wants of each photo besides its type.
    package var filter = PhotoFilter()
    package var count = CountLimits.one
    /// Whether the numbers of the chosen photos are shown.
    package var isOrdered = false
    /// The album to open first; nil for all photos.
    package var album: AlbumID?
    /// The photos that are selected when the window opens, in order.
    package var preselected: [AssetID] = []
    /// Whether only that album is shown.
    package var isOnlyAlbum = false
    /// Whether the first click finishes the pick; nil for what suits the layout: in a sheet it does.
    package var isImmediate: Bool?
    /// What opens first.
    package var layout = PickLayout.grid
    /// The rows of the sheet, in their order.
    package var actions = SheetAction.standard
    /// Whether the app follows the choice while the window is open.
    package var isContinuous = false
    /// The wishes of the app beyond reading the photos once.
    package var wishes = Grants.none
    /// Whether the app wants a part of each photo, and which.
    package var clip = ClipOptions()
    /// The form in which the app wants the files.
    package var output = OutputOptions()
    /// The longer side of the small picture that comes with each photo, in pixels; nil for none.
    package var thumbnailSide: Int?
    /// Whether a preview comes with each photo.
    package var wantsPreview = false

    package init() {}
}

/// The wishes that a person can grant for the chosen photos.
package struct Grants: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let none: Grants = []
    /// The app may open the photos again after it has ended.
    package static let persistent = Grants(rawValue: 1 << 0)
    /// The app may change the photos.
    package static let writable = Grants(rawValue: 1 << 1)
    /// The app may know where the photos were taken.
    package static let location = Grants(rawValue: 1 << 2)

    /// Whether these include a grant.
    package subscript(_ grant: Grants) -> Bool {
        get { contains(grant) }
        set { if newValue { insert(grant) } else { remove(grant) } }
    }
}

/// How many photos the person may choose.
package struct CountLimits: Hashable, Sendable {
    /// The minimum, 0 or more.
    package let minimum: Int
    /// The maximum that the app wants; nil if it wants no limit.
    package let maximum: Int?

    /// Makes limits; nil if no number is within them.
    package init?(minimum: Int, maximum: Int?) {
        guard minimum >= 0, maximum.map({ $0 >= 1 && $0 >= minimum }) ?? true else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    private init(exactly count: Int) {
        minimum = count
        maximum = count
    }

    /// The most photos that one response can hold.
    package static let most = 10_000

    /// The most photos that can be chosen, whatever the app wants.
    package var capacity: Int { min(maximum ?? Self.most, Self.most) }

    /// Exactly one photo, the limits of `OpenImage`.
    package static let one = CountLimits(exactly: 1)

    /// Whether a pick may finish with this number of photos.
    package func allows(_ count: Int) -> Bool {
        count >= minimum && count <= maximum ?? .max
    }
}

/// How a request ended.
package enum PickOutcome: Hashable, Sendable {
    case picked([PickedItem], granting: Grants = .none)
    /// The person cancelled the request.
    case cancelled
    /// The request ended without a decision of the person.
    case ended
}

/// One item that a person chose.
package struct PickedItem: Hashable, Sendable {
    /// The location of an item.
    package enum Reference: Hashable, Sendable {
        /// A photo of the library.
        case asset(AssetID)
        /// A file from another source, as a URI that has not been validated.
        case uri(String)
    }

    /// How the person found the item.
    package enum Source: String, CaseIterable, Sendable {
        case library, camera, files, clipboard
    }

    package let reference: Reference
    package let source: Source
    /// The version of the file that the person saw; nil if the backend does not know it.
    package var version: FileVersion?
    /// The chosen part of the upright picture; nil if the person chose none.
    package var clip: PixelRectangle?
    /// How the person turned the photo.
    package var rotation = Rotation.none
    /// Whether the person changed the part, instead of just accepting it.
    package var isClipTouched = false

    package init(_ reference: Reference, from source: Source) {
        self.reference = reference
        self.source = source
    }
}
