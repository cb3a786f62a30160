// SPDX-License-Identifier: MIT

import CameraWork
import Desktop
import GtkKit
import ImageWork
import Photos
import PickModel
import SystemPackage
import Thumbnails

/// The camera, as a source of photos.
extension PickerWindow {
    func connectCamera() {
        camera.onClose = { [weak self] in self?.send(.cameraClosed) }
        camera.onUse = { [weak self] shot in self?.use(shot) }
        camera.examine = { [weak self] shot in await self?.refusal(of: shot) }
        camera.text = { [weak self] refusal in self?.pick.offer.text(refusal) ?? "" }
        let devices = environment.cameras
        watchingCameras = devices.watch { [weak self] in self?.followCameras() }
        followCameras()
        views.window.onConcealment { [weak self] in
            guard let self else { return }
            isConcealed = $0
            camera.isConcealed = $0 || devices.isScreenLocked
        }
    }

    private func followCameras() {
        let devices = environment.cameras
        camera.isConcealed = isConcealed || devices.isScreenLocked
        camera.turn(device: devices.deviceTurn)
        camera.send(.forbidden(devices.availability == .forbidden))
        send(.cameraForbidden(devices.availability == .forbidden))
        send(.cameraFound(devices.availability == .present))
        if devices.availability == .present { camera.noteCamera() }
    }

    /// Opens or closes the camera, as the state says.
    func drawCamera() {
        guard pick.isCameraOpen != camera.isOpen else { return }
        if pick.isCameraOpen {
            environment.cameras.beginUse()
            camera.open(
                isWanted: pick.takesCamera,
                isForbidden: environment.cameras.availability == .forbidden)
        } else {
            environment.cameras.endUse()
            camera.close()
        }
    }

    /// The rule of the app that a photo breaks; nil if there is none.
    ///
    /// One that cannot be read is reported when the person uses it.
    private func refusal(of shot: CameraShot) async -> Refusal? {
        let filter = pick.request.options.filter
        guard !filter.isEmpty,
            let opened = try? await OpenedPhoto(
                shot.file, environment.thumbnails, priority: .visible)
        else { return nil }
        let file = OtherFile(AssetID(0, 0), at: FilePath(), opened)
        return filter.broken(by: file.compared).map { .unfit($0, of: filter) }
    }

    /// Keeps a photo in the library, and chooses it.
    private func use(_ shot: CameraShot) {
        let app = pick.request.app?.name
        // Other files that the person brought may be on a disk that does not answer.
        let storing = Task { [environment] in
            await TakenPhotos.store(shot.file, of: app, environment)
        }
        bring(1, from: .camera) { [weak self] in
            let (path, problem) = await storing.value
            if let problem {
                await self?.report(problem)
            } else if let album = path?.removingLastComponent().lastComponent {
                self?.tell(
                    localized(
                        "The photo was saved in the album “%@”",
                        FileURI.displayName(album).printable))
            }
            return path.map { [$0] } ?? []
        }
        send(.cameraClosed)
    }

    /// Tells the person that a photo is not kept in the library; the app gets it all the same.
    private func report(_ problem: TakenPhotos.Problem) async {
        let (answers, answered) = AsyncStream<Void>.makeStream()
        let message = MessageDialog(
            heading: localized("The Photo Is Not Kept"), body: problem.text)
        message.add("continue", localized("Continue"), .suggested)
        message.setCloseAnswer("continue")
        message.onAnswer { _ in answered.finish() }
        message.present(over: views.window)
        for await _ in answers {}
        // The window has closed, or nobody is left to get the photo.
        if Task.isCancelled { message.close() }
    }
}
