// SPDX-License-Identifier: MIT

import Files
import GtkKit
import ImageWork
import Photos
import PickModel
import SystemPackage
import Thumbnails
import WebFetch

/// The pictures of the preview: that of the photo in view, and of those beside it.
@UIActor
final class PreviewSource {
    /// A decoded photo.
    struct Sharp {
        let texture: Texture
        /// The upright size of the photo, of which the texture may have fewer pixels.
        let size: PixelSize
        /// The longest side that the decoder was asked for.
        let side: Int
        let version: FileVersion
        /// What the photo says about itself.
        let facts: ImageFacts

        /// Whether it is a picture, and no frame of a video.
        var isStill: Bool { facts.mediaType.isImage }
    }

    /// How sharp a picture has to be.
    enum Sharpness: Hashable, Sendable {
        /// To fill a view of this many device pixels.
        case fitting(PixelSize)
        /// All pixels of the photo, if these are not too many.
        case full
    }

    private let library: LibrarySource
    private let thumbnails: ThumbnailLoader
    /// The pictures that have to be fetched first; nil in a window without any.
    let web: WebPictures?
    private var opened: [AssetID: OpenedPhoto] = [:]
    private var pictures: [AssetID: Sharp] = [:]

    /// The most pixels of a texture, which then takes 192 MiB.
    private nonisolated static let mostPixels = 64 << 20
    /// Sides are multiples of this, so that a slightly larger window needs no new picture.
    private nonisolated static let sideStep = 256

    init(_ library: LibrarySource, _ thumbnails: ThumbnailLoader, web: WebPictures? = nil) {
        self.library = library
        self.web = web
        self.thumbnails = thumbnails
    }

    /// The picture of a photo that has been loaded; nil if there is none.
    func ready(_ id: AssetID) -> Sharp? { pictures[id] }

    /// Plays a photo that has been loaded and that moves; nil if it is none.
    func player(of id: AssetID) -> FramePlayer? { opened[id]?.player() }

    /// Forgets all photos but one and those beside it, of which only what fits into the view is kept.
    func keep(_ id: AssetID?, _ neighbours: [AssetID], _ view: PixelSize) {
        web?.keep(Set(neighbours + [id].compactMap(\.self)))
        opened = opened.filter { $0.key == id || neighbours.contains($0.key) }
        pictures = pictures.filter { other, picture in
            other == id
                || neighbours.contains(other)
                    && picture.side <= Self.side(of: picture.size, .fitting(view))
        }
    }

    func forgetAll() {
        web?.keep([])
        opened = [:]
        pictures = [:]
    }

    /// Gets the picture of a photo; nil if the task was cancelled.
    ///
    /// A picture that has been loaded and is sharp enough needs no waiting.
    func picture(
        of id: AssetID, _ sharpness: Sharpness, priority: DecoderPool.Priority
    ) async -> Result<Sharp, PhotoProblem>? {
        let file: Descriptor?
        do throws(FetchError) {
            file = try await web?.file(of: id)
        } catch {
            return error == .cancelled || Task.isCancelled
                ? nil : .failure(PhotoProblem(fetching: error))
        }
        do throws(DecodeError) {
            let photo = try await open(id, file, priority)
            let side = Self.side(of: photo.facts.size, sharpness)
            if let ready = pictures[id], ready.version == photo.version, ready.side >= side {
                return .success(ready)
            }
            let picture = try await photo.picture(side: side, priority: priority)
            guard !Task.isCancelled else { return nil }
            guard let texture = Texture(picture) else { throw .garbage }
            let sharp = Sharp(
                texture: texture, size: photo.facts.size ?? picture.size, side: side,
                version: photo.version, facts: photo.facts)
            pictures[id] = sharp
            return .success(sharp)
        } catch {
            // Somebody else may need the file that is open.
            if error == .cancelled { return nil }
            opened[id] = nil
            let problem = PhotoProblem(error)
            return .failure(file == nil ? problem : problem.ofWeb)
        }
    }

    /// - Parameter file: The bytes of a picture of the web.
    private func open(
        _ id: AssetID, _ file: Descriptor?, _ priority: DecoderPool.Priority
    ) async throws(DecodeError) -> OpenedPhoto {
        if let opened = opened[id] { return opened }
        if let file, let uri = web?.uri(of: id) {
            let photo = try await OpenedPhoto(file, thumbnails, priority: priority)
            guard !Task.isCancelled else { throw .cancelled }
            await library.note(photo, id, from: uri)
            opened[id] = photo
            return photo
        }
        if let photo = try await library.open(id, thumbnails, priority) {
            guard !Task.isCancelled else { throw .cancelled }
            opened[id] = photo
            return photo
        }
        var problem = DecodeError.unreadable
        for path in await library.paths(of: id) {
            do throws(DecodeError) {
                let photo = try await OpenedPhoto(path, thumbnails, priority: priority)
                guard !Task.isCancelled else { throw .cancelled }
                opened[id] = photo
                return photo
            } catch {
                if error == .cancelled { throw error }
                problem = error
            }
        }
        throw Task.isCancelled ? .cancelled : problem
    }

    /// The longest side of a picture that is sharp enough, in pixels.
    nonisolated static func side(of size: PixelSize?, _ sharpness: Sharpness) -> Int {
        let most: Int
        if let size, !size.isEmpty {
            let bounded = size.reduced(to: mostPixels)
            most = min(max(bounded.width, bounded.height), OpenedPhoto.largestSide)
        } else {
            most = OpenedPhoto.largestSide
        }
        guard case .fitting(let view) = sharpness else { return most }
        var needed = max(view.width, view.height, 1)
        if let size, !size.isEmpty {
            var viewport = Viewport(of: size)
            viewport.resize(width: Double(view.width), height: Double(view.height), density: 1)
            needed = viewport.shownSide
        }
        return min((needed + sideStep - 1) / sideStep * sideStep, most)
    }
}
