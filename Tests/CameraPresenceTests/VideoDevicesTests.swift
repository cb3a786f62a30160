// SPDX-License-Identifier: MIT

import CameraPresence
import Files
import SystemPackage
import TestSupport
import Testing

/// Which of the kernel's video devices count as cameras.
@Suite struct VideoDevicesTests {
    private let home: TestHome
    private let devices: FilePath
    private let database: FilePath

    init() throws {
        home = try TestHome()
        devices = home.scratch.appending("video4linux")
        database = home.scratch.appending("udev")
    }

    private func add(_ name: String, _ number: String, capabilities: String? = nil) throws {
        try home.write(Array("\(number)\n".utf8), to: devices.appending(name).appending("dev"))
        guard let capabilities else { return }
        let text = "I:4711\nE:ID_V4L_VERSION=2\nE:ID_V4L_CAPABILITIES=\(capabilities)\nG:seat\n"
        try home.write(Array(text.utf8), to: database.appending("c\(number)"))
    }

    private var captures: Bool { VideoDevices(devices: devices, database: database).captures }

    @Test func `without devices there is no camera`() throws {
        #expect(!captures)
        try Directory.make(devices)
        #expect(!captures)
    }

    @Test func `a device that captures is a camera`() throws {
        try add("video0", "81:0", capabilities: ":capture:")
        #expect(captures)
    }

    @Test(arguments: [":", ":video_output:", ":capturer:", ""])
    func `a device that only plays or encodes is none`(capabilities: String) throws {
        try add("video0", "81:0", capabilities: capabilities)
        #expect(!captures)
    }

    @Test func `one camera among other devices is enough`() throws {
        try add("video0", "81:0", capabilities: ":video_output:")
        try add("v4l-subdev0", "81:9")
        try add("video10", "81:10", capabilities: ":capture:audio:")
        #expect(captures)
    }

    @Test func `radios and parts of cameras are none`() throws {
        try add("v4l-subdev0", "81:3", capabilities: ":capture:")
        try add("radio0", "81:4", capabilities: ":capture:")
        #expect(!captures)
    }

    @Test func `where udev does not run, a device counts`() throws {
        try add("video0", "81:0")
        #expect(captures)
    }

    @Test(arguments: ["", "../../etc/passwd", "81:0/../c81:1", "\u{0}"])
    func `a number that is none leads nowhere`(number: String) throws {
        try add("video0", number)
        #expect(!captures)
    }
}
