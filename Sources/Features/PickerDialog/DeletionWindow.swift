// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
import ImageWork
import PhotoLibrary
package import Photos
import SystemPackage
import Thumbnails

/// Asks the person whether an app may move photos to the trash, and shows them.
@UIActor
package final class DeletionWindow {
    private let request: DeletionRequest
    private let asker: Asker
    private let dialog: MessageDialog
    /// What the person is told once their answer would reach nobody.
    private var message: MessageDialog?
    private var continuation: CheckedContinuation<Bool, Never>?
    private var loading: Task<Void, Never>?

    /// How many of the photos are shown, and how large.
    private static let shownCount = 5
    private static let pixels = 72
    /// How large a single one is shown.
    private static let pixelsOfOne = 160

    /// Shows the question and waits for the answer.
    ///
    /// Cancelling the task closes the window; that is no consent.
    ///
    /// - Parameters: As in ``ConsentWindow/run(_:of:_:_:)``.
    package static func run(
        _ request: DeletionRequest, of app: RequestingApp, _ environment: PickerEnvironment,
        _ departure: AsyncStream<Void>
    ) async -> Bool {
        let window = DeletionWindow(request, Asker(app, request.appID), environment)
        let leaving = Task { for await _ in departure { window.abandon() } }
        defer { leaving.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0) }
        } onCancel: {
            Task { @UIActor in window.close() }
        }
    }

    private init(
        _ request: DeletionRequest, _ asker: Asker, _ environment: PickerEnvironment
    ) {
        self.request = request
        self.asker = asker
        let count = request.photos.count
        let name = asker.name
        dialog = MessageDialog(
            heading: localizedCount(
                one: "Move this photo to the trash?", many: "Move these %@ photos to the trash?",
                count: count, "\(count)"),
            body: (name.map { localized("“%@” asks for this.", $0) }
                ?? localized("An app asks for this.")) + "\n"
                + localized("You can restore photos from the trash."))
        let content = Box(isVertical: true, spacing: 12)
        let row = Box(isVertical: false, spacing: 6)
        row.center()
        let icons = request.photos.prefix(Self.shownCount).map { _ in
            Icon("image-x-generic", pixels: count > 1 ? Self.pixels : Self.pixelsOfOne)
        }
        for icon in icons { row.append(icon) }
        content.append(row)
        if count > Self.shownCount {
            content.append(
                Label(
                    localizedCount(
                        one: "and %@ more", many: "and %@ more", count: count - Self.shownCount,
                        "\(count - Self.shownCount)")))
        }
        if let reason = request.reason {
            // Quoted, because these are the app's words and not ours.
            let label = Label(localized("“%@”", reason))
            label.setWrapped()
            content.append(label)
        }
        dialog.setExtraChild(content)
        dialog.add("cancel", localized("Cancel"))
        dialog.add("delete", localized("Move to Trash"), .destructive)
        dialog.setCloseAnswer("cancel")
        dialog.onAnswer { [weak self] answer in self?.finish(answer == "delete") }
        loading = Task { await Self.show(request.photos, on: icons, environment) }
    }

    /// Shows the photos in the place of the generic icons.
    private static func show(
        _ photos: [AssetID], on icons: [Icon], _ environment: PickerEnvironment
    ) async {
        // Without its picture a photo still counts.
        guard let reader = try? LibraryReader(at: LibraryLocation.current) else { return }
        for (photo, icon) in zip(photos, icons) where !Task.isCancelled {
            guard let path = try? await reader.paths(of: photo).first,
                let picture = try? await environment.thumbnails.picture(
                    of: path, side: 2 * pixelsOfOne),
                let texture = Texture(picture)
            else { continue }
            icon.setPicture(texture)
        }
    }

    private func start(_ continuation: CheckedContinuation<Bool, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return close() }
        dialog.present(title: localized("Photos"), parent: request.parentWindow)
    }

    private func abandon() {
        guard continuation != nil, message == nil else { return }
        dialog.close()
        let message = MessageDialog.interruption(localized("No photo has been moved to the trash."))
        message.onAnswer { [weak self] _ in self?.finish(false) }
        self.message = message
        message.present(title: localized("Photos"), parent: request.parentWindow)
    }

    private func finish(_ agreed: Bool) {
        loading?.cancel()
        continuation?.resume(returning: agreed)
        continuation = nil
    }

    private func close() {
        guard continuation != nil else { return }
        finish(false)
        (message ?? dialog).close()
    }
}
