// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Browsers, toolkits and Flatpak, nearly all of which do not know us, ask for files: see Tests/Clients/trial.
@Suite(.serialized, .enabled(if: BedSupport.isAvailable, Comment(rawValue: BedSupport.skipReason)))
struct ClientTests {
    /// A client that Tests/Clients/trial knows.
    enum Client: String, CaseIterable, Sendable {
        case firefox, chromium, gtk3, gtk4, qt5, qt6, libportal, flatpak, flatpakPicker, snap,
            snapPicker
    }

    /// The result of one case.
    private struct Row: Decodable {
        let title: String
        /// Empty if the case went well, and nil if the client cannot ask for this.
        let trouble: String?

        /// The title and the trouble, or nothing.
        var failure: String {
            trouble.map { $0.isEmpty ? "" : "\(title): \($0)" } ?? ""
        }
    }

    @Test(arguments: Client.allCases)
    func `a client gets what the person chose`(_ client: Client) async throws {
        let bed = try await Bed.boot()
        // The project may be in a folder that only its owner can enter, such as a home.
        let source = "/srv/photo-portal"
        _ = try await bed.output(
            """
            mkdir -p \(source)/Tests
            cp -r \(Programs.source)/scripts \(source)
            cp -r \(Programs.source)/Tests/Clients \(Programs.source)/Tests/Fixtures \(source)/Tests
            chmod -R a+rX \(source)
            """, as: .root)
        if client == .snap || client == .snapPicker {
            let tool = "\(source)/Tests/Clients/snap-tool"
            _ = try await bed.output("install -m 755 \(tool) /usr/bin/snap", as: .root)
        }
        let result = try await bed.run(
            "\(source)/Tests/Clients/trial \(client)", within: .seconds(900))
        let rows = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Row.self, from: Data($0.utf8))
        }
        try #require(result.status == 0 && !rows.isEmpty, "\(result.errors)")
        Self.printTable(client, rows)
        for row in rows {
            #expect(row.failure == "", "\(result.errors)")
        }
        try await bed.shutDown()
    }

    /// Prints a row of the table in docs/TESTING.md.
    private static func printTable(_ client: Client, _ rows: [Row]) {
        if client == Client.allCases.first {
            print("| client | \(rows.map(\.title).joined(separator: " | ")) |")
        }
        let marks = rows.map { $0.trouble.map { $0.isEmpty ? "✓" : "✗" } ?? "–" }
        print("| \(client) | \(marks.joined(separator: " | ")) |")
    }
}
