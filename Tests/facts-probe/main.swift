// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import Pixels
import SystemPackage

/// Prints what is read from the headers of pictures, for `scripts/judge-corpora`: a line for each with
/// its path, type, size and date.
HEIFFormats.install()
for path in CommandLine.arguments.dropFirst() {
    // Files that are no pictures have no line.
    guard let file = try? Descriptor.openForReading(FilePath(path)),
        let facts = try? ImageFacts(reading: FileBytes(file)), facts.mediaType.isImage
    else { continue }
    let size = facts.size.map { "\($0.width)x\($0.height)" } ?? ""
    func digits(_ number: Int, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    let date = facts.taken.map {
        digits($0.year, 4)
            + [$0.month, $0.day, $0.hour, $0.minute, $0.second].map { digits($0, 2) }.joined()
    }
    print("\(path)\t\(facts.mediaType)\t\(size)\t\(date ?? "")")
}
