// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing
import Videos

/// Any file, and any packet of a decoder, is accepted or rejected; nothing traps, hangs or reads
/// beyond the end.
@Suite struct PictureFuzzTests {
    /// Every fixture that is small enough to be mutated in many ways.
    private static let files: [(name: String, bytes: [UInt8])] = {
        let folder = Programs.source.appending("Tests").appending("Fixtures")
        return names(in: folder).sorted { $0.string < $1.string }.flatMap { kind in
            names(in: folder.appending(kind)).sorted { $0.string < $1.string }.compactMap { name in
                let path = folder.appending(kind).appending(name)
                guard let bytes = try? Descriptor.openForReading(path).read(upTo: 1 << 20),
                    !bytes.isEmpty
                else { return nil }
                return ("\(kind.string)/\(name.string)", bytes)
            }
        }
    }()

    @Test func `headers of mutated files are read safely`() throws {
        #expect(Self.files.count > 40)
        var understood = 0
        var refused = 0
        for seed in Effort.seeds([], count: 12_000) {
            var generator = Generator(seed: seed)
            let file = generator.pick(Self.files)
            let bytes = generator.changed(file.bytes)
            guard !bytes.isEmpty else { continue }
            do {
                let memory = try MemoryFile.make(named: "fuzz", holding: bytes)
                let facts = try ImageFacts(reading: try FileBytes(memory))
                understood += 1
                if let size = facts.size {
                    #expect(size.width > 0 && size.height > 0, "\(file.name), \(seed)")
                }
                #expect(facts.details.isBounded, "\(file.name), \(seed)")
            } catch is PixelError {
                refused += 1
            }
        }
        #expect(understood > 1000)
        #expect(refused > 100)
    }

    @Test func `mutated sidecar files are read safely`() throws {
        let files = try ["darktable.xmp", "digikam.xmp"].map { try Fixtures.bytes("sidecar/\($0)") }
        var understood = 0
        for seed in Effort.seeds([], count: 4_000) {
            var generator = Generator(seed: seed)
            let bytes = generator.changed(generator.pick(files))
            guard !bytes.isEmpty else { continue }
            let memory = try MemoryFile.make(named: "fuzz", holding: bytes)
            guard let details = try? PhotoDetails(sidecar: FileBytes(memory)) else { continue }
            #expect(details.isBounded, "\(seed)")
            if !details.isEmpty { understood += 1 }
        }
        #expect(understood > 1000)
    }

    @Test func `boxes and directories of mutated raw files are read safely`() throws {
        let files = Self.files.filter { $0.name.hasPrefix("raw/") }
        #expect(files.count > 7)
        var understood = 0
        for seed in Effort.seeds([], count: 8_000) {
            var generator = Generator(seed: seed)
            let file = generator.pick(files)
            let bytes = generator.changed(file.bytes)
            guard !bytes.isEmpty else { continue }
            let memory = try MemoryFile.make(named: "fuzz", holding: bytes)
            guard let facts = try? ImageFacts(reading: try FileBytes(memory)) else { continue }
            if facts.size != nil { understood += 1 }
        }
        #expect(understood > 2000)
    }

    /// In this process, where a sanitizer can observe our code and the codecs.
    @Test(arguments: [
        "jpeg", "png", "orientation", "preview", "colour", "formats", "tiff", "netpbm", "tga",
        "pcx", "qoi", "psd", "hdr", "lossless", "texts",
    ])
    func `mutated pictures are decoded and converted safely`(kind: String) throws {
        let wanted = Derivation(
            removesLocation: true,
            picture: PictureChange(
                format: .jpeg, size: PixelSize(width: 64, height: 64), quality: 80,
                isStandard: true))
        var decoded = 0
        for mutant in Mutant.of(kind, Self.files) {
            let file = try mutant.file()
            if let (bitmap, _) = try? PictureFile.decode(file, fitting: mutant.side, .fast) {
                #expect(mutant.isRoom(for: bitmap.size), "\(mutant.label)")
                decoded += 1
            }
            _ = try? PictureFile.derive(file, wanted)
        }
        #expect(decoded > 10)
    }

