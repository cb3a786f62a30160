// SPDX-License-Identifier: MIT

package import Photos

extension Pick {
    /// Whether the app takes photos from the camera, if there is one.
    package var takesCamera: Bool {
        takes(.camera) && accepted.accepts(Self.photoType)
    }

    /// Whether the person can take a photo now.
    package var offersCamera: Bool { showsCamera && !isPreparing && !isAbandoned }

    /// Whether the grid has a button for the camera: a computer without one needs none.
    package var showsCamera: Bool { takesCamera && hasCamera }

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
