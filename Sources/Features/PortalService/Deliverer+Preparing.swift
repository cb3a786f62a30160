// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SystemPackage

extension Deliverer {
    /// Prepares one item: finds the version that was shown, and makes what was asked for.
    func prepare(
        _ item: PickedItem, _ known: Known?, _ order: Order
    ) async -> Outcome {
        let (located, remarks) = (known?.located, known?.remarks)
        let id: String
        let paths: [FilePath]
        switch item.reference {
        case .asset(let assetID):
            id = assetID.description
            paths = located?.paths ?? []
        case .uri(let uri):
            id = ""
            paths = FileURI.path(uri).map { [$0] } ?? []
        }
        let name = paths.first.flatMap { Self.name(of: $0, located) }
        func failure(_ code: Delivery.Failure.Code, _ problem: String) -> Outcome {
            .failure(Delivery.Failure(id, name, code, problem))
        }
        guard located?.isShown(in: item.version) ?? true else {
            return .failure(.changed(id, name))
        }
        let version = located.map { $0.deliverable(after: item.version) } ?? item.version
        // One photo may have several files, of which the person saw one.
        var candidates: [Candidate] = []
        for path in paths {
            let found = await FileCalls.shared.run(on: path, within: Self.patience) { _ in
                candidate(path, isInLibrary: item.assetID != nil)
            }
            if let found = found ?? nil { candidates.append(found) }
        }
        let found = candidates.first { version == nil || $0.version == version }
        guard let found, let uri = FileURI.make(found.path) else {
            return candidates.isEmpty
                ? failure(.notFound, "is gone or cannot be opened")
                : .failure(.changed(id, name))
        }
        // No other photo can have spoilt what the app receives.
        let decoder = decoders.session(client: order.client)
        var read = located.flatMap { Self.facts(of: found, $0, order) }
        // For the app it is the same, whatever the decoder has against the file.
        if read == nil { read = try? await decoder.run(.probe, on: found.file) }
        guard let facts = read else {
            return failure(.unreadable, "is not a picture that can be read")
        }
        guard order.filter.accepts(facts.mediaType) else {
            return failure(.wrongType, "is \(facts.mediaType), which was not asked for")
        }
        let asset = located?.asset
        let taken =
            facts.taken?.secondsSince1970 ?? (asset?.hasCaptureDate == true ? asset?.date : nil)
        let compared = PhotoFacts(
            size: facts.size ?? asset?.size, byteCount: found.information.size,
            date: asset?.date ?? taken ?? found.information.modifiedSeconds,
            isFavorite: remarks?.isFavorite ?? false,
            milliseconds: facts.milliseconds
                ?? item.assetID.flatMap { order.facts[$0]?.milliseconds })
        guard order.wanted.broken(by: compared) == nil else {
            return failure(.unfit, "does not have the size, date or duration that was asked for")
        }
        let foundName = Self.name(of: found.path, located)
        var delivered = Delivery.Item(
            id: id, uri: uri, mediaType: facts.mediaType, name: foundName?.printable ?? "",
            size: facts.size ?? asset?.size,
            byteCount: UInt64(clamping: found.information.size), taken: taken,
            modified: found.information.modifiedSeconds, source: item.source)
        delivered.isFavorite = remarks?.isFavorite ?? false
        delivered.position = order.tellsLocation ? facts.position : nil
        delivered.alternativeText = (remarks?.caption ?? facts.details.caption)?.printable
        do throws(DerivedFiles.Failure) {
            let clip = try Self.clip(of: facts, item, order)
            delivered.clip = clip.flatMap { $0.isWhole(facts.size) ? nil : $0.area }
            delivered.rotation = clip?.rotation ?? .none
            delivered.isClipTouched = delivered.isClipped && item.isClipTouched
            let ready = Ready(
                item: delivered, name: foundName,
                source: Source(path: found.path, version: found.version),
                original: found.file,
                isAdjusted: located?.files.first { $0.path == found.path }?.isAdjusted ?? false)
            var made = try await derive(ready, found, facts, clip, order, decoder)
            if let side = order.thumbnailSide {
                made.thumbnail = await smallPicture(
                    .thumbnail(side: side), of: made.item.size, found, facts, clip, order, decoder)
            }
            if order.hasPreview {
                made.preview = await smallPicture(
                    .preview, of: made.item.size, found, facts, clip, order, decoder)
            }
            return .success(made)
        } catch {
            switch error {
            case .changed: return .failure(.changed(id, name))
            case .decoding(.locationStays),
                // Nothing checks the packets here.
                .decoding(.unsupported) where facts.mediaType.isVideo:
                return failure(.location, "tells a place that cannot be removed")
            case .storing(let reason) where reason.isLackOfSpace:
                return failure(
                    .noSpace, "cannot be prepared, because there is not enough space on the disk")
            case .storing:
                return failure(.noSpace, "cannot be prepared, because no copy can be stored")
            case .decoding(.tooLarge):
                return failure(.tooLarge, "is too large, or the result cannot be made small enough")
            case .decoding(let reason):
                guard let version = reason.neededVersion else { break }
                return failure(
                    .unreadable, "cannot be decoded here; \(version) or later may be able to")
            }
            return failure(.unreadable, "cannot be converted as requested")
        }
    }

