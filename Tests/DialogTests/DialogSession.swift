// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A session with a library, the real service, the real dialog and a scripted person.
final class DialogSession: Sendable {
    let session: Session
    let service: ChildProcess
    let dialog: ChildProcess
    let person: Person
    private let environment: [String: String]
    var home: TestHome { session.home }

    /// Starts everything.
    ///
    /// - Parameters:
    ///   - home: A home of the test's own; nil for a new one.
    ///   - environment: Additional variables for the dialog.
    ///   - programs: A folder with a dialog of its own; nil for the one that was built.
    ///   - fill: Creates the files of the library.
    init(
        home: TestHome? = nil, environment: [String: String] = [:],
        programs: FilePath? = nil, fill: (TestHome) throws -> Void = { _ in }
    ) async throws {
        let home = try home ?? TestHome()
        try fill(home)
        let services = try home.startableAccessibility()
        session = try await Session.start(home: home, services: services)
        let display = try await Display.shared.value.environment
        self.environment = display.merging(environment) { $1 }
        service = try await session.startService()
        let program = "photo-portal-dialog"
        dialog = try session.start(
            programs?.appending(program).string ?? program, environment: self.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        person = try Person(session, self.environment)
    }

    /// Waits until the library has read all files.
    func settle() async throws {
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
    }

    /// Asks for photos as an app does.
    func pick(_ arguments: String...) throws -> ChildProcess {
        try session.start("portal-pick", arguments)
    }

    /// Turns the mouse wheel and waits until the photos stand still.
    ///
    /// - Returns: The photos that have a tile then.
    func scroll(_ notches: Int) async throws -> [String] {
        let before = try await person.do("photos").photos ?? []
        try await person.do("scroll \(notches)")
        return try await eventually("the end of the movement") {
            let photos = try await person.do("photos").photos ?? []
            let later = try await person.do("photos").photos ?? []
            return photos == later && photos.last != before.last ? photos : nil
        }
    }

    /// Starts a dialog that replaces the first one.
    func restartDialog() async throws -> ChildProcess {
        let next = try session.start("photo-portal-dialog", environment: environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", next)
        return next
    }
}

extension TestHome {
    /// Turns page transitions off, so that a click cannot hit the page that is disappearing.
    func turnOffAnimations() throws {
        try write(
            Array("[Settings]\ngtk-enable-animations=false\n".utf8),
            to: configuration.appending(FilePath("gtk-4.0/settings.ini").components))
    }

    /// Adds PNG pictures that differ from each other, older than any photo of ``addPhotos(_:in:)``.
    func addPictures(_ count: Int) throws {
        for number in 1...count {
            let path = pictures.appending("\(number).png")
            try write(Fixtures.bytes("png/rgb.png") + Array("\(number)".utf8), to: path)
            setDate(of: path, 1_600_000_000 - number * 60)
        }
    }

    /// Removes a photo from the library's folder.
    func removePhoto(_ name: String) throws {
        try AtomicFile.remove(pictures.appending(name))
    }

    /// Adds photos of three shapes; 1.jpg is the newest.
    func addPhotos(_ count: Int, in folder: String = "") throws {
        let shapes = ["jpeg/baseline.jpg", "orientation/6.jpg", "jpeg/progressive.jpg"]
        for number in 1...count {
            let path = pictures.appending(FilePath(folder).components)
                .appending("\(folder)\(number).jpg")
            try write(
                Fixtures.bytes(shapes[number % 3]) + Array("\(folder)\(number)".utf8), to: path)
            setDate(of: path, 1_700_000_000 - number * 60)
        }
    }
}

extension ChildProcess {
    /// The names of the files that portal-pick has printed.
    var pickedNames: [String] {
        outputText.split(separator: "\n").compactMap { FilePath(String($0)).lastComponent?.string }
    }
}
