// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// Who asks, as a person knows it.
@UIActor
struct Asker {
    /// The app's name, or its id when it has no desktop file; nil when nobody can know who asks.
    let name: String?
    private let iconName: String?

    /// Whether the app has an icon of its own.
    var hasIcon: Bool { iconName != nil }

    init(_ appID: AppID) {
        let app = DesktopApp(appID: appID.rawValue)
        name = appID.isKnown ? app?.name ?? appID.rawValue : nil
        iconName = app?.icon
    }

    /// The app's icon, or one that stands for any app.
    func icon(pixels: Int) -> Icon {
        let icon = Icon("application-x-executable", pixels: pixels)
        show(on: icon)
        return icon
    }

    /// Puts the app's icon in place of what an image shows.
    func show(on icon: Icon) {
        if let iconName { icon.setIcon(iconName) }
    }
}
