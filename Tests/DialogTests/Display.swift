// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport

/// A virtual screen with a window manager, for all dialog tests.
final class Display: Sendable {
    let name: String
    private let server: ChildProcess
    private let manager: ChildProcess
    private let home: TestHome

    /// The screen of this test run, which the first test that needs it starts.
    static let shared = Task { try await Display() }

    private init() async throws {
        let home = try TestHome()
        let number = home.scratch.appending("display")
        // The X server writes its number to a descriptor, which only a shell can pass here. Without
        // -noreset it restarts when its last client disconnects, and loses clients that connect
        // meanwhile.
        server = try ChildProcess(
            "sh",
            [
                "-c",
                "exec Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp -noreset 3> \(number)",
            ], environment: home.environment, scratch: home.scratch)
        let text = try await eventually("display") {
            let text = (try? Descriptor.openForReading(number).read(upTo: 10))
                .map { String(decoding: $0, as: UTF8.self) }
            return text?.hasSuffix("\n") == true ? text?.dropLast() : nil
        }
        name = ":\(text)"
        let environment = home.environment.merging(["DISPLAY": name]) { $1 }
        manager = try ChildProcess(
            "openbox", ["--sm-disable"], environment: environment, scratch: home.scratch)
        self.home = home
        try await eventually("window manager") {
            let probe = try ChildProcess(
                "xprop", ["-root", "_NET_SUPPORTING_WM_CHECK"], environment: environment,
                scratch: home.scratch)
            _ = try await probe.exitStatus()
            return probe.outputText.contains("window id")
        }
    }

    /// The environment for programs that show windows here; software rendering, so that it is the
    /// same everywhere.
    var environment: [String: String] {
        ["DISPLAY": name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo"]
    }
}
