// SPDX-License-Identifier: MIT

import Files
import Glibc
package import SystemPackage

/// A home folder for one test, with the folders that a desktop keeps there.
package final class TestHome: Sendable {
    package let root: FilePath

    package init() throws {
        var template = Array("/tmp/photo-portal-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        root = FilePath(platformString: template)
        for folder in [pictures, data, cache, configuration, runtime, scratch] {
            try Directory.make(folder)
        }
    }

    deinit {
        removeTree(root)
    }

    package var home: FilePath { root.appending("home") }
    package var pictures: FilePath { home.appending("Pictures") }
    package var downloads: FilePath { home.appending("Downloads") }
    package var data: FilePath { home.appending(".local").appending("share") }
    package var cache: FilePath { home.appending(".cache") }
    package var configuration: FilePath { home.appending(".config") }
    package var runtime: FilePath { root.appending("run") }
    /// A folder for the test's own files.
    package var scratch: FilePath { root.appending("scratch") }
    package var database: FilePath { data.appending("photo-portal").appending("library.db") }

    /// The environment for programs that use this home.
    package var environment: [String: String] {
        [
            "HOME": home.string, "XDG_DATA_HOME": data.string, "XDG_CACHE_HOME": cache.string,
            "XDG_CONFIG_HOME": configuration.string, "XDG_RUNTIME_DIR": runtime.string,
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
            "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
            // The machine may run on its battery.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(runtime)/no-system-bus",
        ]
    }

    /// Writes a file and creates its folder.
    package func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Directory.make(path.removingLastComponent())
        try bytes.withUnsafeBytes { try AtomicFile.write($0, to: path) }
    }
}

extension TestHome {
    /// A folder with activation files, including that of the accessibility bus.
    package func startableAccessibility() throws -> FilePath {
        let services = scratch.appending("services")
        try write(
            Descriptor.openForReading("/usr/share/dbus-1/services/org.a11y.Bus.service")
                .read(upTo: 10_000), to: services.appending("org.a11y.Bus.service"))
        return services
    }

    /// Sets the modification time of a file, in seconds since 1970.
    package func setDate(of path: FilePath, _ seconds: Int) {
        var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
        _ = path.withPlatformString { utimes($0, &times) }
    }
}

/// Deletes a folder and everything in it, without following links.
package func removeTree(_ path: FilePath) {
    let isFolder = (try? path.stat(followTargetSymlink: false))?.type == .directory
    guard isFolder else {
        path.withPlatformString { _ = unlink($0) }
        return
    }
    // The test may have revoked its own permissions.
    path.withPlatformString { _ = chmod($0, 0o700) }
    for name in names(in: path) { removeTree(path.appending(name)) }
    path.withPlatformString { _ = rmdir($0) }
}

/// The names of all entries in a folder, including broken links.
package func names(in folder: FilePath) -> [FilePath.Component] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [FilePath.Component] = []
    while let record = readdir(stream) {
        let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) {
                FilePath.Component(platformString: $0)
            }
        }
        if let name, name.kind == .regular { names.append(name) }
    }
    return names
}
