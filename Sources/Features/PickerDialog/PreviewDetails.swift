// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoLibrary
import Photos
import SystemPackage

extension ListedAsset {
    /// What the person is told about a photo.
    ///
    /// - Parameters:
    ///   - path: The path of its file.
    ///   - size: The upright size as a decoder found it.
    func rows(at path: FilePath?, _ size: PixelSize?) -> [DetailsButton.Row] {
        var rows = [
            DetailsButton.Row(
                asset.hasCaptureDate ? localized("Taken") : localized("Modified"),
                LocalTime.text(asset.date))
        ]
        func add(_ name: String, _ text: String?) {
            if let text, !text.isEmpty { rows.append(DetailsButton.Row(name, text)) }
        }
        add(localized("Title"), details.title?.printable)
        add(localized("Camera"), details.camera?.printable)
        add(localized("Lens"), details.lens?.printable)
        add(
            localized("Duration"),
            milliseconds.flatMap { asset.mediaType.isVideo ? Self.duration($0) : nil })
        add(
            localized("Dimensions"),
            (size ?? asset.size).map { dimensionsText($0.width, $0.height) })
        add(localized("File size"), Toolkit.text(ofByteCount: byteCount))
        add(localized("File"), name.printable)
        add(
            localized("Folder"),
            path?.removingLastComponent().lastComponent.map {
                String(decoding: $0.string.utf8, as: UTF8.self).printable
            })
        if details.hasPlace { add(localized("Location"), localized("Recorded in the file")) }
        return rows
    }

    /// What tells the first frame of a video, or of an animation, from a photo; nil for photos.
    var badge: String? {
        if asset.mediaType.isVideo {
            return milliseconds.map { localized("▶ %@", Self.duration($0)) }
                ?? localized("Video")
        }
        return isAnimated ? localized("Animation") : nil
    }

    /// A duration for people, for example “0:12” or “1:02:03”; less than a second counts as one.
    static func duration(_ milliseconds: Int64) -> String {
        let total = max(max(milliseconds, 0) / 1000, 1)
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0
            ? "\(hours):\(padded(minutes)):\(padded(seconds))" : "\(minutes):\(padded(seconds))"
    }
}
