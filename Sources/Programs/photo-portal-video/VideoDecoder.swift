// SPDX-License-Identifier: MIT

import DecoderProgram
import Files
import ImageWork
import Photos
import Pixels
import Videos

/// Does the jobs that concern videos; all others are for photo-portal-decoder.
struct VideoDecoder: JobPerformer {
    func perform(_ job: SupportedTypesJob, on file: Descriptor) -> SupportedTypes {
        SupportedTypes(types: MediaType.recognized.filter(\.isVideo))
    }

    func perform(_ job: ProbeJob, on file: Descriptor) throws -> ImageFacts {
        try VideoFile(file).facts
    }

    func perform(_ job: PixelsJob, on file: Descriptor) throws -> RawPicture {
        try RawPicture(VideoFile(file).frame(fitting: job.side))
    }

    func perform(_ job: ThumbnailJob, on file: Descriptor) throws -> MadeThumbnail {
        let video = try VideoFile(file)
        return try MadeThumbnail(video.frame(fitting: job.side), job.subject.texts(video.facts))
    }

    func perform(_ job: DeriveJob, on file: Descriptor) throws -> DerivedFile? {
        throw PixelError.unsupported
    }

    func perform(_ job: ReadThumbnailJob, on file: Descriptor) throws -> RawPicture? {
        throw PixelError.unsupported
    }

    func perform(_ job: FailureMarkJob, on file: Descriptor) throws -> CacheEntry {
        throw PixelError.unsupported
    }

    func perform(_ job: ReadClaimJob, on file: Descriptor) throws -> ThumbnailClaim? {
        throw PixelError.unsupported
    }

    func perform(_ job: AdoptThumbnailJob, on file: Descriptor) throws -> MadeThumbnail? {
        throw PixelError.unsupported
    }

    func failure(of error: any Error) -> DecodeError { DecodeError(error) }
}
