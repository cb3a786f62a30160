// SPDX-License-Identifier: MIT

package import Files
package import ImageWork
package import Photos
internal import Processes
package import SystemPackage

/// A photo that was opened to be looked at, in one version of its file.
package struct OpenedPhoto: Sendable {
    private let file: Descriptor
    private let path: FilePath
    private let decoders: DecoderPool
    package let version: FileVersion
    package let facts: ImageFacts

    /// Opens a photo and reads its header.
    ///
    /// - Throws: ``ImageWork/DecodeError``, also `.unreadable` when the file cannot be opened in time.
    @concurrent
    package init(
        _ path: FilePath, _ loader: ThumbnailLoader, priority: DecoderPool.Priority
    ) async throws(DecodeError) {
        let opened = await FileCalls.shared.open(path, within: ThumbnailLoader.patience)
        guard !Task.isCancelled else { throw .cancelled }
        guard case .success(let opened)? = opened, opened.information.type == .regular else {
            throw .unreadable
        }
        file = opened.file
        self.path = path
        decoders = loader.decoders
        version = FileVersion(opened.information)
        facts = try await decoders.run(.probe, on: file, priority: priority)
    }

    /// Takes a file that is open already, and reads its header; otherwise like the other one.
    @concurrent
    package init(
        _ file: Descriptor, _ loader: ThumbnailLoader, priority: DecoderPool.Priority
    ) async throws(DecodeError) {
        let path = file.resolvedPath ?? "/"
        let information = await FileCalls.shared.run(on: path, within: ThumbnailLoader.patience) {
            _ in try? file.information()
        }
        guard !Task.isCancelled else { throw .cancelled }
        guard case let information?? = information, information.type == .regular else {
            throw .unreadable
        }
        self.file = file
        self.path = path
        decoders = loader.decoders
        version = FileVersion(information)
        facts = try await decoders.run(.probe, on: file, priority: priority)
    }

    /// Decodes the photo to fit a square, upright and in sRGB.
    ///
    /// Of a video or an animation it is one frame. Cancelling the task drops work that has not begun.
    ///
    /// - Parameter side: The longest side of the result in pixels, 1…``largestSide``.
    /// - Throws: ``ImageWork/DecodeError``, also `.unreadable` when the file was changed meanwhile.
    /// - Isolation: none; no thread of the caller waits for a disk.
    @concurrent
    package func picture(
        side: Int, priority: DecoderPool.Priority
    ) async throws(DecodeError) -> RawPicture {
        let picture = try await decoders.run(
            .pixels(side: side, fidelity: .exact), on: file, priority: priority)
        let now = await FileCalls.shared.run(
            on: path, within: ThumbnailLoader.patience
        ) { [file] _ in
            try? FileVersion(of: file)
        }
        guard !Task.isCancelled else { throw .cancelled }
        guard now == version else { throw .unreadable }
        return picture
    }

    /// Plays the video or the animation, in a decoder process of its own; nil if nothing can.
    package func player() -> FramePlayer? { decoders.player(of: file) }

    /// The longest side of a picture that a decoder returns, in pixels.
    package static let largestSide = RawPicture.maximumSide
}
