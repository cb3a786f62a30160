// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The window of an app, in a process of its own.
struct AppWindow {
    let program: ChildProcess
    /// Its number, in hexadecimal.
    let number: String

    init(in dialog: DialogSession) async throws {
        let script = """
            import gi
            gi.require_version('Gtk', '3.0')
            gi.require_version('GdkX11', '3.0')
            from gi.repository import GdkX11, Gtk
            window = Gtk.Window(title='The app')
            window.set_default_size(500, 400)
            window.show_all()
            print(f'{window.get_window().get_xid():x}', flush=True)
            Gtk.main()
            """
        let display = try await Display.shared.value.environment
        let program = try dialog.session.start(
            "/usr/bin/python3", ["-c", script],
            environment: display.merging(["NO_AT_BRIDGE": "1"]) { $1 })
        self.program = program
        number = try await eventually("the app's window: \(program.errorText)") {
            program.outputText.hasSuffix("\n")
                ? program.outputText.trimmingCharacters(in: .whitespacesAndNewlines) : nil
        }
    }

    /// Where it is on the screen.
    func place(in dialog: DialogSession) async throws -> Place {
        let number = try #require(UInt32(number, radix: 16))
        return try await Self.place(of: number, in: dialog)
    }

    struct Place {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// Where a window is on the screen, without its frame.
    static func place(of window: UInt32, in dialog: DialogSession) async throws -> Place {
        let text = try await ParentWindowTests.tool("xwininfo", ["-id", "\(window)"], dialog)
        func number(_ name: String) throws -> Int {
            let line = try #require(
                text.split(separator: "\n").first { $0.contains(name) }, "\(text)")
            return try #require(line.split(separator: " ").last.flatMap { Int($0) })
        }
        return Place(
            x: try number("Absolute upper-left X"), y: try number("Absolute upper-left Y"),
            width: try number("Width"), height: try number("Height"))
    }
}
