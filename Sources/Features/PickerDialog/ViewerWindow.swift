// SPDX-License-Identifier: MIT

import Desktop
package import Files
package import GtkKit
import ImageWork
package import Photos
import PickModel
import SystemPackage
import Thumbnails

/// The window in which an app shows a list of pictures, and lets the person remove some of them.
///
/// No file is deleted: what is removed is only no longer in the list.
@UIActor
package final class ViewerWindow {
    private(set) var viewing: Viewing
    /// The ids that the pictures have in this window, in the order of the app's list.
    private let ids: [AssetID]
    /// The ratios of width to height of those that the library knows.
    private let ratios: [AssetID: Double]
    private let request: PreviewRequest
    let window: Window
    let page: PreviewPage
    let pages: WindowPages
    /// Who shows the pictures, and what it calls them.
    private let origin: String
    private var inputDelay: InputDelay?
    /// What the person is told once the app will no longer learn what they removed.
    private var message: MessageDialog?
    private var continuation: CheckedContinuation<PreviewOutcome, Never>?

    /// Shows the pictures and waits until the person has seen enough.
    ///
    /// Cancelling the task closes the window; the outcome is then `.ended`.
    ///
    /// - Parameters:
    ///   - files: The files of the request that are open.
    ///   - departure: Has an element when the service has ended without closing the request; the
    ///     window then stays until the person closes it.
    package static func run(
        _ request: PreviewRequest, _ files: [Descriptor], of app: RequestingApp,
        _ environment: PickerEnvironment, _ departure: AsyncStream<Void>
    ) async -> PreviewOutcome {
        let library = LibrarySource()
        let images = await library.show(request.images, files)
        let known = request.images.compactMap(\.asset)
        let assets = known.isEmpty ? [] : await library.assets(known)
        var ratios: [AssetID: Double] = [:]
        for asset in assets {
            guard let size = asset.size, !size.isEmpty else { continue }
            ratios[asset.id] = Double(size.width) / Double(size.height)
        }
        let window = ViewerWindow(request, images, ratios, app, library, environment)
        let leaving = Task { for await _ in departure { window.abandon() } }
        defer { leaving.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { window.start($0) }
        } onCancel: {
            Task { @UIActor in window.end(.ended) }
        }
    }

    private init(
        _ request: PreviewRequest, _ images: [ShownImage], _ ratios: [AssetID: Double],
        _ app: RequestingApp, _ library: LibrarySource, _ environment: PickerEnvironment
    ) {
        PickerViews.loadStyle
        self.request = request
        ids = images.map(\.id)
        // A picture of the web has the shape of what stands for it.
        self.ratios = images.reduce(into: ratios) { ratios, image in
            if let thumbnail = image.thumbnail { ratios[image.id] = ratios[thumbnail] }
        }
        let thumbnails = environment.thumbnails
        viewing = Viewing(request)
        window = Builder(PackageResources.viewer_window_ui).window("window")
        page = PreviewPage(
            PreviewSource(
                library, thumbnails, web: WebPictures(environment.web, for: request.appID, images)),
            PhotoSource(library, thumbnails, EarlyThumbnails(thumbnails)), library)
        pages = WindowPages(in: window, [page.box])
        let name = Asker(app, request.appID).name
        let shower =
            name.map { localized("Shown by %@", $0) } ?? localized("Shown by an unknown app")
        // Quoted, because these are the app's words and not ours.
        let title = request.title.isEmpty ? nil : localized("“%@”", request.title.printable)
        window.title = title ?? localized("Photos")
        // First who shows them, which no title of an app can push out of the window.
        origin = [shower, title].compactMap(\.self).joined(separator: " · ")
    }

    // MARK: - Life

    private func start(_ continuation: CheckedContinuation<PreviewOutcome, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return end(.ended) }
        connect()
        inputDelay = InputDelay(of: window)
        page.box.isVisible = true
        draw()
        window.separateInput()
        window.isModal = request.isModal
        window.setParent(request.parentWindow)
        window.present()
        page.takeFocus()
    }

    private func end(_ outcome: PreviewOutcome) {
        guard let waiting = continuation else { return }
        continuation = nil
        page.close()
        message?.close()
        message = nil
        window.destroy()
        waiting.resume(returning: outcome)
    }

    /// The person is told only if the app misses something.
    private func abandon() {
        guard continuation != nil, message == nil, viewing.allowsRemoving else { return }
        let message = MessageDialog.interruption(
            localized("The app will not learn which pictures you removed."))
        message.onAnswer { [weak self] _ in
            self?.message = nil
            self?.close()
        }
        self.message = message
        message.present(over: window)
    }

    // MARK: - What the person does

    func close() { end(viewing.outcome) }

    func move(_ step: PreviewStep) {
        viewing.move(step)
        draw()
    }

    /// Removes the picture in view; the window closes with the last one.
    func remove() {
        guard viewing.remove() else { return }
        if viewing.remaining.isEmpty { return close() }
        draw()
        page.toasts.show(
            localized("Removed from the list"), button: localized("Undo")
        ) { [weak self] in self?.undo() }
    }

    func undo() {
        guard viewing.undo() else { return }
        page.toasts.dismiss()
        draw()
    }

    private func draw() {
        guard continuation != nil else { return }
        page.show(
            position: (viewing.position, viewing.remaining.count), subtitle: origin)
        let id = ids[viewing.current]
        page.show(
            id, ofRatio: ratios[id] ?? 1, beside: viewing.neighbours.map { ids[$0] })
        page.view.canvas.setAccessibleLabel(
            localized(
                "%@, %@ of %@", localized("Photo"), LocalTime.number(viewing.position + 1),
                LocalTime.number(viewing.remaining.count)))
    }
}
