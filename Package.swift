// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Most tests wait for programs: optimizing them takes longer than it saves.
///
/// What they test is optimized.
let testSettings = settings + [.unsafeFlags(["-Onone"])]

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

/// The floors of modules, from the top down.
///
/// Each is a folder of `Sources`; see docs/ARCHITECTURE.md.
enum Floor: String {
    case features = "Features"
    case adapters = "Adapters"
    case wrappers = "Wrappers"
}

/// A module on a floor.
func module(
    _ floor: Floor, _ name: String, _ dependencies: [Target.Dependency],
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(floor.rawValue)/\(name)",
        resources: resources, swiftSettings: settings)
}

/// A program, on the top floor.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)",
        swiftSettings: settings)
}

/// A module map for a library of the system, on the bottom floor.
func library(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig)
}

/// Our own C, on the bottom floor.
func c(
    _ name: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = [],
    headers: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/C/\(name)",
        cSettings: headers.map { .headerSearchPath($0) },
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The unit tests of a module.
func test(_ module: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "\(module)Tests",
        dependencies: [.init(stringLiteral: module), "TestSupport"] + dependencies,
        swiftSettings: testSettings)
}

let package = Package(
    name: "photo-portal",
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        // Beside all floors
        .target(name: "Photos", swiftSettings: settings),

        // C
        library("CSDBus", pkgConfig: "libsystemd"),
        library("CSystemd", pkgConfig: "libsystemd"),
        library("CGtk", pkgConfig: "libadwaita-1"),
        library("CGLib", pkgConfig: "gio-unix-2.0"),
        library("CDeflate"),
        library("CPixbuf", pkgConfig: "gdk-pixbuf-2.0"),
        library("COpenEXR", pkgConfig: "OpenEXR"),
        library("CRSVG", pkgConfig: "librsvg-2.0"),
        c(
            "CCodecs", ["CPixbuf"],
            linking: [
                "brotlidec", "jpeg", "lcms2", "png16", "tiff", "webp", "webpdemux", "webpmux",
            ]),
        // The codecs of CCodecs share declarations.
        c("CHEIF", ["CCodecs"], linking: ["heif", "jxl"], headers: ["../CCodecs"]),
        c(
            "CRare", ["COpenEXR", "CRSVG"], linking: ["fontconfig", "openjp2", "raw_r"]),
        c("CVideo", linking: ["avcodec", "avformat", "avutil", "swscale"]),
        c("CSandbox", linking: ["seccomp"]),
        c("CWeb", linking: ["curl"]),
        library("CGStreamer", pkgConfig: "gstreamer-app-1.0"),
        c(
            "CCamera", ["CGStreamer"],
            linking: [
                "gstapp-1.0", "gstvideo-1.0", "gstreamer-1.0", "gobject-2.0", "glib-2.0", "yuv",
            ]),
        c("CDigest"),
        c("CFiles"),
        c("CProcesses"),

        // Wrappers
        module(.wrappers, "Files", ["CFiles", "Photos", system]),
        module(.wrappers, "Processes", ["CProcesses", "Files", system]),
        module(.wrappers, "SDBus", ["CSDBus", "Files", "Processes", logging, system]),
        module(.wrappers, "Systemd", ["CSystemd", logging]),
        module(.wrappers, "GtkKit", ["CGtk", "Files", "Photos", "Processes"]),
        module(.wrappers, "Desktop", ["CDigest", "CGLib", system]),
        module(.wrappers, "Sandbox", ["CSandbox"]),
        module(.wrappers, "Web", ["CWeb"]),
        module(.wrappers, "Cameras", ["CCamera", "Photos"]),
        module(.wrappers, "Videos", ["CVideo", "Files", "Photos", "Pixels"]),
        module(.wrappers, "HEIFFormats", ["CHEIF"]),
        module(.wrappers, "RareFormats", ["CRare", "Files", "Photos", "Pixels"]),
        module(.wrappers, "Pixels", ["CCodecs", "CDeflate", "Files", "Photos"]),

        // Adapters
        module(.adapters, "ImageWork", ["Files", "Photos", "Processes", system]),
        module(
            .adapters, "DecoderProgram",
            ["Files", "ImageWork", "Photos", "Pixels", "Processes", "Sandbox"]),
        module(
            .adapters, "WebFetch", ["Desktop", "Files", "ImageWork", "Processes", system]),
        module(
            .adapters, "FetcherProgram",
            ["Files", "Processes", "Sandbox", "Web", "WebFetch", system]),
        module(
            .adapters, "CameraWork", ["Files", "ImageWork", "Photos", "Processes", system]),
        module(
            .adapters, "CameraProgram",
            [
                "CameraWork", "Cameras", "Files", "ImageWork", "Photos", "Pixels", "Processes",
                "Sandbox", system,
            ]),
        module(.adapters, "Settings", ["Desktop", "Files", system]),
        module(
            .adapters, "PhotoLibrary",
            ["Desktop", "Files", "ImageWork", "Photos", "Processes", grdb, logging, system]),
        module(
            .adapters, "Thumbnails",
            ["Desktop", "Files", "ImageWork", "Photos", "Processes", system]),
        module(
            .adapters, "PhotoCopies",
            ["Desktop", "Files", "ImageWork", "Photos", "Processes", system]),
        module(.adapters, "PortalInterface", ["Files", "Photos", "SDBus"]),
        module(
            .adapters, "CameraPresence", ["Files", "PortalInterface", "SDBus", logging, system]),
        module(.adapters, "PortalBackend", ["Photos", "PortalInterface", "SDBus", logging]),
        module(.adapters, "PortalClient", ["Files", "Photos", "PortalInterface", "SDBus"]),

        // Features
        module(
            .features, "PortalService",
            [
                "Desktop", "Files", "ImageWork", "PhotoLibrary", "Photos", "PortalInterface",
                "Processes", "SDBus", "Systemd", "Thumbnails", logging, system,
            ]),
        module(
            .features, "ThumbnailService",
            [
                "Files", "ImageWork", "Photos", "PortalInterface", "Processes", "SDBus",
                "Thumbnails", logging,
            ]),
        module(.features, "PickModel", ["Photos"]),
        module(
            .features, "PickerDialog",
            [
                "CameraWork", "Desktop", "Files", "GtkKit", "ImageWork", "PhotoCopies",
                "PhotoLibrary", "Photos",
                "PickModel",
                "Processes", "Thumbnails", "WebFetch", logging, system,
            ],
            resources: [
                .embedInCode("picker-window.ui"), .embedInCode("picker-window.css"),
                .embedInCode("preview-page.ui"), .embedInCode("crop-page.ui"),
                .embedInCode("viewer-window.ui"), .embedInCode("sheet-page.ui"),
                .embedInCode("camera-page.ui"),
            ]),

        // Programs
        program(
            "photo-portal",
            [
                "CameraPresence", "Desktop", "Files", "ImageWork", "PhotoCopies", "PhotoLibrary",
                "Photos",
                "PortalInterface",
                "PortalService", "Processes", "SDBus", "Settings", "Systemd", "ThumbnailService",
                "Thumbnails", arguments, logging, system,
            ]),
        program(
            "photo-portal-dialog",
            [
                "CameraPresence", "Desktop", "Files", "GtkKit", "ImageWork", "PhotoCopies",
                "PhotoLibrary", "Photos",
                "PickerDialog", "PortalBackend", "PortalInterface", "Processes", "SDBus",
                "Settings", "Systemd", "Thumbnails", "WebFetch", arguments, logging, system,
            ]),
        program("photo-portal-decoder", ["DecoderProgram", "Pixels", "Sandbox"]),
        program("photo-portal-heif", ["DecoderProgram", "HEIFFormats", "Pixels", "Sandbox"]),
        program("photo-portal-rare", ["DecoderProgram", "Pixels", "RareFormats", "Sandbox"]),
        program(
            "photo-portal-video",
            [
                "DecoderProgram", "Files", "HEIFFormats", "ImageWork", "Photos", "Pixels",
                "Sandbox",
                "Videos",
            ]),
        program("photo-portal-fetcher", ["FetcherProgram"]),
        program("photo-portal-camera", ["CameraProgram"]),
        program(
            "photo-portal-script",
            [
                "Files", "PhotoLibrary", "Photos", "PortalBackend", "PortalInterface",
                "Processes", "SDBus", "Systemd", arguments, system,
            ]),
        program(
            "portal-pick",
            [
                "Desktop", "Files", "ImageWork", "Photos", "PortalClient", "PortalInterface",
                "Processes", "SDBus", "Thumbnails", "WebFetch", arguments, system,
            ]),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["Files", "Processes", "SDBus", system],
            path: "Tests/TestSupport", swiftSettings: settings),
        .executableTarget(
            name: "photo-portal-bench",
            dependencies: [
                "CameraWork", "Desktop", "ImageWork", "PhotoLibrary", "Photos", "Pixels", "Files",
                "Processes",
                "PortalBackend", "PortalClient", "PortalInterface", "SDBus", "TestSupport", system,
                logging,
            ], path: "Benchmarks", exclude: ["Peers"], swiftSettings: settings),
        .systemLibrary(name: "CFuse", path: "Tests/CFuse", pkgConfig: "fuse3"),
        .executableTarget(
            name: "stalled-disk", dependencies: ["CFuse"], path: "Tests/stalled-disk",
            linkerSettings: [.linkedLibrary("fuse3")]),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/sandbox-probe",
            swiftSettings: settings),
        .executableTarget(
            name: "hostile-decoder",
            dependencies: [
                "CFiles", "Files", "ImageWork", "Photos", "Pixels", "Processes", system,
            ], path: "Tests/hostile-decoder", swiftSettings: settings),
        .executableTarget(
            name: "hostile-camera",
            dependencies: [
                "CFiles", "CameraWork", "Files", "ImageWork", "Photos", "Processes", system,
            ], path: "Tests/hostile-camera", swiftSettings: settings),
        .executableTarget(
            name: "trusting-fetcher",
            dependencies: ["FetcherProgram", "Files", "Processes", "Web", system],
            path: "Tests/trusting-fetcher", swiftSettings: settings),
        .executableTarget(
            name: "facts-probe",
            dependencies: ["Files", "HEIFFormats", "Photos", "Pixels", system],
            path: "Tests/facts-probe", swiftSettings: settings),
        .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(
            name: "pixel-probe",
            dependencies: [
                "CFuzzer", "Files", "HEIFFormats", "Photos", "Pixels", "RareFormats", "Videos",
                system,
            ],
            path: "Tests/pixel-probe", swiftSettings: settings),
        .executableTarget(
            name: "thumbnail-probe",
            dependencies: ["Desktop", "ImageWork", "Photos", "Thumbnails", system],
            path: "Tests/thumbnail-probe", swiftSettings: settings),
        test("Photos", []),
        test("Files", ["stalled-disk", system]),
        test("Processes", ["Files", system]),
        test("Desktop", ["Files", "Processes", system]),
        test("SDBus", ["Files", "Processes", system]),
        test("CameraPresence", ["Files", system]),
        test("Web", []),
        test(
            "WebFetch",
            [
                "Files", "ImageWork", "Processes", "photo-portal-fetcher", "portal-pick",
                "trusting-fetcher", system,
            ]),
        test(
            "Cameras",
            [
                "CameraProgram", "CameraWork", "Files", "ImageWork", "Photos", "Pixels",
                "Processes",
                "hostile-camera", "photo-portal-camera", system,
            ]),
        test("Settings", ["Files", "Processes", system]),
        test("PickModel", ["Photos"]),
        test("PortalInterface", ["Photos", "Files", "SDBus", system]),
        test(
            "PortalService",
            [
                "Photos", "Files", "ImageWork", "PhotoLibrary", "PortalInterface", "Processes",
                "SDBus", "Systemd", "hostile-decoder", "stalled-disk", logging, system,
            ]),
        test(
            "Pixels",
            [
                "CCodecs", "HEIFFormats", "Photos", "Files", "Processes", "RareFormats", "Videos",
                "pixel-probe", system,
            ]),
        test(
            "PhotoLibrary",
            [
                "ImageWork", "Photos", "Files", "Processes", "hostile-decoder",
                "photo-portal-decoder", logging, system,
            ]),
        test(
            "Thumbnails",
            [
                "Desktop", "ImageWork", "Photos", "Pixels", "Files", "Processes",
                "hostile-decoder", "photo-portal-decoder", "photo-portal-video",
                "stalled-disk", "thumbnail-probe", system,
            ]),
        .testTarget(
            name: "BusTests",
            dependencies: [
                "CameraPresence", "Desktop", "Photos", "Files", "Processes", "PortalInterface",
                "SDBus",
                "TestSupport",
                "PortalBackend", "PortalClient", "Thumbnails",
                "photo-portal", "photo-portal-decoder", "photo-portal-heif", "photo-portal-rare",
                "photo-portal-script", "photo-portal-fetcher",
                "photo-portal-video", "portal-pick", "stalled-disk", logging, system,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DialogTests",
            dependencies: [
                "CameraPresence", "Desktop", "Photos", "Files", "Processes", "PortalClient",
                "PortalInterface",
                "SDBus", "TestSupport", "photo-portal",
                "photo-portal-camera", "photo-portal-decoder", "photo-portal-dialog",
                "photo-portal-fetcher",
                "portal-pick",
                "stalled-disk", "trusting-fetcher",
                logging, system,
            ],
            swiftSettings: testSettings),
        .target(
            name: "CReference", path: "Tests/CReference",
            linkerSettings: [.linkedLibrary("jpeg")]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "CReference", "ImageWork", "Photos", "Pixels", "Files", "Processes",
                "PortalInterface", "SDBus", "TestSupport", "Videos", system,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ScriptTests",
            dependencies: ["Files", "Photos", "TestSupport", "photo-portal-script", system],
            swiftSettings: testSettings),
        .testTarget(
            name: "PortalPickTests",
            dependencies: [
                "PortalInterface", "SDBus", "TestSupport", "portal-pick", arguments,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "SystemdTests",
            dependencies: [
                "Processes", "TestSupport", "photo-portal", "photo-portal-decoder",
                "photo-portal-dialog", "photo-portal-fetcher", "photo-portal-heif",
                "photo-portal-rare", "photo-portal-script",
                "photo-portal-video", "portal-pick",
                system,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LayeringTests", dependencies: ["TestSupport", system],
            swiftSettings: testSettings),
        test(
            "ImageWork",
            [
                "PhotoCopies", "Photos", "Files", "Processes", "hostile-decoder",
                "photo-portal-decoder", "photo-portal-heif",
                "photo-portal-rare", "photo-portal-video", "sandbox-probe", "stalled-disk", system,
            ]),
    ],
    swiftLanguageModes: [.v6]
)
