// SPDX-License-Identifier: MIT

import Files
import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The box that shows where a camera focuses.
///
/// No virtual camera can, so another program takes the place of the one for cameras.
@Suite(.serialized) struct CameraFocusTests {
    /// A dialog with a program for cameras that has a camera which focuses, and shows black.
    private func start(isAnimated: Bool) async throws -> DialogSession {
        let home = try TestHome()
        let folder = home.scratch.appending("programs")
        try Directory.make(folder)
        let dialog = try Descriptor.openForReading(FilePath(Programs.path("photo-portal-dialog")))
        try AtomicFile.copy(
            dialog, to: folder.appending("photo-portal-dialog"),
            permissions: .ownerReadWriteExecute)
        for name in ["photo-portal-decoder", "photo-portal-heif", "photo-portal-video"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(name).string, withDestinationPath: Programs.path(name))
        }
        // The name by which that program is started says what it does.
        let script = "#!/bin/bash\nexec -a focusing \(Programs.path("hostile-camera"))\n"
        try Array(script.utf8).withUnsafeBytes {
            try AtomicFile.write(
                $0, to: folder.appending("photo-portal-camera"),
                permissions: .ownerReadWriteExecute)
        }
        return try await DialogSession(home: home, programs: folder) { home in
            if !isAnimated { try home.turnOffAnimations() }
        }
    }

    @Test(arguments: [true, false])
    func `S5.20 the focus box grows, shrinks and hides, or only hides where nothing moves`(
        isAnimated: Bool
    ) async throws {
        let dialog = try await start(isAnimated: isAnimated)
        let pick = try dialog.pick("--source", "camera", "--single")
        try await dialog.person.wait(for: "a live picture") {
            try await dialog.person.attempt("enabled 'Take Photo'").enabled == true
        }
        let frames = try await dialog.person.do("frame-widths 'Picture of “Camera”'")
        try await dialog.person.see("camera-focus")
        let widths = try #require(frames.widths)
        let seen = widths.filter { $0 > 0 }
        // 72 pixels, and 90 at most; between two looks it may have been larger.
        #expect(seen.allSatisfy { (70...92).contains($0) }, "\(widths)")
        let largest = try #require(seen.max())
        if isAnimated {
            #expect(largest >= 80, "\(widths)")
            let peak = try #require(widths.firstIndex(of: largest))
            #expect(widths[peak...].contains { (70..<largest - 4).contains($0) }, "\(widths)")
        } else {
            #expect(largest <= 74, "\(widths)")
        }
        #expect(widths.last == 0)
        // It is gone 0.8 seconds after the press, give or take a look on a busy machine.
        let last = try #require(zip(widths, frames.milliseconds ?? []).filter { $0.0 > 0 }.last)
        #expect((400...1500).contains(last.1), "\(last.1) ms")
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}
