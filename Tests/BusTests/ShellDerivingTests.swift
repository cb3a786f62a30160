// SPDX-License-Identifier: MIT

import Files
import Foundation
import Glibc
import Photos
import SystemPackage
import TestSupport
import Testing

/// `portal-pick derive` and `portal-pick thumbnail` do the work of the service without the service.
@Suite(.serialized) struct ShellDerivingTests {
    @Test func `files are made in the given folder`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        func derive(_ words: String...) async throws -> (Int32, [String], String) {
            let (status, output, errors) = try await session.run(
                "portal-pick", ["derive", "-o", folder.string] + words)
            return (status, output.split(separator: "\n").map(String.init), errors)
        }
        let photo = Fixtures.path("orientation/6.jpg").string
        let picture = Fixtures.path("formats/blocks.heic").string
        let (status, paths, errors) = try await derive(
            "--format", "webp", "--format", "image/png", "--max-dimension", "24", photo, picture)
        #expect(status == 0, "\(errors)")
        #expect(paths == ["6.webp", "blocks.webp"].map { folder.appending($0).string })
        // Nothing is overwritten; files that need no change are copied.
        let (_, again, _) = try await derive("--representation", "original", photo, photo)
        #expect(again == ["6.jpg", "6-2.jpg"].map { folder.appending($0).string })
        #expect(
            try Descriptor.openForReading(folder.appending("6-2.jpg")).read(upTo: 1 << 20)
                == Fixtures.bytes("orientation/6.jpg"))
        let (_, cut, _) = try await derive(
            "--clip", "1,1,9,7", "--format", "png", "--remove-location", photo)
        #expect(cut == [folder.appending("6.png").string])
        let png = try Descriptor.openForReading(folder.appending("6.png")).read(upTo: 24)
        #expect(png[19] == 9 && png[23] == 7)
        let (_, turned, _) = try await derive(
            "--clip", "1,1,9,7", "--turn", "90", "--format", "png", photo)
        let part = try Descriptor.openForReading(FilePath(turned[0])).read(upTo: 24)
        #expect(part[19] == 7 && part[23] == 9)
        // What would show something beside the photo is left out.
        let (_, straight, _) = try await derive("--angle=-5", "--format", "png", photo)
        let inside = try Descriptor.openForReading(FilePath(straight[0])).read(upTo: 24)
        #expect((38...44).contains(inside[19]) && (24...30).contains(inside[23]))
    }

    /// A place was in a fifth of the results: neither date of a file changes when a page that is
    /// mapped already is written to.
    @Test func `a place that is written while locations are removed is in no result`() async throws
    {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let path = session.home.scratch.appending("mapped.jpg")
        try session.home.write(
            CommentedPhoto(Fixtures.bytes("jpeg/baseline.jpg")).bytes, to: path)
        let file = try MappedFile(path)
        let writer = Task.detached {
            while !Task.isCancelled {
                for text in [CommentedPhoto.place, CommentedPhoto.spaces] {
                    file.write(text, at: CommentedPhoto.offset)
                    usleep(300)
                }
            }
        }
        defer { writer.cancel() }
        let paths = Array(repeating: path.string, count: 60)
        let (_, output, _) = try await session.run(
            "portal-pick", ["derive", "-o", folder.string, "--remove-location"] + paths)
        let results = output.split(separator: "\n")
        #expect(results.count > 0)
        for result in results {
            let bytes = try Descriptor.openForReading(FilePath(String(result))).read(upTo: 1 << 20)
            #expect(Data(bytes).range(of: Data(CommentedPhoto.place)) == nil)
        }
    }

    @Test func `a file of more than 100 MiB loses its location`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let path = session.home.scratch.appending("large.jpg")
        try session.home.write(Fixtures.bytes("location/exif.jpg"), to: path)
        // Zeros that take no room on the disk.
        let size = 101 << 20
        #expect(truncate(path.string, off_t(size)) == 0)
        let (status, output, errors) = try await session.run(
            "portal-pick", ["derive", "-o", folder.string, "--remove-location", path.string])
        #expect(status == 0, "\(errors)")
        let made = FilePath(String(output.split(separator: "\n").first ?? ""))
        #expect(try made.stat().size == Int64(size))
        let original = try Descriptor.openForReading(path).read(upTo: 1 << 20)
        let start = try Descriptor.openForReading(made).read(upTo: 1 << 20)
        #expect(original.count == start.count && original != start)
        #expect(original.suffix(1 << 19) == start.suffix(1 << 19))
        let position = try ExifTool.run(["-n", "-s3", "-GPSPosition", made.string])
        #expect(position.isEmpty)
    }

    @Test func `a run that is killed leaves nothing in the folder`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let path = session.home.scratch.appending("photo.jpg")
        try session.home.write(Fixtures.bytes("location/exif.jpg"), to: path)
        let paths = Array(repeating: path.string, count: 400)
        let run = try session.start(
            "portal-pick", ["derive", "-o", folder.string, "--remove-location"] + paths)
        try await eventually("results") { names(in: folder).count > 3 }
        run.signal(SIGKILL)
        run.waitForEnd()
        #expect(names(in: folder).allSatisfy { !$0.string.hasPrefix(".") })
    }

    @Test func `failures are reported and the other files are made`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let (status, output, errors) = try await session.run(
            "portal-pick",
            [
                "derive", "-o", folder.string, "--max-dimension", "10", "/nonexistent.jpg",
                Fixtures.path("broken/text.jpg").string, "/dev/zero",
                Fixtures.path("jpeg/grey.jpg").string,
            ])
        #expect(status == 2)
        #expect(output == "\(folder.appending("grey.jpg"))\n")
        #expect(errors.split(separator: "\n").count == 3, "\(errors)")
    }

    /// What was behind the first 256 MiB stayed as it was.
    ///
    /// The smaller one fits into a decoder once, but not twice.
    @Test(arguments: [255, 300])
    func `a picture that is too large to be searched for a location is written anew`(
        megabytes: Int
    ) async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let path = session.home.scratch.appending("large.jpg")
        try session.home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: path)
        try #require(truncate(path.string, off_t(megabytes) << 20) == 0)
        let file = try #require(FileHandle(forWritingAtPath: path.string))
        try file.seekToEnd()
        try file.write(contentsOf: Data("end".utf8))
        try file.close()
        let (status, output, errors) = try await session.run(
            "portal-pick", ["derive", "-o", folder.string, "--remove-location", path.string])
        #expect(status == 0, "\(errors)")
        #expect(output == "\(folder.appending("large.jpg"))\n")
        #expect(try folder.appending("large.jpg").stat().size < 1 << 20)
    }

    @Test func `the name of a file that fails does not control the terminal`() async throws {
        let session = try await Session.start()
        // As another program may have saved it in Downloads.
        let path = session.home.downloads.appending("a\u{1B}]0;title\u{7}\n\u{202E}gpj.jpg")
        try session.home.write([1], to: path)
        for words in [["derive", "-o", session.home.scratch.string], ["thumbnail"]] {
            let (status, _, errors) = try await session.run("portal-pick", words + [path.string])
            #expect(status == 2)
            #expect(errors.contains("gpj.jpg"), "\(errors)")
            #expect(!errors.unicodeScalars.contains("\u{1B}") && !errors.contains("\u{202E}"))
            #expect(errors.split(separator: "\n").count == 1)
        }
    }

    @Test func `files whose names are not UTF-8 are found, and their results printed`() async throws
    {
        let session = try await Session.start()
        // Besides a byte that is no text, a character that could be taken for our own notation.
        let bytes: [UInt8] = [0x66, 0xFF, 0x2D] + Array("\u{10FFFF}é".utf8)
        let name = try #require(
            FilePath.Component(platformString: bytes.map { CChar(bitPattern: $0) } + [0]))
        let photo = session.home.pictures.appending(name)
        try session.home.write(
            Fixtures.bytes("orientation/6.jpg"), to: FilePath("\(session.home.scratch)/a.jpg"))
        try Directory.make(session.home.pictures)
        try AtomicFile.rename(
            FilePath("\(session.home.scratch)/a.jpg"), to: photo)
        let folder = session.home.scratch.appending("out").appending(name)
        func run(_ command: String) async throws -> [UInt8] {
            let child = try session.start(
                "sh",
                [
                    "-c",
                    "cd \(session.home.pictures); for f in *; do \(command); done",
                ])
            #expect(try await child.exitStatus() == 0, "\(child.errorText)")
            return try Descriptor.openForReading(child.output).read(upTo: 10_000)
        }
        let pick = Programs.path("portal-pick")
        let derived = try await run(
            "\(pick) derive -o \"\(session.home.scratch)/out/$f\" \"$f\"")
        #expect(
            derived == Array("\(session.home.scratch)/out/".utf8) + bytes + [0x2F] + bytes
                + Array(".jpg\n".utf8))
        #expect(names(in: folder).count == 1)
        let thumbnail = try await run("\(pick) thumbnail \"$f\"")
        #expect(thumbnail.starts(with: Array("\(session.home.cache)/thumbnails/".utf8)))
    }

    @Test(arguments: [
        ["derive", "-o", "."], ["thumbnail"], ["--help"], ["derive", "--help"],
    ])
    func `standard output that is full is an error`(words: [String]) async throws {
        let session = try await Session.start()
        let words =
            words + (words.contains("--help") ? [] : [Fixtures.path("jpeg/grey.jpg").string])
        let child = try session.start(
            "sh",
            [
                "-c", "cd \(session.home.scratch); exec \"$@\" > /dev/full", "sh",
                Programs.path("portal-pick"),
            ] + words)
        #expect(try await child.exitStatus() == 1)
        #expect(child.errorText.contains("No space left on device"), "\(child.errorText)")
    }

    @Test(arguments: [["derive", "-o", "."], ["thumbnail"], ["--help"]])
    func `standard output that is closed is an error`(words: [String]) async throws {
        let session = try await Session.start()
        let photo = Fixtures.path("jpeg/grey.jpg").string
        let child = try session.start(
            "sh",
            [
                "-c", "cd \(session.home.scratch); exec \"$@\" >&-", "sh",
                Programs.path("portal-pick"),
            ] + words + (words.contains("--help") ? [] : [photo]))
        #expect(try await child.exitStatus() == 1)
        #expect(child.errorText.contains("Bad file descriptor"), "\(child.errorText)")
    }

    /// Without an input, the first file that is opened could take its place.
    @Test func `files are made by a program that has no streams`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let photo = Fixtures.path("orientation/6.jpg").string
        let child = try session.start(
            "sh",
            [
                "-c", "exec \"$@\" <&- >&- 2>&-", "sh", Programs.path("portal-pick"), "derive",
                "-o", folder.string, "--max-dimension", "9", photo,
            ])
        #expect(try await child.exitStatus() == 1)
        #expect(names(in: folder).map(\.string) == ["6.jpg"])
    }

    @Test(arguments: [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700), (0o002, 0o664, 0o775)])
    func `results and their folders get the permissions that the person gives new files`(
        mask: Int, files: Int, folders: Int
    ) async throws {
        let session = try await Session.start()
        let parent = session.home.scratch.appending("out")
        let folder = parent.appending("sub")
        let child = try session.start(
            "sh",
            [
                "-c", "umask \(String(mask, radix: 8)); exec \"$@\"", "sh",
                Programs.path("portal-pick"), "derive", "-o", folder.string, "--max-dimension", "9",
                Fixtures.path("orientation/6.jpg").string, Fixtures.path("jpeg/grey.jpg").string,
            ])
        #expect(try await child.exitStatus() == 0, "\(child.errorText)")
        let made = ["6.jpg", "grey.jpg"].map { (folder.appending($0), files) }
        for (path, expected) in made + [(parent, folders), (folder, folders)] {
            let found = try path.stat().permissions
            #expect(Int(found.rawValue) == expected, "\(path): \(found)")
        }
    }

    @Test func `a file that is too new for a library tells which version reads it`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let (status, _, errors) = try await session.run(
            "portal-pick",
            [
                "derive", "-o", folder.string, "--format", "jpeg",
                Fixtures.path("variants/uncompressed.heif").string,
            ])
        // Debian 13 has that version.
        #expect(status == 0 || errors.contains("libheif 1.19 or later"), "\(errors)")
    }

    @Test func `a part outside the photo does not give the whole photo`() async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let (status, output, errors) = try await session.run(
            "portal-pick",
            [
                "derive", "-o", folder.string, "--clip", "9000,0,10,10",
                Fixtures.path("jpeg/grey.jpg").string,
            ])
        #expect(status == 2)
        #expect(output.isEmpty)
        #expect(errors.contains("the part is outside the photo"), "\(errors)")
    }

    @Test(arguments: [
        ["derive"], ["derive", "a.jpg"], ["derive", "-o", "/tmp", "--format", "gif", "a"],
        ["derive", "-o", "/tmp", "--quality", "0", "a"],
        ["derive", "-o", "/tmp", "--clip", "0,0,0,1", "a"],
        ["derive", "-o", "/tmp", "--clip", "-1,0,1,1", "a"],
        ["derive", "-o", "/tmp", "--turn", "45", "a"],
        ["derive", "-o", "/tmp", "--angle", "45.01", "a"],
        ["derive", "-o", "/tmp", "--angle", "nan", "a"],
        ["derive", "-o", "/tmp", "--max-dimension", "0", "a"], ["thumbnail"],
        ["thumbnail", "--size", "2000", "a"],
    ])
    func `wrong usage is reported`(words: [String]) async throws {
        let session = try await Session.start()
        #expect(try await session.run("portal-pick", words).status == 64)
    }

    @Test func `a thumbnail is made where the desktop looks for it`() async throws {
        let session = try await Session.start()
        let path = session.home.pictures.appending("a b.jpg")
        try session.home.write(Fixtures.bytes("orientation/6.jpg"), to: path)
        let (status, output, errors) = try await session.run(
            "portal-pick", ["thumbnail", "--size", "200", path.string])
        #expect(status == 0, "\(errors)")
        let thumbnail = FilePath(String(output.dropLast()))
        let folder = session.home.cache.appending("thumbnails").appending("large")
        #expect(thumbnail.removingLastComponent() == folder)
        #expect(names(in: folder).count == 1)
        let valid = try await session.run(
            "/usr/bin/gio", ["info", "-a", "thumbnail::*", path.string])
        #expect(valid.output.contains("is-valid: TRUE"), "\(valid.output)")
    }

    @Test func `a thumbnail gets no thumbnail, and the message says why`() async throws {
        let session = try await Session.start()
        let photo = Fixtures.path("orientation/6.jpg").string
        let made = try await session.run("portal-pick", ["thumbnail", photo])
        try #require(made.status == 0, "\(made.errors)")
        let again = try await session.run(
            "portal-pick", ["thumbnail", String(made.output.dropLast())])
        #expect(again.status == 2 && again.output.isEmpty)
        #expect(again.errors.hasSuffix(": it is a thumbnail itself\n"), "\(again.errors)")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a long run and leaves no half of a file`(signal: Int32) async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let photos = Array(repeating: Fixtures.path("orientation/6.jpg").string, count: 2000)
        let run = try session.start(
            "portal-pick", ["derive", "-o", folder.string, "--max-dimension", "9"] + photos)
        try await eventually("the first result") { names(in: folder).contains("6.jpg") }
        run.signal(signal)
        #expect(try await run.exitStatus() == 128 + signal)
        #expect(names(in: folder).count < photos.count)
        #expect(!names(in: folder).contains { $0.string.hasPrefix(".photo-portal") })
    }

    /// As nohup(1) does for a terminal that is closed, and a shell for Ctrl-C and what runs beside it.
    @Test(arguments: [SIGHUP, SIGINT])
    func `a signal that the starter ignores does not end a long run`(signal: Int32) async throws {
        let session = try await Session.start()
        let folder = session.home.scratch.appending("out")
        let photos = Array(repeating: Fixtures.path("orientation/6.jpg").string, count: 60)
        let run = try session.start(
            "sh",
            [
                "-c", "trap '' \(signal); exec \"$@\"", "sh", Programs.path("portal-pick"),
                "derive", "-o", folder.string, "--max-dimension", "9",
            ] + photos)
        try await eventually("the first result") { names(in: folder).contains("6.jpg") }
        run.signal(signal)
        #expect(try await run.exitStatus() == 0, "\(run.errorText)")
        #expect(names(in: folder).count == photos.count)
    }
}
