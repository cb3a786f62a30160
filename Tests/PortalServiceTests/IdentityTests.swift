// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import SystemPackage
import Systemd
import TestSupport
import Testing

@testable import PortalService

/// The identity of a process; if it is uncertain, access is denied.
@Suite struct IdentityTests {
    @Test(
        arguments: [
            ("app-gnome-org.gnome.Maps-1234.scope", "org.gnome.Maps"),
            ("app-org.gnome.Maps-1234.scope", "org.gnome.Maps"),
            ("app-org.gnome.Maps-1234.slice", "org.gnome.Maps"),
            ("app-org.gnome.Maps.service", "org.gnome.Maps"),
            ("app-gnome-org.gnome.Maps@5f.service", "org.gnome.Maps"),
            ("app-org.gnome.Maps@autostart.service", "org.gnome.Maps"),
            ("app-org.gnome.Maps-autostart.service", "org.gnome.Maps"),
            ("app-gnome-my\\x2dtool-77.scope", "my-tool"),
            ("app-flatpak-org.mozilla.firefox-99.scope", "org.mozilla.firefox"),
            ("app-firefox-1.scope", "firefox"),
            ("app-1.scope", nil), ("app-.service", nil), ("app.slice", nil), ("", nil),
            ("session-2.scope", nil), ("dbus.service", nil), ("init.scope", nil),
            ("app-a-b-c-d.scope", nil), ("app-bad\\x2-1.scope", nil), ("app-bad\\q-1.scope", nil),
            ("app-org.gnome.Maps-1234.timer", nil), ("app-\\xff\\xfe-1.scope", nil),
        ] as [(String, String?)])
    func `the app id is read from the name of a unit`(unit: String, appID: String?) {
        #expect(UserUnit.appID(ofUnit: unit) == appID)
    }

    @Test(
        arguments: [
            ("0::/user.slice/user-1000.slice/snap.firefox.firefox-12.scope\n", true),
            ("4:freezer:/snap.firefox\n0::/user.slice\n", true),
            ("1:name=systemd:/a/snap.firefox.hook.scope\n", true),
            ("5:memory:/snap.firefox\n", false), ("0::/user.slice/app-snapshot.scope\n", false),
            ("", false), ("garbage", false),
        ])
    func `a snap is recognized by its control groups`(groups: String, isSnap: Bool) {
        #expect(AppIdentity.isSnap(controlGroups: groups) == isSnap)
    }

    @Test(
        arguments: [
            ("org.gnome.Maps", true), ("org.example.my-app", true), ("a.b", true), ("3.4", true),
            ("org", false), ("", false), (".org.a", false), ("org..a", false), ("org.a.", false),
            ("org.my-company.app", false), ("org.a/b", false), ("org.ä", false),
            ("a." + String(repeating: "b", count: 253), true),
            ("a." + String(repeating: "b", count: 254), false),
        ])
    func `app ids are validated`(text: String, isValid: Bool) {
        #expect((AppID(text) != nil) == isValid)
    }

    // MARK: - Processes

    /// A folder like /proc that contains one process.
    private struct Processes {
        let home: TestHome
        var path: FilePath { home.scratch.appending("proc") }
        var process: FilePath { path.appending("77") }
        var root: FilePath { process.appending("root") }

        init() throws {
            home = try TestHome()
            try Directory.make(root)
            // Field 22 is the start time; the name may look like the end of the name field.
            let fields =
                ["77", "(a) b) c)", "S"] + Array(repeating: "0", count: 18) + ["4711", "0"]
            try write("stat", fields.joined(separator: " "))
            try write("cgroup", "0::/user.slice\n")
        }

        func write(_ name: String, _ text: String) throws {
            try home.write(Array(text.utf8), to: process.appending(name))
        }

        func writeInformation(_ text: String) throws {
            try home.write(Array(text.utf8), to: root.appending(".flatpak-info"))
        }

        func identity(snapTool: String = "/nonexistent") throws(ProcessExamination.Denial)
            -> AppIdentity
        {
            try ProcessExamination(processes: path, snapTool: snapTool).identity(of: 77)
        }