    /// In their sandbox: OpenJPEG 2.5.0, for one, reads beyond the end of files that lie about
    /// themselves.
    @Test(arguments: ["exr", "jp2", "sensor", "svg"])
    func `a mutated picture of a rare format costs at most itself`(kind: String) async throws {
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")),
            heif: FilePath(Programs.path("photo-portal-heif")),
            rare: FilePath(Programs.path("photo-portal-rare")), workers: 1)
        defer { pool.close() }
        var decoded = 0
        for mutant in Mutant.of(kind, Self.files) {
            let file = try mutant.file()
            do {
                let picture = try await pool.run(
                    .pixels(side: mutant.side, fidelity: .fast), on: file, priority: .visible)
                #expect(mutant.isRoom(for: picture.size), "\(mutant.label)")
                decoded += 1
            } catch {
                #expect(error != .unavailable, "\(mutant.label)")
            }
        }
        // A text that was changed seldom is XML.
        #expect(decoded > (kind == "svg" ? 0 : 10))
    }

    /// Anything that another program may have left in the cache, read in the same way as a decoder
    /// does.
    @Test func `mutated cache entries are read safely`() throws {
        let texts = [
            ("Thumb::URI", "file:///a%20b.jpg"), ("Thumb::MTime", "1700000000"),
            ("Thumb::Size", "12345"), ("Software", "Fuzz"),
        ]
        let entries = [Bitmap.Format.rgb, .rgba].map { format in
            let size = PixelSize(width: 32, height: 24)
            let bytes = (0..<size.width * size.height * format.bytesPerPixel).map {
                UInt8(truncatingIfNeeded: $0 * 7)
            }
            return Bitmap(size: size, format: format, bytes: bytes)
                .png(texts: texts.map { (keyword: $0.0, text: $0.1) })
        }
        var believed = 0
        var shown = 0
        for seed in Effort.seeds([], count: 6_000) {
            var generator = Generator(seed: seed)
            let bytes = generator.changed(generator.pick(entries))
            guard !bytes.isEmpty else { continue }
            let file = try MemoryFile.make(named: "fuzz", holding: bytes)
            let chunks = PNGChunks(try FileBytes(file))
            if chunks.isComplete, chunks.texts["Thumb::URI"] == texts[0].1 { believed += 1 }
            if let (bitmap, _) = try? PictureFile.decode(file, fitting: 1024) {
                #expect(bitmap.bytes.count == bitmap.stride * bitmap.size.height, "\(seed)")
                shown += 1
            }
        }
        #expect(believed > 100)
        #expect(shown > 100)
    }

    @Test func `mutated EXIF data is read safely`() throws {
        let marker = Array("Exif\0\0".utf8)
        let blocks = Self.files.compactMap { file -> ArraySlice<UInt8>? in
            guard let start = file.bytes.firstRange(of: marker)?.upperBound else { return nil }
            return file.bytes[start...].prefix(2000)
        }
        #expect(blocks.count > 5)
        for seed in Effort.seeds([], count: 100_000) {
            var generator = Generator(seed: seed)
            let block = generator.changed(Array(generator.pick(blocks)))
            let exif = EXIF(tiff: block[...])
            #expect(exif.orientation.map { (1...8).contains($0.rawValue) } ?? true, "\(seed)")
        }
    }

    /// Boxes, chunks, segments and directories, in any order and with any claimed size.
    @Test func `the metadata of mutated files is changed safely`() throws {
        VideoFile.prepare()
        let files = Self.files.filter { $0.bytes.count < 20_000 }
        #expect(files.count > 40)
        let marks = [
            "Exif\0\0II*\0\u{8}\0\0\0", "<rdf:RDF a:GPSLatitude='1'></rdf:RDF>", "CMT4MM\0*",
            "loci", "XMP_",
        ]
        var changed = 0
        for seed in Effort.seeds([], count: 10_000) {
            var generator = Generator(seed: seed)
            let file = generator.pick(files)
            var bytes = generator.changed(file.bytes)
            guard !bytes.isEmpty else { continue }
            // Adds something to find.
            let mark = Array(generator.pick(marks).utf8)
            let start = generator.below(bytes.count)
            bytes.replaceSubrange(start..<min(start + mark.count, bytes.count), with: mark)
            let memory = try MemoryFile.make(named: "fuzz", holding: bytes)
            let derived = try? PictureFile.derive(memory, Derivation(removesLocation: true))
            guard let derived else { continue }
            changed += 1
            if let parts = derived.parts {
                #expect(derived.bytes.count == parts.reduce(0) { $0 + $1.count }, "\(seed)")
                #expect(parts.allSatisfy { $0.upperBound <= bytes.count }, "\(seed)")
            } else {
                // Written anew.
                #expect(derived.isConverted, "\(file.name), \(seed)")
            }
        }
        #expect(changed > 500)
    }

    @Test func `mutated packets from and to a decoder are read safely`() throws {
        let subject = ThumbnailSubject(uri: "file:///a.jpg", modified: 1, byteCount: 2)
        func packet(_ job: some DecoderJob) -> [UInt8] { DecoderProtocol.encode(job) }
        func packet(_ reply: some DecoderReply) -> [UInt8] {
            DecoderProtocol.encode(.success(reply)).0
        }
        let packets = [
            packet(.probe), packet(.thumbnail(side: 256, of: subject)),
            packet(.readThumbnail(subject)), packet(.derive(Derivation(removesLocation: true))),
            packet(.adoptThumbnail(of: "file:///b", subject)),
            packet(ImageFacts(mediaType: .jpeg)), packet(.sidecar),
            packet(.frame(at: 1_500_000, side: 1280)),
            packet(
                PhotoDetails(title: "a", keywords: ["b", "c"], rating: 3, camera: "d")),
            packet(SupportedTypes(types: [.jpeg, .png])),
            packet(ThumbnailClaim(uri: "file:///a", modified: 1, byteCount: 2)),
        ]
        for seed in Effort.seeds([], count: 100_000) {
            var generator = Generator(seed: seed)
            let packet = generator.changed(generator.pick(packets))
            Self.read(packet, as: ProbeJob.self, seed)
            Self.read(packet, as: SidecarJob.self, seed)
            Self.read(packet, as: PixelsJob.self, seed)
            Self.read(packet, as: ThumbnailJob.self, seed)
            Self.read(packet, as: ReadThumbnailJob.self, seed)
            Self.read(packet, as: FailureMarkJob.self, seed)
            Self.read(packet, as: SupportedTypesJob.self, seed)
            Self.read(packet, as: DeriveJob.self, seed)
            Self.read(packet, as: ReadClaimJob.self, seed)
            Self.read(packet, as: AdoptThumbnailJob.self, seed)
            Self.read(packet, as: FrameJob.self, seed)
        }
    }

    /// Reads a packet as a job, and as a reply to one.
    private static func read<Job: DecoderJob>(
        _ packet: [UInt8], as type: Job.Type, _ seed: UInt64
    ) {
        if let job = try? DecoderProtocol.decodeJob(Job.self, packet) {
            // A packet that was accepted can be encoded again.
            let same = try? DecoderProtocol.decodeJob(Job.self, DecoderProtocol.encode(job))
            #expect(same == job, "\(seed)")
        }
        _ = try? DecoderProtocol.decodeReply(Job.Reply.self, packet, [])
    }
}

