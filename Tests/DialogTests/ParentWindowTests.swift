// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The window stays in front of the app's window, which is in another process.
@Suite(.serialized) struct ParentWindowTests {
    static func tool(
        _ program: String, _ words: [String], _ dialog: DialogSession
    ) async throws -> String {
        try await dialog.session.run(
            program, words, environment: Display.shared.value.environment
        ).output
    }

    /// The number of our window.
    static func window(_ dialog: DialogSession) async throws -> UInt32 {
        try await dialog.person.do("window")
        let found = try await tool(
            "xdotool", ["search", "--onlyvisible", "--name", "^Choose Photos$"], dialog)
        return try #require(found.split(separator: "\n").last.flatMap { UInt32($0) })
    }

    @Test(arguments: ["x11:", "x11:0x"])
    func `it is a dialog that stays in front of its parent`(prefix: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(2) }
        let parent = try await AppWindow(in: dialog)
        let pick = try dialog.pick("--parent", prefix + parent.number)
        let window = try await Self.window(dialog)
        let properties = try await Self.tool(
            "xprop", ["-id", "\(window)", "WM_TRANSIENT_FOR", "_NET_WM_WINDOW_TYPE"], dialog)
        #expect(properties.contains("window id # 0x\(parent.number)\n"), "\(properties)")
        #expect(properties.contains("_NET_WM_WINDOW_TYPE_DIALOG"), "\(properties)")
        let number = try #require(UInt32(parent.number, radix: 16))
        _ = try await Self.tool("xdotool", ["windowactivate", "\(number)"], dialog)
        _ = try await Self.tool("xdotool", ["windowraise", "\(number)"], dialog)
        try await eventually("the order of the windows") {
            let order = try await Self.tool(
                "xprop", ["-root", "_NET_CLIENT_LIST_STACKING"], dialog
            ).split(whereSeparator: { !$0.isHexDigit && $0 != "x" }).map(String.init)
            guard let mine = order.firstIndex(of: "0x\(String(window, radix: 16))"),
                let its = order.firstIndex(of: "0x\(parent.number)")
            else { return false }
            return mine > its
        }
        try await dialog.person.see("parent-window")
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
        try await parent.program.stop()
    }

    @Test(
        arguments: [
            "x11:", "x11:0x", "x11:-1", "x11:+5", "x11:zz", "x11:0", "x11:fffffffffffffffff",
            "x11:100000001", "x11:0x7ffffff", "wayland:abc", "wayland:", "nonsense", "::",
        ])
    func `a parent that does not exist does not matter`(parent: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(1) }
        let pick = try dialog.pick("--parent", parent)
        try await dialog.person.do("photos 1")
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }
}