        func hasNetwork(
            _ app: AppIdentity, snapTool: String = "/nonexistent"
        ) throws(ProcessExamination.Denial) -> Bool {
            try ProcessExamination(processes: path, snapTool: snapTool)
                .hasNetwork(app, processID: 77)
        }
    }

    @Test func `a process without a sandbox is a host process`() throws {
        #expect(try Processes().identity() == AppIdentity(.none, appID: ""))
    }

    @Test(arguments: ["Application", "Runtime"])
    func `a Flatpak is identified by the file in its root`(group: String) throws {
        let processes = try Processes()
        try processes.writeInformation("[\(group)]\nname=org.example.App\n")
        #expect(try processes.identity() == AppIdentity(.flatpak, appID: "org.example.App"))
    }

    @Test(arguments: [
        "", "[Application]\n", "[Application]\nname=\n", "[Application]\nname=../../etc\n",
        "[Application]\nname=org\n", "name=org.example.App\n", "[Instance]\nname=org.example.App\n",
        "\0\0\0", "[Application\nname=org.example.App\n",
    ])
    func `a Flatpak without a valid id is denied`(text: String) throws {
        let processes = try Processes()
        try processes.writeInformation(text)
        #expect(throws: ProcessExamination.Denial.self) { try processes.identity() }
    }

