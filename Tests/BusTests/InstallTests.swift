// SPDX-License-Identifier: MIT

import Files
import Foundation
import Processes
import SystemPackage
import TestSupport
import Testing

/// `make install` creates a tree whose programs run when the bus starts them.
@Suite(.serialized) struct InstallTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `the bus starts the service from an installed tree`() async throws {
        let tree = home.scratch.appending("tree")
        try await install(destination: "", prefix: tree.string)
        try home.write(
            Fixtures.bytes("jpeg/baseline.jpg"), to: home.pictures.appending("a.jpg"))
        let services = tree.appending("share").appending("dbus-1").appending("services")
        // The dialog needs a display, so the scripted backend takes its name here.
        let file = services.appending("org.freedesktop.impl.portal.desktop.photoportal.service")
        try home.write(
            Array(
                """
                [D-BUS Service]
                Name=org.freedesktop.impl.portal.desktop.photoportal
                Exec=\(tree)/bin/photo-portal-script --answer "delay 500ms; pick newest 1"
                """.utf8), to: file)
        let session = try await Session.start(home: home, services: services)
        let picker = try ChildProcess(
            tree.appending("bin").appending("portal-pick").string, ["--single"],
            environment: session.environment, scratch: home.scratch)
        #expect(try await picker.exitStatus() == 0, "\(picker.errorText)")
        #expect(picker.outputText == "\(home.pictures.appending("a.jpg"))\n")
    }

    @Test func `a package's tree is complete, and contains no path of the build`()
        async throws
    {
        let root = home.scratch.appending("root")
        try await install(destination: root.string, prefix: "/usr")
        for name in [
            "usr/libexec/photo-portal", "usr/libexec/photo-portal-dialog",
            "usr/libexec/photo-portal-decoder", "usr/libexec/photo-portal-heif",
            "usr/libexec/photo-portal-rare", "usr/libexec/photo-portal-video",
            "usr/libexec/photo-portal-fetcher", "usr/libexec/photo-portal-camera",
            "usr/bin/portal-pick", "usr/bin/photo-portal-script",
            "usr/share/dbus-1/services/org.freedesktop.portal.PhotoPicker.service",
            "usr/share/dbus-1/interfaces/org.freedesktop.portal.PhotoPicker.xml",
            "usr/share/xdg-desktop-portal/portals/photo-portal.portal",
            "usr/lib/systemd/user/photo-portal.service",
            "usr/share/applications/org.freedesktop.portal.PhotoPicker.desktop",
            "usr/share/icons/hicolor/scalable/apps/org.freedesktop.portal.PhotoPicker.svg",
            "usr/share/man/man1/portal-pick.1", "usr/share/man/man5/photo-portal.conf.5",
            "usr/share/doc/photo-portal/photo-portal.conf.example",
            "usr/share/locale/de/LC_MESSAGES/photo-portal.mo",
            "usr/share/locale/zh_CN/LC_MESSAGES/photo-portal.mo",
            "usr/share/bash-completion/completions/portal-pick",
            "usr/share/zsh/site-functions/_portal-pick",
            "usr/share/fish/vendor_completions.d/portal-pick.fish",
        ] {
            #expect((try? root.appending(FilePath(name).components).stat()) != nil, "\(name)")
        }
        let services = root.appending(FilePath("usr/share/dbus-1/services").components)
        for name in names(in: services) {
            let text = String(
                decoding: try Descriptor.openForReading(services.appending(name)).read(
                    upTo: 10_000),
                as: UTF8.self)
            #expect(text.contains("Exec=/usr/libexec/"))
            #expect(!text.contains("@"))
            #expect(!text.contains(root.string))
        }
        try await uninstall(destination: root.string, prefix: "/usr")
        #expect(files(below: root).isEmpty)
    }

    /// A mount namespace puts the package's tree where a package would install it.
    @Test func `a package's tree runs where it is unpacked`() async throws {
        let root = home.scratch.appending("root")
        try await install(destination: root.string, prefix: "/usr")
        let session = try await Session.start(home: home)
        let libexec = root.appending(FilePath("usr/libexec").components)
        let (status, output, errors) = try await session.run(
            "bwrap",
            [
                "--dev-bind", "/", "/", "--tmpfs", "/usr/libexec",
                "--ro-bind", libexec.appending("photo-portal").string, "/usr/libexec/photo-portal",
                "--", "/usr/libexec/photo-portal", "--version",
            ])
        #expect(status == 0, "\(errors)")
        #expect(output.contains("."))
    }

    @Test func `the units are valid`() async throws {
        let tree = home.scratch.appending("tree")
        try await install(destination: "", prefix: tree.string)
        let units = tree.appending(FilePath("lib/systemd/user").components)
        for name in names(in: units) {
            let child = try ChildProcess(
                "systemd-analyze", ["--user", "--man=no", "verify", units.appending(name).string],
                environment: home.environment, scratch: home.scratch)
            #expect(try await child.exitStatus() == 0, "\(child.errorText)")
            #expect(!child.errorText.contains("\(name)"), "\(child.errorText)")
        }
    }

    @Test func `the desktop file is valid`() async throws {
        let file = Programs.source.appending("data")
            .appending("org.freedesktop.portal.PhotoPicker.desktop")
        let child = try ChildProcess(
            "desktop-file-validate", [file.string], environment: home.environment,
            scratch: home.scratch)
        #expect(try await child.exitStatus() == 0, "\(child.outputText)")
    }

    private func install(destination: String, prefix: String) async throws {
        let programs = ProgramFolder.sibling("").string
        try await script([destination, prefix, programs])
    }

    private func uninstall(destination: String, prefix: String) async throws {
        try await script(["--remove", destination, prefix])
    }

    private func script(_ arguments: [String]) async throws {
        let child = try ChildProcess(
            Programs.source.appending("scripts").appending("install").string, arguments,
            environment: home.environment, scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(60))
        try #require(status == 0, "\(child.errorText)")
    }

    private func files(below folder: FilePath) -> [FilePath] {
        names(in: folder).flatMap { name -> [FilePath] in
            let path = folder.appending(name)
            let isFolder = (try? path.stat(followTargetSymlink: false))?.type == .directory
            return isFolder ? files(below: path) : [path]
        }
    }
}
