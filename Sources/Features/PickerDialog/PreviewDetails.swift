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
    ///   - albums: The titles of the albums that people put it into.
    ///   - decoded: What a decoder found; nil until then.
    func rows(
        at path: FilePath?, in albums: [String], _ decoded: PreviewSource.Sharp?
    ) -> [DetailsButton.Row] {
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
        add(localized("Exposure"), (decoded?.facts.exposure).flatMap(Self.text))
        add(
            localized("Duration"),
            milliseconds.flatMap { asset.mediaType.isVideo ? Self.duration($0) : nil })
        add(
            localized("Dimensions"),
            (decoded?.size ?? asset.size).map { dimensionsText($0.width, $0.height) })
        add(localized("File size"), Toolkit.text(ofByteCount: byteCount))
        add(localized("File"), name.printable)
        add(
            localized("Folder"),
            path?.removingLastComponent().lastComponent.map {
                String(decoding: $0.string.utf8, as: UTF8.self).printable
            })
        add(
            albums.count > 1 ? localized("Albums") : localized("Album"),
            albums.map(\.printable).joined(separator: ", "))
        if details.hasPlace { add(localized("Location"), localized("Recorded in the file")) }
        return rows
    }

    /// Exposure time, f-number, sensitivity and focal length, as far as they are known.
    private static func text(_ exposure: Exposure) -> String {
        func number(_ hundredths: Int) -> String { LocalTime.short(Double(hundredths) / 100) }
        let seconds =
            exposure.denominator.map { "1/\($0)" }
            ?? exposure.nanoseconds.map { LocalTime.short(Double($0) / 1_000_000_000) }
        let parts = [
            // Translators: an exposure time in seconds, for example “1/250 s”.
            seconds.map { localized("%@ s", $0) },
            // Translators: an f-number, for example “f/2.8”.
            exposure.aperture.map { localized("f/%@", number($0)) },
            // Translators: the sensitivity of a film or sensor, for example “ISO 100”.
            exposure.sensitivity.map { localized("ISO %@", "\($0)") },
            // Translators: a focal length in millimetres, for example “50 mm”.
            exposure.focalLength.map { localized("%@ mm", number($0)) },
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
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
        clock(max(milliseconds, 1000))
    }

    /// A time in a video, for example “0:00”.
    static func clock(_ milliseconds: Int64) -> String {
        let total = max(milliseconds, 0) / 1000
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0
            ? "\(hours):\(padded(minutes)):\(padded(seconds))" : "\(minutes):\(padded(seconds))"
    }
}
