// SPDX-License-Identifier: MIT
// Does to each file what a decoder does, and writes what an app would get to the output, where Valgrind
// finds bytes that nobody set. Built by scripts/fuzz, the files come from libFuzzer.
//   pixel-probe FILE… > /dev/null

import CFuzzer
import Files
import HEIFFormats
import Photos
import Pixels
import RareFormats
import SystemPackage
import Videos

enum Probe {
    static let side = [1, 7, 128, 256, 1024]
    /// Beyond this, a picture whose metadata cannot be changed in place takes long to encode again, of
    /// which a search for faults of parsers learns nothing.
    static let longestSide = 2048

    static func write(_ bytes: [UInt8]) {
        _ = try? FileDescriptor.standardOutput.writeAll(bytes)
    }

    /// What is searched and changed in a file whose picture stays.
    static func changeMetadata(_ file: Descriptor, _ count: Int) {
        let facts = (try? FileBytes(file)).flatMap { try? ImageFacts(reading: $0) }
        if let size = facts?.size, max(size.width, size.height) > longestSide { return }
        let derivation = Derivation(removesLocation: true, removesMetadata: count % 4 == 3)
        if let derived = try? PictureFile.derive(file, derivation) { write(derived.bytes) }
    }

    /// A thumbnail, and a picture made from the file: by its blocks if it is a JPEG that only needs to
    /// be turned or cropped.
    static func changePicture(_ file: Descriptor, _ count: Int) {
        let side = side[count % side.count]
        guard
            let (bitmap, facts) = try? PictureFile.decode(
                file, fitting: side, count % 2 == 0 ? .fast : .exact)
        else { return }
        write(bitmap.bytes)
        guard let size = facts.size else { return }
        let clip = count % 3 == 0 ? PixelRectangle(size).inset : nil
        let format: OutputFormat = facts.mediaType == .jpeg || count % 3 == 1 ? .jpeg : .png
        let target =
            facts.mediaType == .jpeg && count % 3 != 2
            ? clip?.size ?? size : PixelSize(width: 64, height: 48)
        let change = PictureChange(
            format: format, clip: clip, size: target, quality: 80, isStandard: true)
        let derivation = Derivation(removesLocation: count % 2 == 0, picture: change)
        if let derived = try? PictureFile.derive(file, derivation) { write(derived.bytes) }
    }

    /// Some frames from the start, one far ahead, and the first one again.
    static func play(_ file: Descriptor) {
        guard let opened = try? MovingPictures.open(file) else { return }
        for time in [0, 40_000, 80_000, 5_000_000, 0] as [Int64] {
            guard let frame = try? opened.frame(at: time, fitting: 256) else { return }
            write(frame.bitmap.bytes)
        }
    }
}

extension PixelRectangle {
    /// What is left without the first 16 pixels of each side.
    fileprivate var inset: PixelRectangle? {
        guard width > 32, height > 32 else { return nil }
        return PixelRectangle(x: x + 16, y: y + 16, width: width - 16, height: height - 16)
    }
}

HEIFFormats.install()
VideoFile.prepare()
let isMetadata = CommandLine.arguments.contains("--metadata")
let isMoving = CommandLine.arguments.contains("--moving")
if CommandLine.arguments.contains("--rare") {
    RareFormats.chooseFonts()
    RareFormats.install()
}
let isRun = pp_fuzzer_run(CommandLine.argc, CommandLine.unsafeArgv) { data, count in
    guard let data, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let file = try? MemoryFile.make(named: "probe", holding: bytes) else { return 0 }
    if isMetadata {
        Probe.changeMetadata(file, count)
    } else if isMoving {
        Probe.play(file)
    } else {
        Probe.changePicture(file, count)
    }
    return 0
}
if !isRun {
    RareFormats.install()
    for path in CommandLine.arguments.dropFirst() {
        guard let file = try? Descriptor.openForReading(FilePath(path)) else { continue }
        for round in 0..<6 { Probe.changePicture(file, round) }
        for round in [0, 3] { Probe.changeMetadata(file, round) }
        Probe.play(file)
    }
}
