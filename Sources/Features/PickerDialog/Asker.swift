// SPDX-License-Identifier: MIT

import Desktop
import Files
import GtkKit
import ImageWork
import Photos
import SystemPackage
import Thumbnails

/// The app that asks, as the person knows it.
@UIActor
struct Asker {
    /// The app's name, or its id if it has no desktop file; nil if the app is unknown.
    let name: String?
    /// The name of the app's icon in the theme, or the path of a picture.
    private let iconName: String?

    /// Whether the app has an icon of its own in the theme.
    var hasIcon: Bool { iconName != nil && iconFile == nil }

    /// The app's icon if it is a file.
    private var iconFile: FilePath? {
        iconName.flatMap { $0.contains("/") ? FilePath($0) : nil }
    }

    init(_ request: PickRequest) {
        self.init(request.app ?? RequestingApp(), request.appID)
    }

    /// - Parameter app: What was found out about it; nothing is looked up here.
    init(_ app: RequestingApp, _ appID: AppID) {
        name = (app.name ?? (appID.isKnown ? appID.rawValue : nil))?.printable
        iconName = app.icon
    }

    /// Says that the app is told of each change of the choice.
    var followText: String {
        name.map { localized("%@ follows your choice", $0.cut(to: 30)) }
            ?? localized("The app follows your choice")
    }

    /// Says what the app learns of the choice.
    static var followExplanation: String {
        localized("It knows the type and size of each photo, but sees none until you finish.")
    }

    /// The app's icon, or a generic one.
    func icon(pixels: Int, _ thumbnails: ThumbnailLoader) -> Icon {
        let icon = Icon("application-x-executable", pixels: pixels)
        show(on: icon, thumbnails)
        return icon
    }

    /// Shows the app's icon in an image, if it has one.
    ///
    /// An icon that is a file appears once it is decoded, which happens as far away from the window
    /// as with any other picture: its disk may not answer, and anybody may have made it.
    func show(on icon: Icon, _ thumbnails: ThumbnailLoader) {
        guard let iconFile else {
            if let iconName { icon.setIcon(iconName) }
            return
        }
        guard iconFile.isAbsolute else { return }
        Task {
            // Without its icon the app still has its name.
            guard
                let picture = try? await thumbnails.picture(of: iconFile, side: Self.largestIcon),
                let texture = Texture(picture)
            else { return }
            icon.setPicture(texture)
            icon.isVisible = true
        }
    }

    /// The longest side of an icon that is a file, in pixels.
    private static let largestIcon = 256
}

extension Texture {
    /// Takes the pixels of a picture; nil if it is not what it claims to be.
    convenience init?(_ picture: RawPicture) {
        // Only a decoder at fault returns memory that is not sealed, or too little of it.
        guard let memory = try? picture.mapped() else { return nil }
        self.init(
            width: picture.size.width, height: picture.size.height, stride: picture.stride,
            hasAlpha: picture.hasAlpha, bytes: memory.bytes, owner: memory)
    }
}