    @Test func `a .flatpak-info that is not a regular file is denied, without blocking`()
        throws
    {
        for make: (FilePath) throws -> Void in [
            { try Directory.make($0) }, { _ = mkfifo($0.string, 0o600) },
            { _ = symlink("/dev/zero", $0.string) }, { _ = symlink($0.string, $0.string) },
        ] {
            let processes = try Processes()
            try make(processes.root.appending(".flatpak-info"))
            #expect(throws: ProcessExamination.Denial.self) { try processes.identity() }
        }
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `processes whose files do not answer delay others for a moment only`() async throws {
        let processes = try Processes()
        let hanging: [Int32] = Array(100..<140)
        let place = processes.home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: processes.home) { content in
            for id in hanging { try Directory.make(content.appending("\(id)")) }
        }
        for id in hanging {
            #expect(
                symlink(
                    place.appending("\(id)").string, processes.path.appending("\(id)").string)
                    == 0)
        }
        try disk.stall(.getattr, .open)
        let examiner = await Examiner(ProcessExamination(processes: processes.path))
        let examinations = hanging.map { id in
            Task { _ = try? await examiner.identity(of: id, handle: nil) }
        }
        try await eventually("an examination that hangs") { disk.hasWaiter }
        #expect(
            try await examiner.identity(of: 77, handle: nil) == AppIdentity(.none, appID: ""))
        try disk.answer()
        for examination in examinations { await examination.value }
        try await disk.end()
    }

    @Test(arguments: ["root", "stat", "cgroup"])
    func `a process that cannot be examined is denied, not a host process`(name: String) throws {
        let processes = try Processes()
        removeTree(processes.process.appending(FilePath(name).components))
        #expect(throws: ProcessExamination.Denial.self) { try processes.identity() }
    }

    @Test func `a process that ends or is replaced during the examination is denied`()
        throws
    {
        for change in ["rm \"$1\"", "sed -i s/4711/4712/ \"$1\""] {
            let processes = try Processes()
            try processes.write("cgroup", "0::/snap.firefox.firefox.scope\n")
            let tool = try Self.tool(
                processes.home,
                "#!/bin/sh\nset -- \(processes.process.appending("stat"))\n\(change)\n"
                    + "printf '[Snap Info]\\nInstanceName=firefox\\n'\n")
            #expect(throws: ProcessExamination.Denial.self) {
                try processes.identity(snapTool: tool)
            }
        }
    }

    @Test func `a snap is identified by the program snap`() throws {
        let processes = try Processes()
        try processes.write("cgroup", "0::/snap.firefox.firefox.scope\n")
        let tool = try Self.tool(
            processes.home,
            "#!/bin/sh\n[ \"$*\" = 'routine portal-info 77' ] || exit 1\n"
                + "printf '[Snap Info]\\nInstanceName=firefox_beta\\n'\n")
        #expect(
            try processes.identity(snapTool: tool)
                == AppIdentity(.snap, appID: "snap.firefox_beta"))
    }

    @Test(arguments: [
        "exit 0", "exit 1", "printf '[Snap Info]\\nInstanceName=../x\\n'",
        "printf '[Snap Info]\\nInstanceName=a\\n'; exit 1", "yes", "kill $$",
    ])
    func `a snap that snap does not know is denied`(script: String) throws {
        let processes = try Processes()
        try processes.write("cgroup", "0::/snap.firefox.firefox.scope\n")
        let tool = try Self.tool(processes.home, "#!/bin/sh\n\(script)\n")
        #expect(throws: ProcessExamination.Denial.self) { try processes.identity(snapTool: tool) }
    }

    /// A program that replaces snap, which the test machines do not have.
    private static func tool(_ home: TestHome, _ text: String) throws -> String {
        let path = home.scratch.appending("snap")
        try home.write(Array(text.utf8), to: path)
        chmod(path.string, 0o700)
        return path.string
    }

    @Test(
        arguments: [
            ("[Context]\nshared=network;ipc;\n", true), ("[Context]\nshared=ipc;network\n", true),
            ("[Context]\nshared=ipc;\n", false), ("[Context]\nshared=networking;\n", false),
            ("[Other]\nshared=network;\n", false), ("", false),
        ])
    func `S2.21 a Flatpak has the network if it shares that of the host`(
        text: String, hasNetwork: Bool
    ) throws {
        let processes = try Processes()
        try processes.writeInformation("[Application]\nname=org.example.App\n\n\(text)")
        let app = AppIdentity(.flatpak, appID: "org.example.App")
        #expect(try processes.hasNetwork(app) == hasNetwork)
        // Another one has the number of the process now.
        let other = AppIdentity(.flatpak, appID: "org.example.Other")
        #expect(throws: ProcessExamination.Denial.self) { try processes.hasNetwork(other) }
    }

    @Test(
        arguments: [
            ("network firefox:network :network -", true),
            ("network firefox:web :network manual", true), ("network firefox:network - -", false),
            ("network-bind firefox:network-bind :network-bind -", false),
            ("network other:network :network -", false), ("network", false), ("", false),
        ])
    func `S2.21 a snap has the network if its plug is connected`(
        line: String, hasNetwork: Bool
    ) throws {
        let processes = try Processes()
        try processes.write("cgroup", "0::/snap.firefox.firefox.scope\n")
        let tool = try Self.tool(
            processes.home,
            """
            #!/bin/sh
            case "$*" in
            'routine portal-info 77') printf '[Snap Info]\\nInstanceName=firefox\\n' ;;
            'connections firefox') echo 'Interface Plug Slot Notes'; echo '\(line)' ;;
            *) exit 1 ;;
            esac
            """)
        let app = AppIdentity(.snap, appID: "snap.firefox")
        #expect(try processes.hasNetwork(app, snapTool: tool) == hasNetwork)
    }

    @Test func `S2.21 a host process has the network; a snap that snap does not know is denied`()
        throws
    {
        let processes = try Processes()
        #expect(try processes.hasNetwork(AppIdentity(.none, appID: "")))
        try processes.write("cgroup", "0::/snap.firefox.firefox.scope\n")
        let tool = try Self.tool(
            processes.home,
            "#!/bin/sh\n[ $1 = routine ] || exit 1\nprintf '[Snap Info]\\nInstanceName=firefox\\n'\n"
        )
        #expect(throws: ProcessExamination.Denial.self) {
            try processes.hasNetwork(AppIdentity(.snap, appID: "snap.firefox"), snapTool: tool)
        }
    }

    @Test func `a process that has ended is denied, also by its handle`() throws {
        let (read, write) = try FileDescriptor.pipe()
        // The readable end of a pipe replaces a pidfd, which becomes readable when its process
        // ends.
        try write.writeAll([1])
        try write.close()
        let handle = Descriptor(owning: read)
        #expect(throws: ProcessExamination.Denial.self) {
            try ProcessExamination().identity(of: getpid(), handle: handle)
        }
    }

    @Test func `the test process is a host process`() throws {
        #expect(try ProcessExamination().identity(of: getpid()).sandbox == .none)
    }
}
