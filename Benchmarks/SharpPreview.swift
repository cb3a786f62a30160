// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport

/// A person who looks at photographs of 12 megapixels in the preview: from the key to the picture in full.
struct SharpPreview {
    private static let count = 24
    private static let runs = 7
    /// In milliseconds: for the first one, and for the next one, which was read ahead.
    private static let limits = (first: 150.0, next: 50.0)

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try Directory.make(home.pictures)
        for photo in try await Photographs.make(Self.count) {
            guard let name = photo.lastComponent else { continue }
            try FileManager.default.copyItem(
                atPath: photo.string, toPath: home.pictures.appending(name).string)
        }
        let session = try await Session.start(home: home, services: home.startableAccessibility())
        let screen = try await Screen(home)
        let viewer = try Viewer(session, screen.environment)
        let dialog = try await PickerWindow.start(session, screen)
        let service = try session.start("photo-portal", ["--verbose"])
        _ = try await indexingTime(service)
        let picker = try session.start("portal-pick")
        try await viewer.do("loaded 10")
        try await viewer.do("key Home")
        var first: [Double] = []
        var next: [Double] = []
        for run in 0..<Self.runs {
            // Three further than before, so that neither has been read ahead.
            let place = 3 * run + 1
            first.append(try await time(place, "Return", viewer))
            // A person looks at it.
            try await Task.sleep(for: .seconds(1))
            next.append(try await time(place + 1, "Right", viewer))
            try await viewer.do("key Escape")
            try await viewer.do("loaded 10")
            try await viewer.do("key Right Right")
        }
        try await picker.stop(SIGINT)
        try await service.stop()
        try await dialog.stop()
        return [
            .lessIsBetter(
                "key to the sharp picture of 12 megapixels", unit: "ms", ours: median(first),
                peer: "the limit", theirs: Self.limits.first),
            .lessIsBetter(
                "key to the next sharp picture", unit: "ms", ours: median(next),
                peer: "the limit", theirs: Self.limits.next),
        ]
    }

    private func time(_ place: Int, _ key: String, _ viewer: Viewer) async throws -> Double {
        try await viewer.time("sharp '\(place) of \(Self.count)' \(key)")
    }
}
