// SPDX-License-Identifier: MIT

import DecoderProgram
import Files
import ImageWork
import Photos
import Pixels
import Videos

/// Does the jobs that concern videos, and pictures that move; all others are for photo-portal-decoder,
/// which also removes the location of videos that need no check of packets.
struct VideoDecoder: JobPerformer {
    private let playing = PlayingVideo()

    func perform(_ job: SupportedTypesJob, on file: Descriptor) -> SupportedTypes {
        SupportedTypes(types: MediaType.recognized.filter(\.isVideo))
    }

    func perform(_ job: ProbeJob, on file: Descriptor) throws -> ImageFacts {
        try VideoFile(file).facts
    }

    func perform(_ job: SidecarJob, on file: Descriptor) throws -> PhotoDetails {
        throw PixelError.unsupported
    }

    func perform(_ job: PixelsJob, on file: Descriptor) throws -> RawPicture {
        if try isPicture(file) {
            return try RawPicture(PictureFile.decode(file, fitting: job.side, job.fidelity).0)
        }
        return try RawPicture(VideoFile(file).frame(fitting: job.side))
    }

    func perform(_ job: FrameJob, on file: Descriptor) throws -> MovingFrame {
        let picture = try playing.picture(of: file)
        let frame = try picture.frame(at: job.time, fitting: job.side)
        return MovingFrame(
            picture: try RawPicture(frame.bitmap), start: frame.start, end: frame.end,
            isLast: frame.isLast, rounds: picture.rounds)
    }

    func perform(_ job: ThumbnailJob, on file: Descriptor) throws -> MadeThumbnail {
        if try isPicture(file) {
            let (bitmap, facts) = try PictureFile.decode(file, fitting: job.side, job.fidelity)
            return try MadeThumbnail(bitmap, job.subject.texts(facts))
        }
        let video = try VideoFile(file)
        return try MadeThumbnail(video.frame(fitting: job.side), job.subject.texts(video.facts))
    }

    func perform(_ job: DeriveJob, on file: Descriptor) throws -> DerivedFile? {
        try PictureDecoder().perform(job, on: file)
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

    /// Whether a file is a sequence of pictures.
    private func isPicture(_ file: Descriptor) throws -> Bool {
        MediaType.isSequence(try FileBytes(file).start)
    }

    func failure(of error: any Error) -> DecodeError { DecodeError(error) }

    func takeReadFailure() -> Bool { ReadFailures.take() }
}

/// What the process plays, so that each frame is decoded once.
///
/// A process gets frames of one file to decode and no other; see `FramePlayer`. The sandbox has no call
/// that would tell two files apart.
private final class PlayingVideo {
    private var picture: (any MovingPicture)?

    /// The frames of the file, which go on where the last one was.
    func picture(of file: Descriptor) throws -> any MovingPicture {
        if let picture { return picture }
        let opened = try MovingPictures.open(file)
        picture = opened
        return opened
    }
}
