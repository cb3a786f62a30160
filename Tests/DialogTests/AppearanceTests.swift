// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The look that xdg-desktop-portal passes on, without which a desktop other than GNOME cannot make our
/// window dark.
@Suite(.serialized) struct AppearanceTests {
    private static let appearance = "org.freedesktop.appearance"

    /// A window in a session whose xdg-desktop-portal has these settings.
    private static func start(
        _ settings: Vardict
    ) async throws -> (DialogSession, Connection, Export) {
        let home = try await DialogSession { try $0.addPhotos(2) }
        let portal = try await home.session.connect()
        let export = try await portal.export(
            SettingsPortalInterface.interface, at: SettingsPortalInterface.path
        ) { export in
            export.method(SettingsPortalInterface.readAll) { _ in
                Arguments([appearance: settings])
            }
        }
        #expect(try await portal.requestName(SettingsPortalInterface.busName) == .owner)
        // The first one asked before there was anybody to answer.
        try await home.dialog.stop()
        _ = try await home.restartDialog()
        return (home, portal, export)
    }

    /// The mean of the three components of the color in the window's title bar, 0 to 255.
    private static func brightness(_ dialog: DialogSession, _ name: String) async throws -> Int {
        try await dialog.person.see(name)
        let image = Programs.source.appending(FilePath(".build/screenshots/\(name).png").components)
        let place = try await dialog.session.run(
            "xdotool",
            [
                "search", "--onlyvisible", "--name", "^Choose Photos$", "getwindowgeometry",
                "--shell",
            ],
            environment: Display.shared.value.environment
        ).output
        let script = """
            import sys
            from PIL import Image
            place = dict(line.split('=') for line in sys.argv[2].split() if '=' in line)
            image = Image.open(sys.argv[1]).convert('RGB')
            pixel = image.getpixel((int(place['X']) + int(place['WIDTH']) // 4, int(place['Y']) + 44))
            print(sum(pixel) // 3)
            """
        let (_, output, errors) = try await dialog.session.run(
            "/usr/bin/python3", ["-c", script, image.string, place])
        return try #require(
            output.split(separator: "\n").first.flatMap { Int($0) }, "\(errors)")
    }

    @Test func `the window is dark where the desktop is dark, and follows it`() async throws {
        let (dialog, portal, export) = try await Self.start(["color-scheme": UInt32(1).variant])
        let pick = try dialog.pick()
        try await dialog.person.do("photos 2")
        try await dialog.person.do("loaded 2")
        #expect(try await Self.brightness(dialog, "desktop-dark") < 110)
        try await portal.emit(
            SettingsPortalInterface.settingChanged, of: SettingsPortalInterface.interface.name,
            from: SettingsPortalInterface.path, to: nil,
            Arguments(Self.appearance, "color-scheme", UInt32(2).variant))
        try await eventually("a light window") {
            try await Self.brightness(dialog, "desktop-light") > 180
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
        withExtendedLifetime(export) {}
    }

    @Test func `contrast and accent of the desktop are used`() async throws {
        let (dialog, portal, export) = try await Self.start([
            "contrast": UInt32(1).variant,
            "accent-color": .structure([.double(0.8), .double(0.2), .double(0.5)]),
        ])
        let pick = try dialog.pick()
        try await dialog.person.do("photos 2")
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("click 0")
        try await dialog.person.see("desktop-contrast")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        withExtendedLifetime((portal, export)) {}
    }

    /// Once with a photo chosen, and once in the preview.
    @Test(
        arguments: [
            "Gtk/FontName=Cantarell 22", "Xft/DPI=\(192 * 1024)", "Gdk/WindowScalingFactor=2",
        ], ["photos", "preview"])
    func `text, fonts and scale of the desktop change while the window is open, and no choice does`(
        setting: String, page: String
    ) async throws {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            try home.addPhotos(3)
        }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click 1")
        if page == "preview" { try await dialog.person.do("magnify 1") }
        try await dialog.person.do("enabled Select")
        let before = try await sizes(in: dialog)
        let desktop = try await settings([setting], in: dialog)
        let changed = try await eventually("other sizes") {
            let sizes = try await sizes(in: dialog)
            return sizes != before ? sizes : nil
        }
        let name = setting.prefix { $0 != "/" }
        try await dialog.person.see("desktop-\(name)-\(page)")
        try await dialog.person.expectNothingOutside()
        try await desktop.stop()
        let usual = try await settings(
            ["Gtk/FontName=Cantarell 11", "Xft/DPI=\(96 * 1024)", "Gdk/WindowScalingFactor=1"],
            in: dialog)
        // A window that was as large as the screen may stay so.
        try await eventually("other sizes again") { try await sizes(in: dialog) != changed }
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
        try await usual.stop()
    }

    /// Starts a desktop with these settings on the display of the test.
    private func settings(_ values: [String], in dialog: DialogSession) async throws -> ChildProcess
    {
        let script = Programs.source.appending(FilePath("Tests/Clients/xsettings.py").components)
        let desktop = try dialog.session.start(
            script.string, values, environment: try await Display.shared.value.environment)
        try await eventually("the settings: \(desktop.errorText)") {
            desktop.outputText.contains("ready")
        }
        return desktop
    }

    /// The height of a button in layout pixels, and the width of the window in those of the screen.
    private func sizes(in dialog: DialogSession) async throws -> [Int?] {
        let button = try await dialog.person.do("button-place Select")
        return [button.height, try await dialog.person.do("size").width]
    }

    @Test(
        arguments: [
            ["color-scheme": "dark".variant], ["color-scheme": UInt32(77).variant],
            ["accent-color": .structure([.double(.nan), .double(9), .double(-1)])],
            ["accent-color": .structure([])], ["contrast": .variant(.uint32(1))],
        ] as [Vardict])
    func `a desktop that says nonsense changes nothing`(settings: Vardict) async throws {
        let (dialog, portal, export) = try await Self.start(settings)
        let pick = try dialog.pick()
        try await dialog.person.do("photos 2")
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
        withExtendedLifetime((portal, export)) {}
    }
}
