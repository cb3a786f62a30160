// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Videos and animations that play in the preview.
@Suite(.serialized) struct PreviewPlayingTests {
    /// Opens the preview of the only file of a library.
    private func preview(
        _ name: String, environment: [String: String] = [:],
        prepare: (TestHome) throws -> Void = { _ in },
        make: (DialogSession, FilePath) async throws -> Void
    ) async throws -> (DialogSession, ChildProcess) {
        let dialog = try await DialogSession(environment: environment, fill: prepare)
        try await make(dialog, dialog.home.pictures.appending(name))
        let pick = try dialog.pick("--type", "video/*", "--type", "image/*")
        try await dialog.person.do("loaded 1")
        try await dialog.person.do("key Right Return")
        try await dialog.person.wait(for: "the controls") {
            let texts = try await dialog.person.texts()
            return texts.contains("Play") || texts.contains("Pause")
        }
        return (dialog, pick)
    }

    /// Makes a video of two seconds of each colour, 30 frames a second: red, then green, then blue.
    private func makeVideo(_ dialog: DialogSession, _ path: FilePath) async throws {
        let parts = ["red", "lime", "blue"].flatMap {
            ["-f", "lavfi", "-i", "color=\($0):size=320x240:rate=30:duration=2,format=bgr0"]
        }
        let made = dialog.home.scratch.appending("made")
        try await run(
            "/usr/bin/ffmpeg",
            ["-v", "error"] + parts + ["-filter_complex", "concat=n=3", "-c:v", "ffv1"]
                + ["-f", "matroska", made.string], dialog)
        try #require(rename(made.string, path.string) == 0)
    }

    /// Makes an animation without an end: half a second of red, then of blue.
    private func makeAnimation(_ dialog: DialogSession, _ path: FilePath) async throws {
        let script = """
            import os, sys
            from PIL import Image
            red, blue = (Image.new('RGB', (320, 240), colour) for colour in ('red', 'blue'))
            made = sys.argv[1] + '.part'
            red.save(made, 'GIF', save_all=True, append_images=[blue], duration=500, loop=0)
            os.rename(made, sys.argv[1])
            """
        try await run("/usr/bin/python3", ["-c", script, path.string], dialog)
    }

