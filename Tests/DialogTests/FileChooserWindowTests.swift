// SPDX-License-Identifier: MIT

import Files
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The window that replaces a file dialog, called as newer releases of xdg-desktop-portal do.
@Suite(.serialized) struct FileChooserWindowTests {
    @Test func `the window opens on the folder that the app names`() async throws {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(3, in: "Garden")
            try home.addPhotos(2, in: "Sea")
        }
        let folder = dialog.home.pictures.appending("Sea")
        async let answer = open(
            frontend,
            [
                "current_folder": .array(
                    element: "y", "\(folder)\0".utf8.map { .byte($0) })
            ])
        try await dialog.person.do("count 2")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        #expect(results["uris"] == ["file://\(folder)/Sea1.jpg"].variant)
        #expect(results["writable"] == false.variant)
    }

    @Test(arguments: ["/nonexistent", "", "relative", "/"])
    func `a folder without photos does not prevent choosing`(folder: String) async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(3) }
        async let answer = open(
            frontend,
            ["current_folder": .array(element: "y", "\(folder)\0".utf8.map { .byte($0) })])
        try await dialog.person.do("count 3")
        try await dialog.person.do("key Escape")
        #expect(try await answer.code == 1)
    }

    @Test func `an app's texts fit in a narrow window`() async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(3) }
        let long = String(repeating: "A very long label. ", count: 100)
        let option = Variant.structure([.string("a"), .string(long)])
        let choices = (0..<8).map { number in
            Variant.structure([
                .string("\(number)"), .string(long),
                .array(element: "(ss)", number % 2 == 0 ? [] : [option]), .string(""),
            ])
        }
        async let answer = open(
            frontend,
            [
                "choices": .array(element: "(ssa(ss)s)", choices),
                "accept_label": long.variant,
            ])
        try await dialog.person.do("count 3")
        try await dialog.person.do("resize 480 640")
        let bar = try await dialog.person.do("place Photos")
        #expect((bar.width ?? 0) <= 480)
        try await dialog.person.see("file-chooser-long")
        try await dialog.person.do("key Escape")
        #expect(try await answer.code == 1)
    }

    @Test(arguments: [
        (filters: ["image/x-adobe-dng"], current: 0, name: "2.dng"),
        // The person shows raw files alone.
        (filters: ["image/*", "image/x-adobe-dng"], current: 1, name: "2.dng"),
        (filters: ["image/*", "image/x-adobe-dng"], current: 0, name: "2.jpg"),
    ])
    func `an app gets the file of a photo for which its filter asks`(
        filters: [String], current: Int, name: String
    ) async throws {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(3)
            try home.write(
                Fixtures.bytes("raw/adobe.dng"), to: home.pictures.appending("2.dng"))
        }
        let all = filters.map { type in
            Variant.structure([
                .string(type), .array(element: "(us)", [.structure([.uint32(1), .string(type)])]),
            ])
        }
        async let answer = open(
            frontend,
            ["filters": .array(element: "(sa(us))", all), "current_filter": all[current]])
        let isRawAlone = filters[current] != "image/*"
        try await dialog.person.do("loaded \(isRawAlone ? 1 : 3)")
        try await dialog.person.see("file-chooser-raw-\(filters.count)-\(current)")
        try await dialog.person.do("click \(isRawAlone ? 0 : 1)")
        try await dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        #expect(results["uris"] == ["file://\(dialog.home.pictures)/\(name)"].variant)
        #expect(results["current_filter"] == all[current])
    }

    @Test func `a file that no longer exists is not left out silently`() async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(2) }
        async let answer = open(frontend, ["multiple": true.variant])
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("click 0")
        try await dialog.person.do("click 1")
        // The library has a name here that leads nowhere.
        try await dialog.service.stop()
        try AtomicFile.remove(dialog.home.pictures.appending("1.jpg"))
        try await dialog.person.do("press Select")
        try await dialog.person.readChange(of: "1.jpg")
        try await dialog.person.see("file-chooser-changed")
        // Pressed again, the button sends the rest.
        try await dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        #expect(results["uris"] == ["file://\(dialog.home.pictures)/2.jpg"].variant)
    }

    @Test func `a file that has changed can be looked at and chosen again`() async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(2) }
        async let answer = open(frontend, [:])
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("click 0")
        try await dialog.service.stop()
        let path = dialog.home.pictures.appending("1.jpg")
        try dialog.home.write(Fixtures.bytes("jpeg/progressive.jpg"), to: path)
        try await dialog.person.do("press Select")
        try await dialog.person.readChange(of: "1.jpg")
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        #expect(results["uris"] == ["file://\(path)"].variant)
    }

    @Test func `without a backend for files there is no button that leads there`() async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(2) }
        async let answer = open(frontend, [:])
        try await dialog.person.do("count 2")
        #expect(try await !dialog.person.texts().contains("Browse Files…"))
        try await dialog.person.do("key Escape")
        #expect(try await answer.code == 1)
    }

    @Test func `saving without a backend for files says what is missing`() async throws {
        let (dialog, frontend) = try await start { _ in }
        async let answer = frontend.call(
            FileChooserInterface.saveFile, to: PickerBackendInterface.defaultBusName,
            at: FileChooserInterface.path, on: FileChooserInterface.interface.name,
            Arguments(
                "/org/freedesktop/portal/desktop/request/1_2/save", "org.example.Editor", "",
                "Save", [:]), timeout: .seconds(60)
        ).values
        try await eventually("the explanation") {
            try await dialog.person.texts().contains("The file cannot be saved")
        }
        #expect(
            try await dialog.person.texts().contains { $0.contains("xdg-desktop-portal-gtk") })
        try await dialog.person.see("file-chooser-missing")
        try await dialog.person.do("press Close")
        #expect(try await answer.0 == 2)
        try await dialog.person.do("no-window")
    }

    @Test func `any installed backend for files takes the place of a missing one`() async throws {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(2)
            try home.write(
                Array(
                    """
                    [portal]
                    DBusName=org.example.Files
                    Interfaces=org.example.Other;org.freedesktop.impl.portal.FileChooser;
                    UseIn=example
                    """.utf8),
                to: home.data.appending(FilePath("xdg-desktop-portal/portals/a.portal").components))
        }
        let files = try await dialog.session.connect()
        let export = try await files.export(
            FileChooserInterface.interface, at: FileChooserInterface.path
        ) { export in
            export.property(FileChooserInterface.version) { 4 }
            for method in FileChooserInterface.methods {
                export.method(method) { _ in Arguments(0, ["from": "files".variant]) }
            }
        }
        #expect(try await files.requestName("org.example.Files") == .owner)
        async let answer = open(frontend, [:])
        try await dialog.person.do("count 2")
        try await dialog.person.do("press Browse Files…")
        #expect(try await answer.results == ["from": "files".variant])
        withExtendedLifetime(export) {}
    }

    @Test func `an app that selects no filter is told which one fits what was chosen`() async throws
    {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(1)
            try home.addPictures(1)
        }
        let filters = ["JPEG": "image/jpeg", "PNG": "image/png"].sorted { $0.key < $1.key }.map {
            Variant.structure([
                .string($0.key),
                .array(element: "(us)", [.structure([.uint32(1), .string($0.value)])]),
            ])
        }
        async let answer = open(
            frontend, ["filters": .array(element: "(sa(us))", filters)])
        try await dialog.person.do("count 2")
        try await dialog.person.do("click 1")
        try await dialog.person.do("press Select")
        #expect(try await answer.results["current_filter"] == filters[1])
    }

    @Test func `a filter that no photo fits does not look like an empty library`() async throws {
        let (dialog, frontend) = try await start { try $0.addPhotos(2) }
        let drawings = Variant.structure([
            .string("Drawings"),
            .array(element: "(us)", [.structure([.uint32(1), .string("image/svg+xml")])]),
        ])
        async let answer = open(
            frontend, ["filters": .array(element: "(sa(us))", [drawings])])
        try await eventually("the explanation") {
            try await dialog.person.texts().contains("No matching photos")
        }
        try await dialog.person.see("file-chooser-nothing-fits")
        try await dialog.person.do("key Escape")
        #expect(try await answer.code == 1)
    }

    @Test func `a wrong line in the configuration is reported`() async throws {
        let (dialog, _) = try await start { home in
            try home.write(
                Array("[Backends]\nFileChooser=nonsense\n".utf8),
                to: home.configuration.appending(
                    FilePath("photo-portal/photo-portal.conf").components))
        }
        #expect(dialog.dialog.errorText.contains("photo-portal.conf:2"))
    }

    /// The range began at an index that the filtered list did not have.
    @Test func `a range that began at a photo that is filtered out does not end the process`()
        async throws
    {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(8)
            try home.addPictures(2)
        }
        async let answer = open(frontend, Self.twoFilters)
        try await dialog.person.do("count 10")
        try await dialog.person.do("click 7")
        try await dialog.person.do("pick 'File type' PNG")
        try await dialog.person.do("count 2")
        try await dialog.person.do("click 0 shift")
        try await dialog.person.do("key Escape")
        #expect(try await answer.code == 1)
    }

    /// Changing the filter cleared the choice.
    @Test func `photos that another filter hides stay chosen`() async throws {
        let (dialog, frontend) = try await start { home in
            try home.addPhotos(2)
            try home.addPictures(1)
        }
        async let answer = open(frontend, Self.twoFilters)
        try await dialog.person.do("count 3")
        try await dialog.person.do("pick 'File type' JPEG")
        try await dialog.person.do("count 2")
        try await dialog.person.do("click 0")
        try await dialog.person.do("pick 'File type' PNG")
        try await dialog.person.do("count 1")
        try await dialog.person.do("click 0")
        #expect(try await dialog.person.texts().contains("2 photos"))
        try await dialog.person.do("press Select")
        let (code, results) = try await answer
        #expect(code == 0)
        let pictures = dialog.home.pictures
        #expect(
            results["uris"] == ["file://\(pictures)/1.jpg", "file://\(pictures)/1.png"].variant)
    }

    /// Several files, of two types.
    private static let twoFilters: Vardict = [
        "multiple": true.variant,
        "filters": .array(
            element: "(sa(us))",
            [("PNG", "image/png"), ("JPEG", "image/jpeg")].map { name, type in
                .structure([
                    .string(name),
                    .array(element: "(us)", [.structure([.uint32(1), .string(type)])]),
                ])
            }),
    ]

    private func start(
        _ fill: (TestHome) throws -> Void
    ) async throws -> (DialogSession, Connection) {
        let dialog = try await DialogSession(fill: fill)
        try await dialog.settle()
        let frontend = try await dialog.session.connect()
        #expect(try await frontend.requestName(FileChooserInterface.frontend) == .owner)
        return (dialog, frontend)
    }

    private func open(
        _ frontend: Connection, _ options: Vardict
    ) async throws -> (code: UInt32, results: Vardict) {
        let pictures = Variant.structure([
            .string("Pictures"),
            .array(element: "(us)", [.structure([.uint32(1), .string("image/*")])]),
        ])
        return try await frontend.call(
            FileChooserInterface.openFile, to: PickerBackendInterface.defaultBusName,
            at: FileChooserInterface.path, on: FileChooserInterface.interface.name,
            Arguments(
                "/org/freedesktop/portal/desktop/request/1_2/t", "", "", "",
                options.merging(["filters": .array(element: "(sa(us))", [pictures])]) { own, _ in
                    own
                }),
            timeout: .seconds(60)
        ).values
    }
}
