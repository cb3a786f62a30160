// SPDX-License-Identifier: MIT

package import Photos

extension Pick {
    /// Whether the app takes photos from the camera, if there is one.
    ///
    /// A photo that the app does not get for its type is not to be taken.
    package var takesCamera: Bool {
        takes(.camera) && accepted.accepts(Self.photoType)
    }

    /// Whether the person can take a photo now.
    package var offersCamera: Bool {
        showsCamera && hasRoom && !isPreparing && !isAbandoned
    }

    /// Whether the grid has a button for the camera: a computer without one needs none.
    package var showsCamera: Bool {
        takesCamera && !isCameraForbidden && (hasCamera || isCameraOnly)
    }

    /// Whether another photo may be chosen; one that is wanted alone takes the place of the last one.
    package var hasRoom: Bool {
        let limits = selection.limits
        return limits.maximum == 1 || selection.count < limits.capacity
    }

    /// Whether there is nothing but the camera to choose from.
    package var isCameraOnly: Bool { request.options.sources == [.camera] }

    /// The type of the photos that the camera takes.
    package static let photoType = MediaType.jpeg

    // MARK: - Events

    mutating func openCamera() -> [PickEffect] {
        // Where nothing else is offered, the page says what is wrong with the camera.
        guard offersCamera || isCameraOnly else { return [] }
        isCameraOpen = true
        return []
    }

    /// Leaves the page; the pick ends if there is nothing else.
    mutating func closeCamera() -> [PickEffect] {
        guard isCameraOpen else { return [] }
        isCameraOpen = false
        return isCameraOnly && selection.isEmpty && examinedCount == 0 ? end(.cancelled) : []
    }
}