    /// Makes a green video of two minutes, of which few bytes change.
    private func makeLongVideo(_ dialog: DialogSession, _ path: FilePath) async throws {
        let made = dialog.home.scratch.appending("made")
        try await run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=lime:size=320x240:rate=10:duration=120,format=bgr0", "-c:v", "ffv1", "-f",
                "matroska", made.string,
            ], dialog)
        try #require(rename(made.string, path.string) == 0)
    }

    private func xdotool(_ dialog: DialogSession, _ words: String...) async throws {
        let (status, _, errors) = try await dialog.session.run(
            "xdotool", words, environment: Display.shared.value.environment)
        try #require(status == 0, "\(errors)")
    }

    private func run(
        _ program: String, _ arguments: [String], _ dialog: DialogSession
    ) async throws {
        let (status, _, errors) = try await dialog.session.run(program, arguments)
        try #require(status == 0, "\(errors)")
    }

    private func end(_ dialog: DialogSession, _ pick: ChildProcess) async throws {
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// Waits for the time that the controls show.
    private func see(time: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: "the time \(time)") {
            try await dialog.person.texts().contains(time)
        }
    }

    private func see(_ button: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: "the button \(button)") {
            try await dialog.person.texts().contains(button)
        }
    }

    /// The processes of a dialog that decode videos, without the one that starts them.
    private func players(of dialog: DialogSession) -> [String] {
        names(in: "/proc").map(\.string).filter { name in
            // Only what entered the sandbox has a filter of calls.
            text("comm", of: name) == "photo-portal-vi\n"
                && text("status", of: name).contains("Seccomp:\t2")
                && hasAncestor(name, "\(dialog.dialog.processID)")
        }
    }

    private func hasAncestor(_ process: String, _ ancestor: String) -> Bool {
        let line = text("status", of: process).split(separator: "\n").first {
            $0.hasPrefix("PPid:")
        }
        guard let parent = line?.split(separator: "\t").last.map(String.init), parent != "0" else {
            return false
        }
        return parent == ancestor || hasAncestor(parent, ancestor)
    }

    private func text(_ file: String, of process: String) -> String {
        let bytes = try? Descriptor.openForReading(FilePath("/proc/\(process)/\(file)"))
            .read(upTo: 4096)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    @Test func `a video plays from its start to its last frame, without sound`() async throws {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        // The picture is from its first tenth, not from 0:00.
        try await see(time: "0:06", in: dialog)
        #expect(try await !dialog.person.texts().contains { $0.hasPrefix("0:00") })
        #expect(try await dialog.person.texts().contains("Videos play without sound"))
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.see("preview-video-paused")
        try await dialog.person.do("press Play")
        try await see("Pause", in: dialog)
        try await dialog.person.do("colour 00ff00 10")
        try await dialog.person.see("preview-video-playing")
        try await dialog.person.do("colour 0000ff 10")
        // At the end it stops, and can be played again.
        try await see("Play", in: dialog)
        try await see(time: "0:06 / 0:06", in: dialog)
        try await dialog.person.do("colour 0000ff")
        try await dialog.person.do("key k")
        try await dialog.person.do("colour ff0000 10")
        try await end(dialog, pick)
    }

    @Test func `keys pause a video and go forward and back`() async throws {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        try await dialog.person.do("key l")
        try await see(time: "0:05 / 0:06", in: dialog)
        try await dialog.person.do("colour 0000ff")
        #expect(try await dialog.person.texts().contains("Play"))
        try await dialog.person.do("key j")
        try await see(time: "0:00 / 0:06", in: dialog)
        try await dialog.person.do("colour ff0000")
        try await dialog.person.do("key k")
        try await see(time: "0:02 / 0:06", in: dialog)
        try await dialog.person.do("key k")
        try await see("Play", in: dialog)
        try await dialog.person.do("colour 00ff00")
        // Space still chooses, and Enter leaves.
        try await dialog.person.do("key space")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["moving.mkv"])
    }

    /// The first press showed the last frame once more.
    @Test func `a video that has ended begins again after the window was hidden`() async throws {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        try await dialog.person.do("key l k")
        try await see("Pause", in: dialog)
        try await see("Play", in: dialog)
        try await see(time: "0:06 / 0:06", in: dialog)
        let environment = try await Display.shared.value.environment
        func xdotool(_ words: String...) async throws -> String {
            let (status, output, errors) = try await dialog.session.run(
                "xdotool", words, environment: environment)
            try #require(status == 0, "\(errors)")
            return output.split(separator: "\n").first.map(String.init) ?? ""
        }
        let window = try await xdotool("getactivewindow")
        _ = try await xdotool("windowminimize", window)
        try await eventually("the end of the decoder") { players(of: dialog).isEmpty }
        _ = try await xdotool("windowactivate", window)
        try await dialog.person.do("key k")
        try await dialog.person.do("colour ff0000 10")
        try await end(dialog, pick)
    }

    @Test(arguments: [true, false])
    func `the controls fade while a video plays, and any input brings them back`(
        isAnimated: Bool
    ) async throws {
        let (dialog, pick) = try await preview(
            "long.mkv", prepare: { if !isAnimated { try $0.turnOffAnimations() } },
            make: makeLongVideo)
        let person = dialog.person
        let controls = "Videos play without sound"
        try await person.do("drawn \(controls)")
        try await person.do("key k")
        try await see("Pause", in: dialog)
        try await person.do("faded \(controls)")
        try await person.see("preview-video-faded")
        // A screen reader still finds them.
        #expect(try await person.texts().contains("Pause"))
        try await xdotool(dialog, "mousemove", "400", "300")
        try await person.do("drawn \(controls)")
        try await person.see("preview-video-pointer")
        try await person.do("faded \(controls)")
        // The first press is for what can be seen, and that was the picture.
        try await xdotool(dialog, "mousemove_relative", "1", "0", "click", "1")
        try await person.do("drawn \(controls)")
        #expect(try await person.texts().contains("Pause"))
        try await person.do("faded \(controls)")
        // So does a screen reader that pauses, and then they stay.
        try await person.do("press Pause")
        try await person.do("drawn \(controls)")
        try await person.do("press Play")
        try await person.do("faded \(controls)")
        try await end(dialog, pick)
    }

    @Test func `the controls stay while one of them has the focus`() async throws {
        let (dialog, pick) = try await preview("long.mkv", make: makeLongVideo)
        let person = dialog.person
        let controls = "Videos play without sound"
        try await person.do("key k")
        try await person.do("faded \(controls)")
        // The slider.
        try await person.do("key Tab Tab")
        try await person.do("drawn \(controls)")
        let position = try await self.position(in: dialog)
        // Longer than they stay otherwise.
        try await person.wait(for: "five seconds") {
            try await self.position(in: dialog) >= position + 5
        }
        try await person.do("drawn \(controls)")
        try await person.do("key shift+Tab shift+Tab")
        try await person.do("faded \(controls)")
        try await end(dialog, pick)
    }

    /// The seconds of the position that the controls name.
    private func position(in dialog: DialogSession) async throws -> Int {
        for text in try await dialog.person.texts() where text.hasSuffix(" / 2:00") {
            let numbers = text.dropLast(7).split(separator: ":").compactMap { Int($0) }
            if numbers.count == 2 { return numbers[0] * 60 + numbers[1] }
        }
        return 0
    }

    @Test func `the slider takes the arrows while it has the focus`() async throws {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        try await dialog.person.do("key Tab Tab")
        try await dialog.person.do("key Right Right Right")
        try await see(time: "0:03 / 0:06", in: dialog)
        try await dialog.person.do("colour 00ff00")
        try await dialog.person.do("key End")
        try await see(time: "0:06 / 0:06", in: dialog)
        try await dialog.person.do("colour 0000ff")
        try await end(dialog, pick)
    }

    @Test func `the process that decodes a video ends with the page`() async throws {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        try await eventually("only what plays") { players(of: dialog).isEmpty }
        try await dialog.person.do("key k")
        try await see(time: "0:01 / 0:06", in: dialog)
        #expect(players(of: dialog).count == 1)
        try await dialog.person.do("press Back")
        try await eventually("the end of the process") { players(of: dialog).isEmpty }
        // So does a request that is closed while it plays.
        try await dialog.person.do("key Return")
        try await see("Play", in: dialog)
        try await dialog.person.do("key k")
        try await eventually("a process that plays") { players(of: dialog).count == 1 }
        pick.signal(SIGKILL)
        try await eventually("the end of the process") { players(of: dialog).isEmpty }
    }

    @Test func `a process that dies again and again ends playing, and the picture stays`()
        async throws
    {
        let (dialog, pick) = try await preview("moving.mkv", make: makeVideo)
        try await dialog.person.do("key k")
        try await dialog.person.do("colour 00ff00 10")
        let killing = Task {
            while !Task.isCancelled {
                for process in players(of: dialog).compactMap(Int32.init) { kill(process, SIGKILL) }
                await Task.yield()
            }
        }
        defer { killing.cancel() }
        try await dialog.person.wait(for: "the message") {
            try await dialog.person.texts().contains("This video cannot be played")
        }
        try await see("Play", in: dialog)
        try await dialog.person.see("preview-video-failed")
        killing.cancel()
        await killing.value
        // And it can be tried again.
        try await dialog.person.do("key k")
        try await see("Pause", in: dialog)
        try await end(dialog, pick)
    }

    @Test func `an animation plays by itself and can be paused`() async throws {
        let (dialog, pick) = try await preview("moving.gif", make: makeAnimation)
        try await see("Pause", in: dialog)
        for colour in ["ff0000", "0000ff", "ff0000"] {
            try await dialog.person.wait(for: "the colour \(colour)") {
                try await dialog.person.attempt("colour \(colour) 1").ok
            }
        }
        try await dialog.person.see("preview-animation")
        try await dialog.person.do("press Pause")
        try await see("Play", in: dialog)
        // Nobody looks for a position in an animation.
        #expect(try await !dialog.person.texts().contains("Videos play without sound"))
        try await end(dialog, pick)
    }

    @Test func `an animation stands still for people who want less motion`() async throws {
        let (dialog, pick) = try await preview(
            "moving.gif", prepare: { try $0.turnOffAnimations() }, make: makeAnimation)
        try await see("Play", in: dialog)
        #expect(players(of: dialog).isEmpty)
        try await dialog.person.do("key k")
        try await eventually("a process that plays") { players(of: dialog).count == 1 }
        try await end(dialog, pick)
    }

    @Test func `the controls fit into a narrow and a dark window`() async throws {
        let (dialog, pick) = try await preview(
            "moving.mkv", environment: ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"], make: makeVideo)
        try await dialog.person.see("preview-video-dark")
        try await dialog.person.do("resize 360 480")
        try await dialog.person.do("key k")
        try await see(time: "0:01 / 0:06", in: dialog)
        try await dialog.person.see("preview-video-narrow")
        #expect(try await dialog.person.do("outside").texts == [])
        try await end(dialog, pick)
    }
}
