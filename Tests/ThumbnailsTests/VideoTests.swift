// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Pictures of videos, by the desktop's programs in a sandbox.
@Suite(.serialized) struct VideoTests {
    private let home: TestHome
    private let video: FilePath

    init() throws {
        home = try TestHome()
        video = home.pictures.appending("a b.mp4")
        try home.write(Fixtures.bytes("video/moving.mp4"), to: video)
    }

    @Test func `the thumbnail of a video has its shape`() async throws {
        let frames = self.frames()
        #expect(frames.supportedTypes.contains(.mp4))
        let picture = try await frames.frame(of: video, .mp4, side: 256)
        let facts = try ImageFacts(reading: try FileBytes(picture))
        #expect(facts.mediaType == .png)
        let size = try #require(facts.size)
        #expect(abs(Double(size.width) / Double(size.height) - 1.5) < 0.02)
    }

    @Test func `a file that is not a video is damaged`() async throws {
        let file = home.pictures.appending("broken.mp4")
        try home.write(Array(Fixtures.bytes("video/moving.mp4").prefix(200)), to: file)
        await #expect(throws: DecodeError.damaged) {
            try await frames().frame(of: file, .mp4, side: 256)
        }
    }

    @Test func `without a program for its type a video is not supported`() async throws {
        let frames = self.frames(of: [home.scratch])
        #expect(frames.supportedTypes.isEmpty)
        await #expect(throws: DecodeError.unsupported) {
            try await frames.frame(of: video, .mp4, side: 256)
        }
    }

    @Test func `a program sees the video, and nothing else of the person or the network`()
        async throws
    {
        let secret = home.pictures.appending("secret.jpg")
        try home.write(Array("secret".utf8), to: secret)
        try install(
            """
            { cat \(secret); ls \(home.home) /home /root; ls /sys/class/net; \
            (echo > /dev/tcp/127.0.0.1/22); touch /usr/x; wc -c < %i; } > %o 2>&1
            """)
        let picture = try await frames(of: [home.data]).frame(of: video, .mp4, side: 8)
        let report = String(decoding: try picture.read(upTo: 10_000), as: UTF8.self)
        #expect(!report.contains("secret\n") && !report.hasPrefix("secret"))
        #expect(!report.contains("a b.mp4"))
        let size = try video.stat().size
        #expect(report.hasSuffix("\(size)\n"), "\(report)")
        #expect(report.contains("Read-only file system") || report.contains("Permission denied"))
    }

    @Test(arguments: [
        "exit 1", "true", "ln -s /etc/passwd %o", "mkdir -p %o/a/b", "ln -s nowhere %o.png",
        "mkfifo %o", "kill -9 $$",
    ])
    func `a program that makes no picture fails only for that video`(script: String) async throws {
        try install(script)
        let frames = self.frames(of: [home.data])
        await #expect(throws: DecodeError.damaged) {
            try await frames.frame(of: video, .mp4, side: 8)
        }
        #expect(names(in: home.runtime).isEmpty)
    }

    /// The desktop's programs, or those of the test.
    private func frames(of folders: [FilePath]? = nil) -> VideoFrames {
        folders.map { VideoFrames(folders: $0, scratch: home.runtime) }
            ?? VideoFrames(scratch: home.runtime)
    }

    /// Installs a program as the one for videos.
    private func install(_ script: String) throws {
        let file = home.data.appending("thumbnailers").appending("test.thumbnailer")
        let quoted = script.replacing("\\", with: "\\\\").replacing("\n", with: " ")
        try home.write(
            Array(
                """
                [Thumbnailer Entry]
                TryExec=bash
                Exec=bash -c '\(quoted)'
                MimeType=video/mp4;
                """.utf8), to: file)
    }
}
