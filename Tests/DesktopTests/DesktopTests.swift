// SPDX-License-Identifier: MIT

import Desktop
import SystemPackage
import TestSupport
import Testing

@Suite struct DesktopTests {
    /// The URIs that GLib makes; another encoding would change the names of thumbnails.
    @Test(arguments: [
        ("/tmp/a b.jpg", "file:///tmp/a%20b.jpg"), ("/tmp/100%.png", "file:///tmp/100%25.png"),
        ("/tmp/ä", "file:///tmp/%C3%A4"), ("/tmp/a\nb", "file:///tmp/a%0Ab"),
        ("/tmp/!$&'()*+,:=@~", "file:///tmp/!$&'()*+,:=@~"),
        ("/tmp/\"#<>?[]^`{|};", "file:///tmp/%22%23%3C%3E%3F%5B%5D%5E%60%7B%7C%7D%3B"),
    ])
    func `paths become URIs and paths again`(path: String, uri: String) {
        #expect(FileURI.make(FilePath(path)) == uri)
        #expect(FileURI.path(uri) == FilePath(path))
    }

    @Test func `bytes that are not UTF-8 survive`() {
        let path = FilePath(platformString: [0x2F, -1, 0x2E, 0])
        #expect(FileURI.make(path) == "file:///%FF.")
        #expect(FileURI.path("file:///%FF.") == path)
    }

    @Test(arguments: [
        "", "relative", "http://example.org/a", "file://elsewhere/a", "file:///a%00b",
        "file:///%zz",
    ])
    func `a URI that is not a local file has no path`(uri: String) {
        #expect(FileURI.path(uri) == nil)
    }

    @Test func `a name is shown alike, whether it comes as bytes or as part of a path`() {
        for bytes in [Array("a b.jpg".utf8), Array("ä\n.jpg".utf8), [0xFF, 0x2E], [0x2E, 0x2E]] {
            let name = FilePath.Component(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
            #expect(FileURI.displayName(bytes: bytes) == name.map { FileURI.displayName($0) })
        }
        for text in ["", "a/b", "/1", "a\0b"] {
            #expect(FileURI.displayName(bytes: text.utf8) == "")
        }
    }

    @Test func `a relative path has no URI`() {
        #expect(FileURI.make("a/b") == nil)
    }

    @Test func `digests are those of RFC 1321`() {
        #expect(Digest.md5Hex("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(Digest.md5(Array("message ".utf8), Array("digest".utf8)).first == 0xF9)
        #expect(Digest.md5Hex("") == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test func `digests of several messages are those of each, whatever their lengths`() {
        let text = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        // Around the ends of blocks, and with messages of very different lengths side by side.
        let lengths = Array(0...200) + [16_384, 32_776, 65_535, 0, 70_000, 1]
        let messages = lengths.map { Array(text.prefix($0)) }
        #expect(Digest.md5(ofEach: messages) == messages.map { Digest.md5($0) })
        for count in 0...17 {
            let few = (0..<count).map { Array(text[$0..<(1000 + 31 * $0)]) }
            #expect(Digest.md5(ofEach: few) == few.map { Digest.md5($0) }, "\(count) messages")
        }
    }

    @Test func `a key file is read with its groups and lines`() throws {
        let file = try KeyFile(
            Array("# x\n[Library]\nRoots = /a; /b c ;;\n\n[Backend]\nName=org.x\n".utf8))
        let roots = try #require(file.entries.first)
        #expect(roots.list == ["/a", "/b c"])
        #expect(roots.line == 3)
        #expect(file["Backend", "Name"] == "org.x")
        #expect(file["Backend", "Nothing"] == nil)
        #expect(try KeyFile([]).entries.isEmpty)
        #expect(throws: KeyFile.FormatError.self) { try KeyFile(Array("no group = 1\n".utf8)) }
        #expect(throws: KeyFile.FormatError.self) { try KeyFile([0xFF, 0xFE, 0x00]) }
    }

    @Test func `names are ordered by the numbers in them`() {
        let sorted = ["b", "a10", "a2", "A"].sorted {
            $0.collationKey.lexicographicallyPrecedes($1.collationKey)
        }
        #expect(sorted.firstIndex(of: "a2") ?? 9 < sorted.firstIndex(of: "a10") ?? 0)
    }

    @Test func `arguments are inserted into a text, whatever they contain`() {
        #expect(localized("%@ of %@", "%@", "50%") == "%@ of 50%")
        #expect(localizedCount(one: "%@ photo", many: "%@ photos", count: 2, "2") == "2 photos")
        #expect(localized("plain") == "plain")
    }
}
