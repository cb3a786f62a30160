// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The app that asks, as the person knows it.
@UIActor
struct Asker {
    /// The app's name, or its id if it has no desktop file; nil if the app is unknown.
    let name: String?
    private let iconName: String?

    /// Whether the app has an icon of its own.
    var hasIcon: Bool { iconName != nil }

    init(_ request: PickRequest) {
        self.init(request.app ?? RequestingApp(), request.appID)
    }

    /// - Parameter app: What was found out about it; nothing is looked up here.
    init(_ app: RequestingApp, _ appID: AppID) {
        name = app.name ?? (appID.isKnown ? appID.rawValue : nil)
        iconName = app.icon
    }

    /// The app's icon, or a generic one.
    func icon(pixels: Int) -> Icon {
        let icon = Icon("application-x-executable", pixels: pixels)
        show(on: icon)
        return icon
    }

    /// Shows the app's icon in an image, if it has one.
    func show(on icon: Icon) {
        if let iconName { icon.setIcon(iconName) }
    }
}
