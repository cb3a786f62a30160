// SPDX-License-Identifier: MIT

import Glibc
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Nothing runs yet: xdg-desktop-portal, the dialog and the service start in any order, all at once
/// or because somebody calls them, and nobody waits for anybody who waits for them.
@Suite(.serialized) struct ColdStartTests {
    typealias Part = ColdSession.Part

    /// Each order of starting the programs by hand; the bus starts what is not in the list.
    static let orders: [[Part]] = [
        [],
        [.portal, .dialog, .service], [.portal, .service, .dialog], [.dialog, .portal, .service],
        [.dialog, .service, .portal], [.service, .portal, .dialog], [.service, .dialog, .portal],
    ]

    /// Far below the 25 seconds after which a call fails, far above what a busy machine needs.
    private static let patience = Duration.seconds(12)

    @Test(arguments: orders)
    func `file choosers work after a cold start`(order: [Part]) async throws {
        let cold = try await ColdSession { try $0.addPhotos(2) }
        for part in order { try cold.start(part) }
        let start = ContinuousClock.now
        let version = try await cold.portalProperty(
            "version", of: "org.freedesktop.portal.FileChooser")
        #expect(version.hasPrefix("u "), "\(version)")
        #expect(ContinuousClock.now - start < Self.patience)
        let person = try Person(cold.session, cold.display)
        let app = try cold.session.start(
            PortalSession.program("libportal").string, environment: cold.display)
        try await person.do("photos 2")
        try await person.do("click 0")
        try await person.do("press Select")
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(app.outputText.contains("/1.jpg"))
    }

    @Test(arguments: orders)
    func `a pick works after a cold start`(order: [Part]) async throws {
        let cold = try await ColdSession { try $0.addPhotos(2) }
        for part in order { try cold.start(part) }
        let start = ContinuousClock.now
        let person = try Person(cold.session, cold.display)
        let pick = try cold.session.start("portal-pick", ["--single"])
        try await person.do("window")
        #expect(ContinuousClock.now - start < Self.patience)
        try await person.do("photos 2")
        try await person.do("click 0")
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        #expect(pick.pickedNames == ["1.jpg"])
    }

    @Test func `an xdg-desktop-portal that never answers does not delay the window`() async throws {
        let cold = try await ColdSession(startable: [.dialog, .service]) { try $0.addPhotos(2) }
        let portal = try cold.start(.portal)
        try await cold.session.waitForOwner(of: Part.portal.rawValue, portal)
        portal.signal(SIGSTOP)
        let start = ContinuousClock.now
        let person = try Person(cold.session, cold.display)
        let pick = try cold.session.start("portal-pick")
        try await person.do("window")
        #expect(ContinuousClock.now - start < Self.patience)
        try await person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
        portal.signal(SIGCONT)
    }

    @Test func `without a display a pick ends at once and says why`() async throws {
        let cold = try await ColdSession(display: false)
        // Again and again, because the bus may have to start the dialog each time.
        for _ in 0..<3 {
            let start = ContinuousClock.now
            let (status, output, errors) = try await cold.session.run("portal-pick")
            #expect(status == 2)
            #expect(output == "")
            #expect(errors.contains("there is no display"), "\(errors)")
            #expect(ContinuousClock.now - start < Self.patience)
        }
    }

    @Test func `without a display xdg-desktop-portal starts as fast as with one`() async throws {
        let cold = try await ColdSession(display: false)
        let start = ContinuousClock.now
        let version = try await cold.portalProperty(
            "version", of: "org.freedesktop.portal.FileChooser")
        #expect(version.hasPrefix("u "), "\(version)")
        #expect(ContinuousClock.now - start < Self.patience)
    }

    @Test func `a dialog without a display says so and ends`() async throws {
        let cold = try await ColdSession(startable: [], display: false)
        let dialog = try cold.start(.dialog)
        #expect(try await dialog.exitStatus() == 1)
        #expect(dialog.errorText.contains("there is no display"))
    }

    /// The bus delivers a call to a dialog that is about to end.
    @Test func `a call that arrives when the dialog ends for lack of work is served`() async throws
    {
        for _ in 0..<8 {
            let cold = try await ColdSession(startable: [.service]) { try $0.addPhotos(1) }
            let service = try await cold.session.startService()
            let dialog = try cold.start(.dialog, ["--idle", "1"])
            try await cold.session.waitForOwner(of: Part.dialog.rawValue, dialog)
            let person = try Person(cold.session, cold.display)
            // Its second passes, and the call arrives, while it cannot do anything.
            dialog.signal(SIGSTOP)
            let pick = try cold.session.start("portal-pick")
            try await eventually("the call") { service.errorText.contains("Opened") }
            let arrival = ContinuousClock.now
            try await eventually("the second") {
                ContinuousClock.now - arrival > .milliseconds(1200)
            }
            dialog.signal(SIGCONT)
            try await person.do("window")
            try await person.do("press Cancel")
            #expect(try await pick.exitStatus() == 1, "\(pick.errorText)")
            #expect(try await dialog.exitStatus() == 0, "\(dialog.errorText)")
        }
    }
}
