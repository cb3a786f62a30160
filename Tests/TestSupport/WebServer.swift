// SPDX-License-Identifier: MIT

import Files
package import SystemPackage

/// An https server of the test's own, with a certificate that only the test's own fetcher believes: see
/// `Tests/Clients/pictures.py` and `Tests/trusting-fetcher`.
package final class WebServer: Sendable {
    package let port: UInt16
    /// The folder of its files.
    package let folder: FilePath
    private let address: String
    private let process: ChildProcess
    private let home: TestHome

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: Where it listens; the fetcher of the tests may go to 127.0.0.2 alone.
    ///   - name: A name in its certificate, beside the address.
    ///   - port: A port that another server has at another address; nil for any.
    package static func start(
        in home: TestHome, at address: String = "127.0.0.2",
        named name: String = "pictures.example",
        port: UInt16? = nil
    ) async throws -> WebServer {
        let folder = home.scratch.appending("web-\(UInt32.random(in: .min ... .max))")
        try home.write(try Fixtures.bytes("jpeg/baseline.jpg"), to: folder.appending("picture.jpg"))
        let authority = folder.appending("authority.pem").string
        let key = folder.appending("key.pem").string
        let making = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=Test", "-keyout", key, "-out", authority,
                "-addext", "subjectAltName=IP:\(address),DNS:\(name)",
            ], environment: home.environment, scratch: home.scratch)
        guard try await making.exitStatus() == 0 else {
            throw NeverHappened(description: "openssl made no certificate: \(making.errorText)")
        }
        let process = try ChildProcess(
            "/usr/bin/python3",
            [
                Programs.source.appending("Tests/Clients/pictures.py").string, address, authority,
                key, folder.string,
            ] + (port.map { ["\($0)"] } ?? []), environment: home.environment,
            scratch: home.scratch)
        let number = try await eventually("the server: \(process.errorText)") {
            process.outputLines.first.flatMap { UInt16($0) }
        }
        return WebServer(number, folder, address, process, home)
    }

    private init(
        _ port: UInt16, _ folder: FilePath, _ address: String, _ process: ChildProcess,
        _ home: TestHome
    ) {
        self.port = port
        self.folder = folder
        self.address = address
        self.process = process
        self.home = home
    }

    package func uri(_ path: String) -> String { "https://\(address):\(port)/\(path)" }

    /// The requests so far: path, query and headers.
    package var requests: [String] { process.outputLines.dropFirst().map(String.init) }

    /// Lets `/gate/NAME` go on.
    package func open(_ name: String) throws {
        try home.write([], to: folder.appending("open-\(name)"))
    }

    /// A program that fetches, and that believes this server.
    ///
    /// - Parameters:
    ///   - folder: Where it is put, as `photo-portal-fetcher`.
    ///   - patience: After how many seconds it gives up.
    package func fetcher(in folder: FilePath, patience: Int = 60) throws -> FilePath {
        try Directory.make(folder)
        let authority = try Descriptor.openForReading(self.folder.appending("authority.pem"))
        try AtomicFile.copy(authority, to: folder.appending("authority.pem"))
        try home.write(Array("\(patience)".utf8), to: folder.appending("patience"))
        let program = folder.appending("photo-portal-fetcher")
        // A link would lead back to the folder of the original.
        try AtomicFile.copy(
            Descriptor.openForReading(FilePath(Programs.path("trusting-fetcher"))), to: program,
            permissions: [.ownerReadWriteExecute])
        return program
    }
}
