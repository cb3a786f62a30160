// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The service where the kernel gives it no watches: each request brings the library up to date.
@Suite(
    .serialized,
    .enabled(if: UserNamespace.isAvailable, "no user namespace can be made here"))
struct UnwatchedTests {
    @Test(arguments: ["max_inotify_instances", "max_inotify_watches"])
    func `new photos are found without inotify`(limit: String) async throws {
        let session = try await Session.start()
        let home = session.home
        try add(1, to: home)
        let service = try session.start(
            "unshare",
            UserNamespace.arguments + [
                "sh", "-c", "echo 0 > /proc/sys/user/\(limit) && exec \"$@\"", "sh",
                Programs.path("photo-portal"), "--verbose",
            ])
        try await session.waitForOwner(of: PhotoPickerInterface.busName.rawValue, service)
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(service.errorText.contains("watch"))
        _ = try await session.startBackend("pick newest 1")
        #expect(try await pick(session, beside: service).contains("1.jpg"))
        try add(2, to: home)
        try await eventually("the new photo: \(service.errorText)") {
            try await pick(session, beside: service).contains("2.jpg")
        }
    }

    private func add(_ number: UInt8, to home: TestHome) throws {
        let path = home.pictures.appending("\(number).jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [number], to: path)
        home.setDate(of: path, 1_000_000 * Int(number))
    }

    /// Picks a photo with a client in the namespace of the service, which sees no processes outside.
    private func pick(_ session: Session, beside service: ChildProcess) async throws -> String {
        let (status, output, errors) = try await session.run(
            "nsenter",
            ["--user", "--preserve-credentials", "--target", "\(service.processID)"]
                + [Programs.path("portal-pick")])
        #expect(status == 0, "\(errors)")
        return output
    }
}

/// Programs in a user namespace, which has limits of its own.
enum UserNamespace {
    static let arguments =
        geteuid() == 0
        ? ["--user", "--map-root-user"] : ["--user", "--map-current-user", "--keep-caps"]

    static let isAvailable: Bool = {
        let words = arguments + ["sh", "-c", "echo 0 > /proc/sys/user/max_inotify_watches"]
        let works =
            (try? ProgramOutput.capture("unshare", words, timeout: .seconds(10))) != nil
        precondition(
            works || environmentVariable("PHOTO_PORTAL_CI") == nil, "No user namespace can be made")
        return works
    }()
}
