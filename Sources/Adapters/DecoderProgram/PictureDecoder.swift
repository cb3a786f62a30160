// SPDX-License-Identifier: MIT

package import Files
package import ImageWork
package import Photos
import Pixels

/// Does the jobs that concern pictures, and the entries of the thumbnail cache.
package struct PictureDecoder {
    package init() {}
}

extension PictureDecoder: JobPerformer {
    package func perform(_ job: SupportedTypesJob, on file: Descriptor) throws -> SupportedTypes {
        SupportedTypes(types: PictureFormats.supportedTypes)
    }

    package func perform(_ job: ProbeJob, on file: Descriptor) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(file))
    }

    package func perform(_ job: SidecarJob, on file: Descriptor) throws -> PhotoDetails {
        try PhotoDetails(sidecar: FileBytes(file))
    }

    package func perform(_ job: PixelsJob, on file: Descriptor) throws -> RawPicture {
        try RawPicture(PictureFile.decode(file, fitting: job.side, job.fidelity).0)
    }

    package func perform(_ job: FrameJob, on file: Descriptor) throws -> MovingFrame {
        throw PixelError.unsupported
    }

    package func perform(_ job: DeriveJob, on file: Descriptor) throws -> DerivedFile? {
        try PictureFile.derive(file, job.derivation).map { derived in
            DerivedFile(
                file: try derived.file ?? MemoryFile.make(named: "derived", holding: derived.bytes),
                isLocationRemoved: derived.isLocationRemoved, isConverted: derived.isConverted,
                parts: derived.parts?.map { Int64($0.lowerBound)..<Int64($0.upperBound) })
        }
    }

    package func perform(_ job: ThumbnailJob, on file: Descriptor) throws -> MadeThumbnail {
        let (bitmap, facts) = try PictureFile.decode(file, fitting: job.side, job.fidelity)
        return try MadeThumbnail(bitmap, job.subject.texts(facts))
    }

    package func perform(_ job: ReadThumbnailJob, on file: Descriptor) throws -> RawPicture? {
        guard job.subject.isShown(by: PNGChunks(try FileBytes(file)).texts) else { return nil }
        return try RawPicture(entry(file))
    }

    package func perform(_ job: FailureMarkJob, on file: Descriptor) throws -> CacheEntry {
        let pixel = Bitmap(
            size: PixelSize(width: 1, height: 1), format: .rgba, bytes: [0, 0, 0, 0])
        return try CacheEntry(pixel, job.subject.texts())
    }

    package func perform(_ job: ReadClaimJob, on file: Descriptor) throws -> ThumbnailClaim? {
        claim(of: PNGChunks(try FileBytes(file)))
    }

    package func perform(_ job: AdoptThumbnailJob, on file: Descriptor) throws -> MadeThumbnail? {
        let chunks = PNGChunks(try FileBytes(file))
        let old = ThumbnailSubject(
            uri: job.uri, modified: job.subject.modified, byteCount: job.subject.byteCount)
        guard claim(of: chunks)?.names(old) == true else { return nil }
        return try MadeThumbnail(entry(file), job.subject.texts(adopting: chunks.texts))
    }

    package func failure(of error: any Error) -> DecodeError {
        DecodeError(error)
    }

    package func takeReadFailure() -> Bool { ReadFailures.take() }

    /// Decodes the picture in a cache entry.
    private func entry(_ file: Descriptor) throws -> Bitmap {
        try PictureFile.decode(file, fitting: ThumbnailSize.xxLarge.pixels).0
    }

    private func claim(of chunks: PNGChunks) -> ThumbnailClaim? {
        chunks.isComplete ? ThumbnailClaim(texts: chunks.texts) : nil
    }
}
