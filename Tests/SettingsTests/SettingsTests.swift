// SPDX-License-Identifier: MIT

import Files
import Glibc
import Settings
import SystemPackage
import TestSupport
import Testing

@Suite struct SettingsTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `without a file the defaults apply, and there is no problem`() {
        let (settings, problems) = Settings.load(from: [home.scratch])
        #expect(settings == Settings())
        #expect(problems.isEmpty)
    }

    @Test func `every key is applied`() throws {
        let settings = try load(
            """
            [Library]
            Pictures=/srv/photos;~/Camera
            Others=/srv/inbox
            Excluded=/srv/photos/raw
            [Backends]
            Picker=org.example.Picker
            FileChooser=org.freedesktop.impl.portal.desktop.kde
            [Limits]
            RequestsPerCaller=2
            Requests=10
            [Policy]
            Restricted=org.example.Spy;*
            [Thumbnails]
            Serve=false
            """)
        #expect(!settings.servesThumbnails)
        #expect(settings.pictureFolders.first == "/srv/photos")
        #expect(settings.pictureFolders.last?.lastComponent == "Camera")
        #expect(settings.otherFolders == ["/srv/inbox"])
        #expect(settings.excludedFolders == ["/srv/photos/raw"])
        #expect(settings.pickerBackend == "org.example.Picker")
        #expect(settings.fileChooser == "org.freedesktop.impl.portal.desktop.kde")
        #expect(settings.requestsPerCaller == 2)
        #expect(settings.requests == 10)
        #expect(settings.isRestricted("org.example.Anything"))
    }

    @Test func `the shipped example has no problem`() throws {
        let example = try Descriptor.openForReading(
            Programs.source.appending("data").appending("photo-portal.conf.example"))
        let settings = try load(String(decoding: example.read(upTo: 1 << 16), as: UTF8.self))
        #expect(settings.isRestricted("org.example.Anything"))
        #expect(settings.requests == Settings().requests)
        #expect(settings.pickerBackend == Settings().pickerBackend)
    }

    @Test func `the person's file takes precedence, but cannot lift restrictions`() throws {
        try write(
            "[Limits]\nRequests=10\nRequestsPerCaller=3\n[Policy]\nRestricted=org.a\n", "system")
        try write("[Limits]\nRequests=20\n[Policy]\nRestricted=org.b\n", "person")
        let (settings, problems) = Settings.load(
            from: [home.scratch.appending("system"), home.scratch.appending("person")])
        #expect(problems.isEmpty)
        #expect(settings.requests == 20)
        #expect(settings.requestsPerCaller == 3)
        #expect(settings.restrictedApps == ["org.a", "org.b"])
    }

    @Test(arguments: [
        ("[Limits]\n\nRequests=many\n", 3, "Requests"), ("[Limits]\nRequests=0\n", 2, "Requests"),
        ("[Limits]\nRequests=99999999999999999999\n", 2, "Requests"),
        ("[Limits]\nNonsense=1\n", 2, "Nonsense"), ("[Nonsense]\nA=1\n", 2, "Nonsense"),
        ("[Thumbnails]\nServe=maybe\n", 2, "Serve"),
        ("[Library]\nPictures=relative\n", 2, "Pictures"),
        ("[Backends]\nPicker=no name\n", 2, "Picker"), ("[Backends]\nPicker=a\n", 2, "Picker"),
        ("[Backends]\nFileChooser=org.1x\n", 2, "FileChooser"), ("\nnothing", 2, "nothing"),
        ("[Library]\nPictures\n", 2, "Pictures"), ("[Library]\n=/a\n", 2, "=/a"),
        ("[Library\nPictures=/a\n", 1, "[Library"), ("[]\nPictures=/a\n", 1, "[]"),
        ("Pictures=/a\n", 1, "Pictures"), ("  [Limits]\n  Requests=x\n", 2, "Requests"),
    ])
    func `an invalid value is reported with its line, and the default is kept`(
        text: String, line: Int, word: String
    ) throws {
        try write(text, "x")
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(settings == Settings())
        let problem = try #require(problems.first)
        #expect(problems.count == 1)
        #expect(problem.line == line)
        #expect(problem.message.contains(word))
        #expect(problem.description.contains("photo-portal.conf"))
    }

    @Test func `an invalid line does not affect the rest of the file`() throws {
        try write(
            "[Limits]\nRequests=20\nRequestsPerCaller=many\nnonsense\n[Nonsense\nRequests=1\n"
                + "[Policy]\nRestricted=org.a\n", "x")
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(settings.requests == 20)
        #expect(settings.requestsPerCaller == Settings().requestsPerCaller)
        #expect(settings.restrictedApps == ["org.a"])
        #expect(problems.map(\.line).sorted() == [3, 4, 5])
        #expect(problems.allSatisfy { $0.description.contains("photo-portal.conf:\($0.line): ") })
    }

    @Test func `a line that is not text is reported, and the rest is used`() throws {
        try home.write(
            Array("[Limits]\nRequests=20\n#".utf8) + [0xFF] + Array("\nRequestsPerCaller=3\n".utf8),
            to: home.scratch.appending("x").appending("photo-portal")
                .appending("photo-portal.conf"))
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(settings.requestsPerCaller == 3)
        #expect(problems.map(\.line) == [3])
    }

    @Test(arguments: ["a folder", "an unreadable file", "a huge file", "no key file"])
    func `settings that cannot be read restrict all apps, because they may restrict some`(
        fault: String
    ) throws {
        let folder = home.scratch.appending("x").appending("photo-portal")
        let file = folder.appending("photo-portal.conf")
        switch fault {
        case "a folder": try Directory.make(file)
        case "an unreadable file":
            try Directory.make(folder)
            // Root may read any file, but nobody can open a link to itself.
            symlink("photo-portal.conf", file.string)
        case "a huge file":
            let comment = [UInt8](repeating: UInt8(ascii: "#"), count: 2 << 20)
            try home.write(comment + Array("\n[Policy]\nRestricted=org.a\n".utf8), to: file)
        default: try home.write([0xFF, 0xFE, 0x5B, 0x00, 0x50, 0x00], to: file)
        }
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(settings.isRestricted("org.a"))
        let problem = try #require(problems.first { $0.message.contains("no app") })
        #expect(problem.file == file)
    }

    @Test(arguments: [
        "[Policy]\nRestricted org.a\n", "[Policy]\nRestrict=org.a\n",
        "[Policy\nRestricted=org.a\n", "[Policy]\nRestricted=\u{0}org.a\n",
        "[policy]\nRestricted=org.a\n", "[ Policy ]\nRestricted=org.a\n",
        "[Policies]\nRestricted=org.a\n", "[Backends]\nRestricted=org.a\n",
        "[Policy]\nRestricted=org.a\nRestricted=org.c\n",
        "[Policy]\nRestricted=org.a\n[Limits]\n[Policy]\nRestricted=org.c\n",
    ])
    func `a policy that cannot be understood restricts all apps`(text: String) throws {
        try write("[Limits]\nRequests=20\n" + text, "system")
        try write("[Policy]\nRestricted=org.b\n", "person")
        let (settings, problems) = Settings.load(
            from: [home.scratch.appending("system"), home.scratch.appending("person")])
        #expect(settings.isRestricted("org.a"))
        #expect(settings.requests == 20)
        #expect(problems.contains { $0.description.contains("no app") }, "\(problems)")
    }

    @Test func `a folder of settings that is a file has none`() throws {
        try home.write([1], to: home.scratch.appending("x"))
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(settings == Settings())
        #expect(problems.isEmpty)
    }

    @Test func `backends are found by what they offer, and damaged files are left out`() throws {
        let interface = "org.freedesktop.impl.portal.Lockdown"
        let texts = [
            "b.portal":
                "[portal]\nDBusName=org.example.B\nInterfaces=\(interface);\nUseIn=GNOME;kde",
            "a.portal": "[portal]\nDBusName=org.example.A\nInterfaces=x;\(interface)",
            "c.portal": "[portal]\nDBusName=org.example.C\nInterfaces=\(interface)2",
            "d.portal": "[portal]\nInterfaces=\(interface)",
            "e.portal": "\u{0}[portal",
            "f.conf": "[portal]\nDBusName=org.example.F\nInterfaces=\(interface)",
        ]
        for (name, text) in texts {
            try home.write(Array(text.utf8), to: home.scratch.appending("portals").appending(name))
        }
        let found = PortalBackend.all(
            offering: interface,
            in: [home.scratch.appending("nowhere"), home.scratch.appending("portals")])
        #expect(found.map(\.busName) == ["org.example.A", "org.example.B"])
        #expect(found.map(\.desktops) == [[], ["gnome", "kde"]])
    }

    private func load(_ text: String) throws -> Settings {
        try write(text, "x")
        let (settings, problems) = Settings.load(from: [home.scratch.appending("x")])
        #expect(problems.isEmpty)
        return settings
    }

    private func write(_ text: String, _ folder: String) throws {
        try home.write(
            Array(text.utf8),
            to: home.scratch.appending(folder).appending("photo-portal")
                .appending("photo-portal.conf"))
    }
}
