// SPDX-License-Identifier: MIT

import CFiles
import Files
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage

/// Makes up the replies to jobs, which are right in everything except the lie.
struct Liar {
    let lie: Lie

    var facts: ImageFacts {
        ImageFacts(mediaType: .jpeg, storedSize: Self.size, details: details)
    }

    private var details: PhotoDetails {
        switch lie {
        case .longTitle: PhotoDetails(title: String(repeating: "x", count: 513))
        case .hiddenCharacters: PhotoDetails(caption: "before\u{1B}[2Jafter")
        case .titleInLines: PhotoDetails(title: "one\ntwo")
        case .longKeywords:
            PhotoDetails(keywords: (0..<60).map { "\($0)" + String(repeating: "y", count: 200) })
        case .sixStars: PhotoDetails(rating: 6)
        default: PhotoDetails()
        }
    }

    private static let size = PixelSize(width: 64, height: 48)

    private static func bitmap(_ size: PixelSize = size) -> Bitmap {
        Bitmap(
            size: size, format: .rgb,
            bytes: [UInt8](repeating: 128, count: size.width * size.height * 3))
    }

    private func picture(side: Int) throws -> RawPicture {
        var size = Self.size
        var bytes = Self.bitmap().bytes
        switch lie {
        case .shortPixels: bytes.removeLast()
        case .longPixels: bytes.append(0)
        case .largerThanAsked:
            size = PixelSize(width: side + 1, height: 1)
            bytes = Self.bitmap(size).bytes
        case .hugeSize: size = PixelSize(width: 16_384, height: 16_384)
        case .emptySize: size = PixelSize(width: 0, height: 48)
        case .overflowingSize: size = PixelSize(width: .max, height: .max)
        default: break
        }
        let seals: Int32? =
            switch lie {
            case .unsealed: 0
            case .shrinkable: Seal.write | Seal.grow
            case .writable: Seal.shrink | Seal.grow
            default: nil
            }
        let file: Descriptor
        switch lie {
        case .regularFile: file = try Descriptor.openForReading("/proc/self/exe")
        case .pipe: file = pipeEnd()
        default: file = try memoryFile(bytes, seals: seals)
        }
        return RawPicture(size: size, hasAlpha: false, file: file)
    }

    private func entry(_ subject: ThumbnailSubject, _ size: PixelSize = size) throws -> CacheEntry {
        var named = subject
        var shown = Self.bitmap(size)
        switch lie {
        case .entryOfOtherFile: named = subject.changed(uri: "file:///elsewhere.jpg")
        case .entryOfOtherTime: named = subject.changed(modified: 1)
        case .entryOfOtherSize: shown = Self.bitmap(PixelSize(width: 8, height: 8))
        default: break
        }
        var texts = named.texts()
        if lie == .entryTwiceNamed { texts += subject.changed(uri: "file:///other.jpg").texts() }
        var png = shown.png(texts: texts)
        switch lie {
        case .entryHuge: png += [UInt8](repeating: 0, count: 64 << 20)
        case .entryText: png = Array("<html><script>".utf8)
        case .entryCut: png.removeLast(8)
        case .entryTail: png += Array("#!/bin/sh".utf8)
        case .entryUnknownChunk:
            png.insert(contentsOf: [0, 0, 0, 0] + Array("evIL".utf8) + [0, 0, 0, 0], at: 33)
        default: break
        }
        return CacheEntry(png: try memoryFile(png, seals: lie == .entryUnsealed ? 0 : nil))
    }

    /// A memory file with some seals; nil for all of them.
    private func memoryFile(_ bytes: [UInt8], seals: Int32? = nil) throws -> Descriptor {
        guard let seals else { return try MemoryFile.make(named: "lie", holding: bytes) }
        let file = Descriptor(owning: .init(rawValue: pp_memory_file("lie")))
        _ = try file.fileDescriptor.writeAll(bytes)
        if seals != 0 { _ = fcntl(file.rawValue, Seal.add, seals) }
        return file
    }

    private func pipeEnd() -> Descriptor {
        var ends: [CInt] = [-1, -1]
        pipe(&ends)
        close(ends[1])
        return Descriptor(owning: .init(rawValue: ends[0]))
    }
}

/// Constants of fcntl(2) that Swift does not import.
private enum Seal {
    static let add: Int32 = 1033
    static let shrink: Int32 = 2
    static let grow: Int32 = 4
    static let write: Int32 = 8
}

