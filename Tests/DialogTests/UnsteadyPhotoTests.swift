// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Photos whose files change while somebody looks at them, and photos that are hardly more than a line.
@Suite(.serialized) struct UnsteadyPhotoTests {
    /// What portal-pick prints.
    private struct Picked: Decodable {
        struct Item: Decodable { let name: String, width: Int, height: Int }
        let items: [Item]
    }

    /// What happens to the file of a photo in view.
    enum Change: CaseIterable, Sendable {
        case replaced, truncated, noPicture, emptied, removed, folder

        func make(of path: FilePath, in home: TestHome) throws {
            let bytes = try Descriptor.openForReading(path).read(upTo: 1 << 20)
            switch self {
            case .replaced: try home.write(Fixtures.bytes("jpeg/progressive.jpg"), to: path)
            case .truncated: try home.write(Array(bytes.prefix(bytes.count / 2)), to: path)
            case .noPicture: try home.write(Array("no picture".utf8), to: path)
            case .emptied: try home.write([], to: path)
            case .removed: try AtomicFile.remove(path)
            case .folder:
                try AtomicFile.remove(path)
                try Directory.make(path)
            }
        }
    }

    /// A page that shows a photo by itself.
    enum Page: CaseIterable, Sendable {
        case preview, crop
    }

    @Test(arguments: Page.allCases, Change.allCases)
    func `a photo that changes while it is looked at is no longer chosen`(
        page: Page, change: Change
    ) async throws {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(3)
        }
        try await dialog.settle()
        let clip = page == .crop ? "required" : "none"
        let pick = try dialog.pick("--max", "3", "--clip", clip, "--format", "json")
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click 0")
        try await dialog.person.do(page == .crop ? "key ctrl+Return" : "key Return")
        try await dialog.person.wait(for: "the \(page)") {
            try await dialog.person.texts().contains {
                page == .crop ? $0.hasPrefix("Area: ") : $0 == "1 of 3"
            }
        }
        try change.make(of: dialog.home.pictures.appending("1.jpg"), in: dialog.home)
        try await dialog.person.wait(for: "the message") {
            try await dialog.person.texts().contains { $0.contains("has changed or disappeared") }
        }
        try await dialog.person.see("changed-in-\(page)-\(change)")
        if page == .preview { try await dialog.person.do("key Escape") }
        // The oldest one, which is as it was.
        let photos = try await dialog.person.do("photos 2").photos ?? []
        try await dialog.person.do("click \(photos.count - 1)")
        try await dialog.person.do("key ctrl+Return")
        if page == .crop {
            try await dialog.person.wait(for: "the crop") {
                try await dialog.person.texts().contains { $0.hasPrefix("Area: ") }
            }
            try await dialog.person.do("key Return")
        }
        #expect(try await pick.exitStatus() == 0)
        let items = try JSONDecoder().decode(Picked.self, from: Data(pick.outputText.utf8)).items
        #expect(items.map { $0.name.prefix(2) } == ["3."])
    }

    @Test(arguments: [(1, 30_000), (30_000, 1)])
    func `a photo that is hardly more than a line is shown, looked at and cropped`(
        width: Int, height: Int
    ) async throws {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(2)
            let path = home.pictures.appending("line.ppm")
            let header = Array("P6 \(width) \(height) 255\n".utf8)
            try home.write(header + [UInt8](repeating: 200, count: 3 * width * height), to: path)
            home.setDate(of: path, 1_800_000_000)
        }
        try await dialog.settle()
        let pick = try dialog.pick(
            "--max", "3", "--clip", "required", "--accept", "png", "--format", "json")
        try await dialog.person.do("loaded 3")
        try await dialog.person.see("line-\(width)-in-grid")
        try await dialog.person.expectNothingOutside()
        try await dialog.person.do("click 0")
        try await dialog.person.do("key Return")
        try await dialog.person.wait(for: "the preview") {
            try await dialog.person.texts().contains("1 of 3")
        }
        try await dialog.person.do("key 1 plus plus minus 0")
        try await dialog.person.see("line-\(width)-in-preview")
        try await dialog.person.do("press Select")
        let whole = "Area: 1 × 1 pixels"
        try await dialog.person.wait(for: whole) {
            try await dialog.person.texts().contains { $0.hasPrefix(whole) }
        }
        try await dialog.person.do("key plus minus minus r l shift+Right Down")
        try await dialog.person.see("line-\(width)-in-crop")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        let items = try JSONDecoder().decode(Picked.self, from: Data(pick.outputText.utf8)).items
        #expect(items.map { [$0.width, $0.height] } == [[1, 1]])
    }
}
