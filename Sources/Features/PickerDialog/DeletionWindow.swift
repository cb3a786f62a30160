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
package enum DeletionWindow {
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
        let count = request.photos.count
        let icons = request.photos.prefix(shownCount).map { _ in
            Icon("image-x-generic", pixels: count > 1 ? pixels : pixelsOfOne)
        }
        let loading = Task { await show(request.photos, on: icons, environment) }
        defer { loading.cancel() }
        let company = await company(of: request.photos)
        let answer = await QuestionWindow.run(
            question(request, Asker(app, request.appID), icons, company),
            parent: request.parentWindow,
            departure, interrupted: localized("Nothing has been moved to the trash."))
        return answer == "delete"
    }

    private static func question(
        _ request: DeletionRequest, _ asker: Asker, _ icons: [Icon], _ company: Company
    ) -> MessageDialog {
        let count = request.photos.count
        let dialog = MessageDialog(
            heading: company.offer.deletionText(count),
            body: (asker.name.map { localized("“%@” asks for this.", $0) }
                ?? localized("An app asks for this.")) + "\n" + company.offer.restoringText)
        let content = Box(isVertical: true, spacing: 12)
        let row = Box(isVertical: false, spacing: 6)
        row.center()
        for icon in icons { row.append(icon) }
        content.append(row)
        let rest = count - icons.count
        if rest > 0 {
            content.append(
                Label(
                    localizedCount(
                        one: "and %@ more", many: "and %@ more", count: rest,
                        LocalTime.number(rest))))
        }
        for text in others(company, of: count) { content.append(Label(text)) }
        if let reason = request.reason { content.append(Label(quoting: reason)) }
        dialog.setExtraChild(content)
        dialog.add("cancel", localized("Cancel"))
        dialog.add("delete", localized("Move to Trash"), .destructive)
        dialog.setCloseAnswer("cancel")
        return dialog
    }

    /// What goes with the photos that are shown.
    private struct Company {
        var roles: Set<ResourceRole> = []
        /// The number of pictures of bursts that are not shown.
        var frames = 0
        /// What the photos themselves are.
        var offer = Offer.photos
    }

    /// Tells what goes with the pictures, which alone are shown; empty if nothing does.
    private static func others(_ company: Company, of count: Int) -> [String] {
        var texts: [String] = []
        if company.frames > 0 {
            texts.append(
                localizedCount(
                    one: "%@ more picture of a burst is moved as well.",
                    many: "%@ more pictures of bursts are moved as well.",
                    count: company.frames, LocalTime.number(company.frames)))
        }
        switch (company.roles.contains(.raw), company.roles.contains(.pairedVideo)) {
        case (true, true):
            texts.append(
                localizedCount(
                    one: "Its raw file and its video are moved as well.",
                    many: "Their raw files and videos are moved as well.", count: count))
        case (true, false):
            texts.append(
                localizedCount(
                    one: "Its raw file is moved as well.",
                    many: "Their raw files are moved as well.", count: count))
        case (false, true):
            texts.append(
                localizedCount(
                    one: "Its video is moved as well.", many: "Their videos are moved as well.",
                    count: count))
        case (false, false): break
        }
        return texts
    }

    /// What the photos have beside their pictures.
    private static func company(of photos: [AssetID]) async -> Company {
        // The question is more important than this.
        guard let reader = try? LibraryReader(at: LibraryLocation.current) else {
            return Company()
        }
        var company = Company()
        for role in [ResourceRole.raw, .pairedVideo] {
            let others = try? await reader.located(photos, .original, role)
            if others?.values.contains(where: { !$0.files.isEmpty }) == true {
                company.roles.insert(role)
            }
        }
        let assets = (try? await reader.assets(photos)) ?? []
        company.frames = assets.map { max($0.frames - 1, 0) }.reduce(0, +)
        if assets.contains(where: \.mediaType.isVideo) {
            company.offer = assets.allSatisfy(\.mediaType.isVideo) ? .videos : .both
        }
        return company
    }

    /// Shows the photos in the place of the generic icons.
    private static func show(
        _ photos: [AssetID], on icons: [Icon], _ environment: PickerEnvironment
    ) async {
        // Without its picture a photo still counts.
        guard let reader = try? LibraryReader(at: LibraryLocation.current) else { return }
        for (photo, icon) in zip(photos, icons) where !Task.isCancelled {
            if let asset = try? await reader.assets([photo]).first {
                icon.setAccessibleLabel(
                    photoDescription(
                        isVideo: asset.mediaType.isVideo, taken: asset.date,
                        aspectRatio: Double(asset.size?.aspectRatio ?? 1)))
            }
            guard let path = try? await reader.paths(of: photo).first,
                let picture = try? await environment.thumbnails.picture(
                    of: path, side: 2 * pixelsOfOne),
                let texture = Texture(picture)
            else { continue }
            icon.setPicture(texture)
        }
    }
}