    /// The name by which people know a file; nil for a path without one.
    private static func name(of path: FilePath, _ located: LocatedAsset?) -> String? {
        let file = located?.files.first { $0.path == path }
        return (file?.name ?? path.lastComponent).map(FileURI.displayName)
    }

    /// What the library knows of the version that is delivered; nil if it knows another one, or if
    /// something is made of the file.
    ///
    /// What an app receives is made by a decoder that has seen no other photo, but a process for each
    /// of thousands of files that stay as they are takes seconds.
    private static func facts(
        of found: Candidate, _ located: LocatedAsset, _ order: Order
    ) -> ImageFacts? {
        let asset = located.asset
        guard !order.removesLocation, !order.tellsLocation,
            order.clip.mode == .none || !asset.mediaType.isImage,
            found.type == asset.mediaType,
            located.files.contains(where: { $0.path == found.path && $0.examined == found.version })
        else { return nil }
        let facts = ImageFacts(mediaType: asset.mediaType, storedSize: asset.size)
        let derivation = Derivation(
            of: facts, byteCount: UInt64(clamping: found.information.size), options: order.output,
            removesLocation: false)
        return derivation == nil ? facts : nil
    }

    /// The part to deliver; nil for the whole photo and for videos.
    private static func clip(
        of facts: ImageFacts, _ item: PickedItem, _ order: Order
    ) throws(DerivedFiles.Failure) -> Clip? {
        guard facts.mediaType.isImage, order.clip.mode != .none else { return nil }
        guard let size = facts.size else { throw .decoding(.damaged) }
        do {
            return try order.clip.clip(
                of: size, chosen: item.clip, rotation: item.rotation)
        } catch {
            throw .decoding(.garbage)
        }
    }

    /// Makes the derived file of an item, if it needs one.
    private func derive(
        _ ready: Ready, _ found: Candidate, _ facts: ImageFacts, _ clip: Clip?,
        _ order: Order, _ decoder: DecoderSession
    ) async throws(DerivedFiles.Failure) -> Ready {
        guard
            let derivation = Derivation(
                of: facts, byteCount: ready.item.byteCount, options: order.output, clip: clip,
                removesLocation: order.removesLocation),
            let made = try await derived.make(
                derivation, of: found.file, facts.mediaType,
                // The photo itself may get a location later.
                copies: order.removesLocation && order.isKept, by: decoder)
        else { return ready }
        // The chosen file must not take its place: it may contain what had to be removed.
        guard let uri = FileURI.make(made.path) else { throw .decoding(.unreadable) }
        var item = ready.item
        item.uri = uri
        item.mediaType = made.facts.mediaType
        if made.isConverted { item.size = made.facts.size }
        item.byteCount = UInt64(clamping: made.file.byteCount ?? 0)
        item.name = item.name.withExtension(made.facts.mediaType.fileExtension)
        let (pixels, all) = (made.facts.size?.pixelCount ?? 0, facts.size?.pixelCount ?? .max)
        item.isPart = item.isClipped || pixels < all
        var changed = ready
        changed.item = item
        changed.made = made
        return changed
    }
}

extension Deliverer {
    /// Makes a small picture of an item; nil if none can be made.
    ///
    /// Without it the app still has the photo.
    ///
    /// - Parameter delivered: The size of what is delivered, which it does not exceed.
    private func smallPicture(
        _ form: SmallPictureForm, of delivered: PixelSize?, _ found: Candidate,
        _ facts: ImageFacts, _ clip: Clip?, _ order: Order, _ decoder: DecoderSession
    ) async -> SmallPicture? {
        guard
            let derivation = Derivation(
                form, of: facts, part: clip,
                atMost: delivered.map { max($0.width, $0.height) }, options: order.output)
        else { return nil }
        do throws(DerivedFiles.Failure) {
            let made = try await derived.make(
                derivation, of: found.file, facts.mediaType, by: decoder)
            return made.map { .made($0) } ?? .delivered
        } catch {
            derived.logger.notice("There is no small picture.", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

extension String {
    /// The file name with another extension; unchanged if `new` is nil.
    func withExtension(_ new: String?) -> String {
        guard let new else { return self }
        let stem = lastIndex(of: ".").map { self[..<$0] } ?? self[...]
        return "\(stem.isEmpty ? self[...] : stem).\(new)"
    }
}
