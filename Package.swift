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

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

/// A module of ours: see docs/ARCHITECTURE.md for its row.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program of ours.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The unit tests of a module.
func test(_ module: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "\(module)Tests",
        dependencies: [.init(stringLiteral: module), "TestSupport"] + dependencies,
        swiftSettings: settings)
}

let package = Package(
    name: "photo-portal",
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .target(name: "CShims"),
        module("Photos", []),
        module("Platform", ["CShims", system]),
        module("SDBus", ["CSystemd", "Platform", logging, system]),
        .systemLibrary(name: "CDeflate"),
        .systemLibrary(name: "CRSVG", pkgConfig: "librsvg-2.0"),
        .target(
            name: "CCodecs", dependencies: ["CRSVG"],
            linkerSettings: [
                "gif", "heif", "jpeg", "jxl", "lcms2", "png16", "tiff", "turbojpeg", "webp",
                "webpdemux", "webpmux",
            ].map { .linkedLibrary($0) }),
        .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
        module("Pixels", ["CCodecs", "CDeflate", "Photos", "Platform"]),
        module("ImageWork", ["Photos", "Platform", system]),
        module("Settings", ["Desktop", "Platform", system]),
        module(
            "PhotoLibrary",
            ["Desktop", "ImageWork", "Photos", "Platform", grdb, logging, system]),
        module(
            "PortalService",
            [
                "Desktop", "ImageWork", "PhotoLibrary", "Photos", "Platform", "PortalInterface",
                "SDBus", logging, system,
            ]),
        module(
            "ThumbnailService",
            [
                "ImageWork", "Photos", "Platform", "PortalInterface", "SDBus", "Thumbnails",
                logging,
            ]),
        program(
            "photo-portal",
            [
                "Desktop", "ImageWork", "PhotoLibrary", "Photos", "Platform", "PortalInterface",
                "PortalService", "SDBus", "Settings", "ThumbnailService", "Thumbnails", arguments,
                logging, system,
            ]),
        .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1"),
        module("GtkKit", ["CGtk", "Platform"]),
        module("Thumbnails", ["Desktop", "ImageWork", "Photos", "Platform", system]),
        .target(
            name: "PickerDialog",
            dependencies: [
                "Desktop", "GtkKit", "ImageWork", "PhotoLibrary", "Photos", "Platform",
                "Thumbnails", system,
            ],
            resources: [.embedInCode("picker-window.ui"), .embedInCode("picker-window.css")],
            swiftSettings: settings),
        program(
            "photo-portal-dialog",
            [
                "Desktop", "GtkKit", "ImageWork", "PhotoLibrary", "Photos", "PickerDialog",
                "Platform", "PortalInterface", "SDBus", "Settings", "Thumbnails", arguments,
                logging, system,
            ]),
        program(
            "photo-portal-script",
            ["PhotoLibrary", "Photos", "Platform", "PortalInterface", "SDBus", arguments, system]),
        program(
            "portal-pick",
            [
                "Desktop", "ImageWork", "Photos", "Platform", "PortalInterface", "SDBus",
                "Thumbnails", arguments, system,
            ]),
        program("photo-portal-decoder", ["CSandbox", "ImageWork", "Photos", "Pixels", "Platform"]),
        .systemLibrary(name: "CGLib", pkgConfig: "gio-unix-2.0"),
        module("Desktop", ["CGLib", system]),
        module("PortalInterface", ["Photos", "SDBus", logging]),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["Platform", "SDBus", system],
            path: "Tests/TestSupport", swiftSettings: settings),
        .executableTarget(
            name: "photo-portal-bench",
            dependencies: [
                "Desktop", "ImageWork", "PhotoLibrary", "Photos", "Pixels", "Platform",
                "PortalInterface", "SDBus", "TestSupport", system,
            ], path: "Benchmarks", exclude: ["Peers"], swiftSettings: settings),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/sandbox-probe",
            swiftSettings: settings),
        .executableTarget(
            name: "thumbnail-probe",
            dependencies: ["Desktop", "ImageWork", "Photos", "Thumbnails", system],
            path: "Tests/thumbnail-probe", swiftSettings: settings),
        test("Photos", []),
        test("Platform", [system]),
        test("Desktop", ["Platform", system]),
        test("SDBus", ["Platform", system]),
        test("Settings", ["Platform", system]),
        test("PortalInterface", ["Photos", "SDBus", system]),
        test("PortalService", ["Photos", "Platform", "SDBus", system]),
        test("Pixels", ["Photos", "Platform", system]),
        test(
            "PhotoLibrary",
            ["ImageWork", "Photos", "Platform", "photo-portal-decoder", logging, system]),
        test(
            "Thumbnails",
            [
                "Desktop", "ImageWork", "Photos", "Pixels", "Platform", "photo-portal-decoder",
                "thumbnail-probe", system,
            ]),
        .testTarget(
            name: "BusTests",
            dependencies: [
                "Desktop", "Photos", "Platform", "PortalInterface", "SDBus", "TestSupport",
                "Thumbnails",
                "photo-portal", "photo-portal-decoder", "photo-portal-script", "portal-pick",
                logging, system,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DialogTests",
            dependencies: [
                "Photos", "Platform", "PortalInterface", "SDBus", "TestSupport", "photo-portal",
                "photo-portal-decoder", "photo-portal-dialog", "portal-pick", system,
            ],
            swiftSettings: settings),
        .target(
            name: "CReference", path: "Tests/CReference",
            linkerSettings: [.linkedLibrary("jpeg")]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "CReference", "ImageWork", "Photos", "Pixels", "Platform", "PortalInterface",
                "SDBus",
                "TestSupport", system,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ScriptTests", dependencies: ["Photos", "photo-portal-script"],
            swiftSettings: settings),
        .testTarget(
            name: "LayeringTests", dependencies: ["TestSupport", system],
            swiftSettings: settings),
        test("ImageWork", ["Photos", "Platform", "photo-portal-decoder", "sandbox-probe", system]),
    ],
    swiftLanguageModes: [.v6]
)
