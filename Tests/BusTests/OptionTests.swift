// SPDX-License-Identifier: MIT

import Foundation
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Options on their whole path: from the app through the service to the backend.
@Suite(.serialized) struct OptionTests {
    /// Preselection is limited to photos that the app has received, and grants to sandboxed apps.
    private static let changed: Vardict = [
        "preselected": [String]().variant, "persistent": false.variant,
        "writable": false.variant, "include_location": false.variant,
    ]

    @Test func `every option reaches the backend, and is reported by its key`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("cancel")
        let samples = Dictionary(uniqueKeysWithValues: PickOption.all.map { ($0.key, $0.sample) })
        _ = try await picker.client.pick(samples)
        try await eventually("the question") { backend.events.count == 1 }
        let forwarded = PickOption.all.filter { $0.audience == .backend }.map(\.key)
        let expected = samples.filter { forwarded.contains($0.key) }
            .merging(Self.changed) { $1 }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(expected), as: UTF8.self)
        let report = try #require(backend.events.first)
        #expect(report.contains("\"options\":\(json)"), "\(report)")
    }

    @Test func `S1.5 rows that are not allowed are an error of the call, and no window opens`()
        async throws
    {
        let picker = try await PickerSession(photos: 0)
        let backend = try await picker.session.startBackend("cancel")
        let wrong: [[SheetActionFields]] = [
            [], [SheetActionFields("album")],
            Array(repeating: SheetActionFields("close"), count: 9),
            [SheetActionFields("close", String(repeating: "x", count: 5000))],
        ]
        for rows in wrong {
            let error = await #expect(throws: DBusError.self) {
                try await picker.client.pick([
                    "layout": "sheet".variant, "actions": rows.variant,
                ])
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(error?.message.contains("'actions'") == true)
        }
        #expect(backend.events.isEmpty)
    }

    @Test func `S1.14 a script answers for the newest photo of a sheet`()
        async throws
    {
        let home = try TestHome()
        for (name, seconds) in [("old", 0), ("newest", 7200), ("newer", 3600)] {
            let path = home.pictures.appending("\(name).jpg")
            try home.write(Fixtures.bytes("jpeg/grey.jpg") + Array(name.utf8), to: path)
            home.setDate(of: path, 1_700_000_000 + seconds)
        }
        let picker = try await PickerSession(photos: 0, home: home)
        let backend = try await picker.session.startBackend("pick newest 1")
        let latest = try picker.session.start("portal-pick", ["--latest", "--single"])
        #expect(try await latest.exitStatus() == 0, "\(latest.errorText)")
        #expect(latest.outputText == "\(home.pictures.appending("newest.jpg"))\n")
        let report = try #require(backend.events.first)
        let rows = [SheetActionFields("recent"), SheetActionFields("close")]
        for option in [["actions": rows.variant], ["layout": "sheet".variant]] as [Vardict] {
            let json = String(decoding: try JSONEncoder().encode(option), as: UTF8.self)
            #expect(report.contains(json.dropFirst().dropLast()), "\(report)")
        }
    }

    @Test func `more photos than can be delivered cannot be demanded`() async throws {
        let picker = try await PickerSession(photos: 0)
        let backend = try await picker.session.startBackend("cancel")
        for (minimum, maximum) in [
            (UInt32(10_001), UInt32?.none), (.max, nil), (10_001, 20_000), (3, 2), (.max, .max),
        ] {
            var options: Vardict = ["min_count": minimum.variant]
            options["max_count"] = maximum?.variant
            let error = await #expect(throws: DBusError.self) {
                try await picker.client.pick(options)
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(error?.message.contains("'min_count', got \(minimum)") == true)
        }
        // As many as can be delivered are not too many.
        let handle = try await picker.client.pick(["min_count": UInt32(10_000).variant])
        #expect(try await picker.client.response(handle).code == 1)
        #expect(backend.events.count == 1)
    }

    @Test func `without options the backend gets the documented defaults`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("cancel")
        _ = try await picker.client.open()
        try await eventually("the question") { backend.events.count == 1 }
        let report = try #require(backend.events.first)
        for option in PickOption.all where option.methods.contains(.openImage) {
            let isReported = report.contains("\"\(option.key)\":")
            #expect(isReported == (option.audience == .backend && option.defaultValue != nil))
        }
    }

    @Test func `an album that does not exist is ignored, as in the window`() async throws {
        let picker = try await PickerSession(photos: 2)
        _ = try await picker.session.startBackend("pick newest most")
        let options: Vardict = [
            "album": "nowhere".variant, "only_album": true.variant, "max_count": UInt32(9).variant,
        ]
        let response = try await picker.client.response(picker.client.pick(options))
        #expect(Delivery(response.results)?.items.count == 2)
    }

    @Test func `portal-pick passes its flags on, and prints all that it gets as JSON`()
        async throws
    {
        let picker = try await PickerSession(photos: 1)
        let missing = "file://\(picker.home.pictures)/missing.jpg"
        let photo = try #require(picker.files.first)
        _ = try await picker.session.startBackend(
            "clip 0 0 20 10; pick files file://\(photo.string.replacing(" ", with: "%20")) \(missing)"
        )
        let (status, output, errors) = try await picker.session.run(
            "portal-pick", ["--clip", "optional", "--accept", "png", "--format", "json"])
        #expect(status == 0)
        #expect(errors.contains("“missing.jpg” is gone or cannot be opened."))
        let results = try #require(
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let item = try #require((results["items"] as? [[String: Any]])?.first)
        #expect(item["media_type"] as? String == "image/png")
        #expect(item["clip"] as? [Int] == [0, 0, 20, 10])
        #expect(item["clip_touched"] as? Bool == true)
        #expect((item["path"] as? String)?.hasSuffix(".png") == true)
        let applied = try #require(results["applied"] as? [String: Any])
        #expect((applied["converted"] as? [String])?.first == item["uri"] as? String)
        let failure = try #require((results["errors"] as? [[String: Any]])?.first)
        #expect(failure["code"] as? String == "not-found")
    }

    @Test func `portal-pick prints as JSON why nothing could be delivered`() async throws {
        let picker = try await PickerSession(photos: 0)
        _ = try await picker.session.startBackend(
            "pick files file://\(picker.home.pictures)/missing.jpg")
        let (status, output, _) = try await picker.session.run(
            "portal-pick", ["--format", "json"])
        #expect(status == 2)
        let results = try #require(
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let failure = try #require((results["errors"] as? [[String: Any]])?.first)
        #expect(failure["code"] as? String == "not-found")
        #expect((results["items"] as? [Any])?.isEmpty == true)
    }
}
