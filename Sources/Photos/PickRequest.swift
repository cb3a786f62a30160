// SPDX-License-Identifier: MIT

/// What an app asks a person to choose.
package struct PickRequest: Hashable, Sendable {
    package var appID: AppID
    /// The window to stand before, as the portals write it; empty for none.
    package var parentWindow: String
    /// The window's title, empty for the default.
    package var title: String
    package var options: PickOptions

    package init(appID: AppID, parentWindow: String, title: String, options: PickOptions) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.title = title
        self.options = options
    }
}

/// How a person chooses, as far as it is the app's business.
///
/// All values are valid together.
package struct PickOptions: Hashable, Sendable {
    /// Whether the parent window waits.
    package var isModal = true
    /// The label of the button that finishes, nil for the translated default.
    package var acceptLabel: String?
    /// Why the app asks, shown to the person.
    package var reason: String?
    package var mediaTypes = MediaFilter.images
    package var count = CountLimits.one
    /// Whether the order of the choice is shown.
    package var isOrdered = false
    /// The album to open on, nil for all photos.
    package var album: AlbumID?
    /// What is chosen already when the dialog opens, in order.
    package var preselected: [AssetID] = []
    /// Whether nothing but that album is shown.
    package var isOnlyAlbum = false
    /// Whether the first click finishes.
    package var isImmediate = false
    /// What the app would like to have beyond reading the photos now.
    package var wishes = Grants.none
    /// Which part of each photo the app wants.
    package var clip = ClipOptions()
    /// How the app wants the files.
    package var output = OutputOptions()

    package init() {}
}

/// What an app may do with chosen photos beyond reading them once; a person grants it.
package struct Grants: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let none: Grants = []
    /// The app may open them again after it has ended.
    package static let persistent = Grants(rawValue: 1 << 0)
    /// The app may change them.
    package static let writable = Grants(rawValue: 1 << 1)
    /// The app may know where they were taken.
    package static let location = Grants(rawValue: 1 << 2)

    /// Whether these include a grant.
    package subscript(_ grant: Grants) -> Bool {
        get { contains(grant) }
        set { if newValue { insert(grant) } else { remove(grant) } }
    }
}

/// How many photos may be chosen.
package struct CountLimits: Hashable, Sendable {
    /// The fewest, 0 or more.
    package let minimum: Int
    /// The most, nil for no limit.
    package let maximum: Int?

    /// Makes limits; nil when no number lies between them.
    package init?(minimum: Int, maximum: Int?) {
        guard minimum >= 0, maximum.map({ $0 >= 1 && $0 >= minimum }) ?? true else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    private init(exactly count: Int) {
        minimum = count
        maximum = count
    }

    /// Exactly one: what `OpenImage` asks for.
    package static let one = CountLimits(exactly: 1)

    /// Whether a finished choice may have this many.
    package func allows(_ count: Int) -> Bool {
        count >= minimum && count <= maximum ?? .max
    }
}

/// How a request ended.
package enum PickOutcome: Hashable, Sendable {
    case picked([PickedItem], granting: Grants = .none)
    /// The person did not want to.
    case cancelled
    /// It ended in another way; nobody decided.
    case ended
}

/// One thing that a person chose.
package struct PickedItem: Hashable, Sendable {
    /// Where it is.
    package enum Reference: Hashable, Sendable {
        /// A photo of the library.
        case asset(AssetID)
        /// A file from elsewhere, as a URI that nobody has checked yet.
        case uri(String)
    }

    /// How the person came to it.
    package enum Source: String, Sendable {
        case library, camera, files, clipboard
    }

    package let reference: Reference
    package let source: Source
    /// The part that was chosen, of the upright picture; nil for no choice.
    package var clip: PixelRectangle?
    /// Whether the person changed that part, and did not only accept it.
    package var isClipTouched = false

    package init(_ reference: Reference, from source: Source) {
        self.reference = reference
        self.source = source
    }
}
