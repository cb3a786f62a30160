// SPDX-License-Identifier: MIT

import Testing

@testable import Photos

/// The windows that apps name.
@Suite struct ParentWindowTests {
    @Test(arguments: [
        ("x11:400003", ParentWindow.x11(0x400003)), ("x11:0x400003", .x11(0x400003)),
        ("x11:FFFFFFFF", .x11(.max)),
        ("wayland:e3d5b5a0-7a0c-4e5f", .wayland("e3d5b5a0-7a0c-4e5f")),
    ])
    func `windows of X and of Wayland are understood`(identifier: String, window: ParentWindow) {
        #expect(ParentWindow(identifier) == window)
    }

    @Test(arguments: [
        "", "x11:", "x11:0x", "x11:-1", "x11:+5", "x11:zz", "x11:0", "x11:100000000", "wayland:",
        "nonsense", "::", "mir:1", "x11:４", "wayland:a b", "wayland:é", "wayland:a\n",
    ])
    func `anything else names no window`(identifier: String) {
        #expect(ParentWindow(identifier) == nil)
    }

    @Test func `a handle that no message of Wayland can hold does not end the program`() {
        // libwayland ends the connection over a message of more than 4096 bytes.
        #expect(ParentWindow("wayland:" + String(repeating: "a", count: 4088)) == nil)
    }
}