extension ThumbnailSubject {
    fileprivate func changed(uri: String? = nil, modified: Int64? = nil) -> ThumbnailSubject {
        ThumbnailSubject(
            uri: uri ?? self.uri, modified: modified ?? self.modified, byteCount: byteCount)
    }
}

extension Liar: JobPerformer {
    func perform(_ job: SupportedTypesJob, on file: Descriptor) -> SupportedTypes {
        SupportedTypes(types: [.jpeg])
    }

    func perform(_ job: ProbeJob, on file: Descriptor) -> ImageFacts { facts }

    func perform(_ job: SidecarJob, on file: Descriptor) throws -> PhotoDetails { details }

    func perform(_ job: PixelsJob, on file: Descriptor) throws -> RawPicture {
        try picture(side: job.side)
    }

    func perform(_ job: ThumbnailJob, on file: Descriptor) throws -> MadeThumbnail {
        let picture = try picture(side: job.side)
        let size = lie == .largerThanAsked ? picture.size : Self.size
        return MadeThumbnail(picture: picture, entry: try entry(job.subject, size))
    }

    func perform(_ job: ReadThumbnailJob, on file: Descriptor) throws -> RawPicture? {
        try picture(side: ThumbnailSize.xxLarge.pixels)
    }

    func perform(_ job: FailureMarkJob, on file: Descriptor) throws -> CacheEntry {
        try entry(job.subject, PixelSize(width: 1, height: 1))
    }

    /// Names a file that is gone, so that the entry would be removed.
    func perform(_ job: ReadClaimJob, on file: Descriptor) -> ThumbnailClaim? {
        ThumbnailClaim(uri: "file:///tmp/gone.jpg", modified: 0, byteCount: nil)
    }

    func perform(_ job: AdoptThumbnailJob, on file: Descriptor) throws -> MadeThumbnail? {
        MadeThumbnail(
            picture: try picture(side: ThumbnailSize.xxLarge.pixels), entry: try entry(job.subject))
    }

    func perform(_ job: FrameJob, on file: Descriptor) throws -> MovingFrame {
        var (start, end) = (job.time, job.time + 40_000)
        switch lie {
        case .frameBeforeStart: start = -1
        case .frameOfLaterTime: start += 1
        case .frameOfEarlierTime: (start, end) = (0, job.time)
        case .frameWithoutDuration: end = start
        case .frameBackwards: end = start - 1
        case .frameForEver: end = .max
        default: break
        }
        return MovingFrame(
            picture: try picture(side: job.side), start: start, end: end, isLast: false,
            rounds: 1)
    }

    func perform(_ job: DeriveJob, on file: Descriptor) throws -> DerivedFile? {
        var bytes = try file.read(upTo: 1 << 22)
        let original = Int64(bytes.count)
        var isConverted = job.derivation.picture != nil
        var isLocationRemoved = job.derivation.removesLocation
        var parts: [Range<Int64>]?
        if isConverted { bytes = Self.bitmap().png() }
        switch lie {
        case .derivedText: bytes = Array("<html><script>".utf8)
        case .derivedOfOtherFormat: bytes = Array("GIF89a".utf8) + bytes
        case .derivedTooLong: bytes += [UInt8](repeating: 0, count: 100_000)
        case .derivedUnaskedRemoval: isLocationRemoved = true
        case .derivedWithoutChange: (isConverted, isLocationRemoved) = (false, false)
        case .partsOverlap: parts = [0..<4, 3..<7]
        case .partsUnordered: parts = [4..<8, 0..<4]
        case .partsBeyondEnd: parts = [0..<4, original - 2..<original + 2]
        case .partsOfOtherSize: parts = [0..<4, 4..<7]
        case .partsCount:
            parts = (0..<3500).map { min($0, 8)..<min($0 + 1, 8) }
        case .placeFoundAgain: parts = [0..<8]
        default: break
        }
        if parts != nil {
            bytes =
                lie == .placeFoundAgain
                ? Array(bytes.prefix(8)) : [UInt8](repeating: 0, count: 8)
        }
        if lie == .derivedHuge {
            let file = try MemoryFile.make(named: "lie", byteCount: 300 << 20) { _ in }
            return DerivedFile(
                file: file, isLocationRemoved: isLocationRemoved, isConverted: isConverted)
        }
        return DerivedFile(
            file: try memoryFile(bytes, seals: lie == .derivedUnsealed ? 0 : nil),
            isLocationRemoved: isLocationRemoved, isConverted: isConverted, parts: parts)
    }

    func failure(of error: any Error) -> DecodeError { .damaged }

    func takeReadFailure() -> Bool { false }
}