/// A picture with errors, and the size in which it is wanted.
private struct Mutant {
    let label: String
    let bytes: [UInt8]
    let side: Int

    /// Pictures of one kind of fixtures.
    static func of(
        _ kind: String, _ all: [(name: String, bytes: [UInt8])]
    ) -> some Sequence<Mutant> {
        let files = all.filter { $0.name.hasPrefix("\(kind)/") }
        return Effort.seeds([], count: 200).lazy.compactMap { seed in
            var generator = Generator(seed: seed)
            let file = generator.pick(files)
            let bytes = generator.changed(file.bytes)
            guard !bytes.isEmpty else { return nil }
            return Mutant(
                label: "\(file.name), \(seed)", bytes: bytes,
                side: generator.pick([1, 7, 128, 256, 1024]))
        }
    }

    func file() throws -> Descriptor { try MemoryFile.make(named: "fuzz", holding: bytes) }

    func isRoom(for size: PixelSize) -> Bool { max(size.width, size.height) <= side }
}

extension Generator {
    /// A file with errors: bytes changed, removed, duplicated or moved.
    mutating func changed(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<(1 + below(8)) where !bytes.isEmpty {
            switch below(8) {
            case 0: bytes.removeLast(below(bytes.count))
            case 1:
                let start = below(bytes.count)
                bytes.removeSubrange(start..<min(start + below(64), bytes.count))
            case 2:
                let start = below(bytes.count)
                let piece = Array(bytes[start..<min(start + below(64), bytes.count)])
                bytes.insert(contentsOf: piece, at: below(bytes.count))
            case 3, 4:
                // Sizes and offsets are large most of the time.
                let interesting: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]
                for _ in 0..<(1 + below(4)) { bytes[below(bytes.count)] = pick(interesting) }
            case 5:
                let start = below(bytes.count)
                for index in start..<min(start + 4, bytes.count) { bytes[index] = 0xFF }
            default: bytes[below(bytes.count)] ^= UInt8(1 << below(8))
            }
        }
        return bytes
    }
}
