// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A window in a session with PipeWire's cameras.
final class CameraDialog: Sendable {
    let dialog: DialogSession
    let cameras: VirtualCameras
    /// xdg-desktop-portal's word for it that there is a camera.
    private let portal: (Connection, Export)
    var person: Person { dialog.person }

    static let back = VirtualCameras.Model(
        "back", "Rear", width: 640, height: 480, location: "back")
    static let front = VirtualCameras.Model(
        "front", "Front", width: 1280, height: 720, location: "front")

    /// - Parameters:
    ///   - environment: Variables of the dialog.
    ///   - fill: Prepares the home; by default, text has its usual size and nothing is animated.
    init(
        _ models: [VirtualCameras.Model] = [back], home: TestHome? = nil, dark: Bool = false,
        environment: [String: String] = [:],
        fill: (TestHome) throws -> Void = { try $0.turnOffAnimations() }
    ) async throws {
        let colours = dark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:]
        dialog = try await DialogSession(
            home: home, environment: colours.merging(environment) { $1 }
        ) { home in
            try home.addPhotos(3)
            try fill(home)
        }
        cameras = try await VirtualCameras.start(
            in: dialog.home, bus: dialog.session.bus.address)
        for model in models { try await cameras.add(model) }
        let connection = try await dialog.session.connect()
        let export = try await connection.export(
            CameraPortalInterface.interface, at: CameraPortalInterface.path
        ) { export in
            export.property(CameraPortalInterface.isCameraPresent) { true }
        }
        #expect(try await connection.requestName(CameraPortalInterface.busName) == .owner)
        portal = (connection, export)
    }

    /// Whether a program for cameras runs.
    var isRunning: Bool {
        get async throws {
            try await dialog.session.run("pgrep", ["-P", "\(dialog.dialog.processID)"]).output
                .split(separator: "\n").contains { id in
                    let name = try? String(
                        contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)
                    return name?.hasPrefix("photo-portal-ca") == true
                }
        }
    }

    func waitForPicture() async throws {
        try await eventually("a live picture") {
            // On a busy machine, PipeWire may take longer to begin than a camera may be silent. If the
            // picture comes before the button is pressed, the button has gone.
            if try await person.texts().contains("Try Again") {
                _ = try await person.attempt("press 'Try Again'")
            }
            return try await person.attempt("enabled 'Take Photo'").enabled == true
        }
    }

    /// Waits until the window says something.
    func read(_ text: String) async throws {
        try await person.wait(for: text) { try await person.texts().contains(text) }
    }

    func shoot() async throws {
        try await waitForPicture()
        try await person.do("press 'Take Photo'")
        try await person.wait(for: "the photo") {
            try await person.texts().contains("Use Photo")
        }
    }

    static func photo(_ pick: ChildProcess) throws -> FilePath {
        FilePath(String(try #require(pick.outputText.split(separator: "\n").first)))
    }

    /// What a file says of the photo in it, by ExifTool's names.
    static func facts(of path: FilePath) throws -> [String: String] {
        let text = String(
            decoding: try ExifTool.run(["-s", "-a", "-n", path.string]), as: UTF8.self)
        var facts: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].trimmingCharacters(in: .whitespaces)
            facts[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return facts
    }
}
