// SPDX-License-Identifier: MIT

import Files
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebFetch

/// What the program that fetches does on the network, with servers of the test's own.
@Suite(.serialized) struct FetchTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// Routes that the test says, one look after the other; the last one is that of all later looks.
    private final class Routes: RouteFinder {
        private let left: Mutex<[FetchRoute]>
        /// The hosts that were looked up.
        let hosts = Recorder<String>()

        init(_ routes: FetchRoute...) {
            left = Mutex(routes)
        }

        func cancel() {}

        func route(to host: String, port: UInt16) -> FetchRoute {
            hosts.note(host)
            return left.withLock { left in
                left.count > 1 ? left.removeFirst() : left.first ?? .none
            }
        }
    }

    private static let server = FetchRoute.direct(addresses: [[127, 0, 0, 2]])

    private func fetcher(_ server: WebServer, _ routes: Routes? = nil) throws -> WebFetcher {
        let program = try server.fetcher(
            in: home.scratch.appending("programs"), patience: 3)
        guard let routes else { return WebFetcher(program: program) }
        return WebFetcher(program: program) { routes }
    }

    /// The error of a fetch; nil if it succeeds.
    private func problem(_ fetcher: WebFetcher, _ uri: String) async -> FetchError? {
        do throws(FetchError) {
            _ = try await fetcher.fetch(FetchRequest(uri: uri))
            return nil
        } catch {
            return error
        }
    }

    @Test func `S2.21 a picture arrives whole, with progress, and nothing is said of the person`()
        async throws
    {
        let server = try await WebServer.start(in: home)
        let fetcher = try fetcher(server)
        let counts = Recorder<Int64>()
        let fetch = Task {
            try await fetcher.fetch(FetchRequest(uri: server.uri("gate/a"))) { count, whole in
                counts.note(count)
                #expect(whole ?? count >= count)
            }
        }
        try await eventually("the request") { !server.requests.isEmpty }
        try server.open("a")
        guard case .fetched(let file, let freshness) = try await fetch.value else {
            Issue.record("It was not fetched")
            return
        }
        #expect(try file.read(upTo: 1 << 22, at: 0) == Fixtures.bytes("jpeg/baseline.jpg"))
        #expect(MemoryFile.isSealed(file))
        #expect(freshness.entityTag == nil)
        let request = try #require(server.requests.first)
        for name in ["Cookie", "Referer", "Authorization", "Accept-Language"] {
            #expect(!request.contains("\(name)="), "\(request)")
        }
        #expect(request.contains("User-Agent=photo-portal "), "\(request)")
    }

    @Test func `five redirects are followed, and not more, nor in a circle`() async throws {
        let server = try await WebServer.start(in: home)
        let fetcher = try fetcher(server)
        #expect(await problem(fetcher, server.uri("chain/4")) == nil)
        #expect(server.requests.count == 6)
        #expect(await problem(fetcher, server.uri("chain/5")) == .redirected)
        #expect(await problem(fetcher, server.uri("circle")) == .redirected)
        #expect(server.requests.count == 18)
    }

    @Test(
        arguments: [
            "http://127.0.0.2/a.jpg", "http://example.org/a.jpg", "https://127.0.0.1:PORT/file/a",
            "https://localhost:PORT/file/a", "https://[::1]:PORT/file/a",
            "https://[::ffff:127.0.0.1]:PORT/file/a", "https://0x7f.1:PORT/file/a",
            "https://10.0.0.1/a.jpg", "https://192.168.0.1/a.jpg", "https://169.254.169.254/",
            "https://[fd00::1]/a.jpg", "https://[64:ff9b::7f00:1]/a.jpg", "https://0.0.0.0:PORT/",
            "https://user:word@127.0.0.2:PORT/file/picture.jpg", "file:///etc/passwd",
            "ftp://127.0.0.2/a.jpg",
        ])
    func `neither a URI nor a redirect leads to this machine or its networks`(
        target: String
    ) async throws {
        let server = try await WebServer.start(in: home)
        let other = try await WebServer.start(in: home, at: "127.0.0.1", port: server.port)
        let fetcher = try fetcher(server)
        let uri = target.replacing("PORT", with: "\(server.port)")
        #expect(await problem(fetcher, uri) == .forbidden)
        let escaped = uri.replacing("[", with: "%5B").replacing("]", with: "%5D")
        #expect(await problem(fetcher, server.uri("to?\(escaped)")) == .forbidden)
        #expect(server.requests.count == 1, "\(server.requests)")
        #expect(other.requests.isEmpty)
    }

    @Test func `a name that means this machine at the second look reaches nothing`() async throws {
        let server = try await WebServer.start(in: home)
        let other = try await WebServer.start(in: home, at: "127.0.0.1", port: server.port)
        let uri = "https://pictures.example:\(server.port)/file/picture.jpg"
        let routes = Routes(Self.server, .direct(addresses: [[127, 0, 0, 1]]))
        let fetcher = try fetcher(server, routes)
        #expect(await problem(fetcher, uri) == nil)
        #expect(await problem(fetcher, uri) == .forbidden)
        // One of several addresses is no way around it.
        let both = Routes(.direct(addresses: [[127, 0, 0, 1], [127, 0, 0, 2]]))
        #expect(await problem(try self.fetcher(server, both), uri) == nil)
        #expect(server.requests.count == 2)
        #expect(other.requests.isEmpty)
        #expect(routes.hosts.all == ["pictures.example", "pictures.example"])
    }

    @Test func `the program that is installed refuses the address of the test's server`()
        async throws
    {
        let server = try await WebServer.start(in: home)
        let fetcher = WebFetcher(program: FilePath(Programs.path("photo-portal-fetcher")))
        #expect(await problem(fetcher, server.uri("file/picture.jpg")) == .forbidden)
        #expect(server.requests.isEmpty)
    }

    @Test func `a certificate of nobody, or for another name, ends it before the request`()
        async throws
    {
        let server = try await WebServer.start(in: home, named: "another.example")
        let stranger = try await WebServer.start(in: home)
        let fetcher = try fetcher(server, Routes(Self.server))
        #expect(await problem(fetcher, stranger.uri("file/picture.jpg")) == .insecure)
        let uri = "https://pictures.example:\(server.port)/file/picture.jpg"
        #expect(await problem(fetcher, uri) == .insecure)
        #expect(server.requests.isEmpty)
        #expect(stranger.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("silent", FetchError.timedOut), ("gate/never", .timedOut), ("endless", .tooLarge),
            ("huge", .tooLarge), ("short", .broken), ("status/404", .refused),
            ("status/500", .refused), ("status/304", .broken), ("status/204", .broken),
            ("file/empty", .broken), ("to", .broken),
        ] as [(String, FetchError)])
    func `a server that stalls, never ends or gives nothing is an error`(
        path: String, error: FetchError
    ) async throws {
        let server = try await WebServer.start(in: home)
        try home.write([], to: server.folder.appending("empty"))
        #expect(await problem(try fetcher(server), server.uri(path)) == error)
    }

    @Test func `a server that is not there, and a name without address, are unreachable`()
        async throws
    {
        let server = try await WebServer.start(in: home)
        let fetcher = try fetcher(server)
        #expect(await problem(fetcher, "https://127.0.0.2:1/a.jpg") == .unreachable)
        let nowhere = try self.fetcher(server, Routes(.direct(addresses: [])))
        #expect(await problem(nowhere, "https://pictures.example/") == .unreachable)
        #expect(
            await problem(try self.fetcher(server, Routes(.none)), server.uri("a")) == .unreachable)
        let missing = WebFetcher(program: home.scratch.appending("missing"))
        #expect(await problem(missing, server.uri("a")) == .unavailable)
        let other = WebFetcher(program: "/bin/true")
        #expect(await problem(other, server.uri("a")) == .unavailable)
    }

    @Test func `S2.22 the server is asked whether a known picture has changed`() async throws {
        let server = try await WebServer.start(in: home)
        let fetcher = try fetcher(server)
        let uri = server.uri("known/picture.jpg?max-age=60")
        guard case .fetched(_, let freshness) = try await fetcher.fetch(FetchRequest(uri: uri))
        else {
            Issue.record("It was not fetched")
            return
        }
        #expect(freshness.entityTag == "\"1\"")
        #expect(freshness.lifetime == 60)
        let request = FetchRequest(uri: uri, entityTag: freshness.entityTag)
        #expect(try await fetcher.fetch(request) == .unchanged(freshness))
    }

    @Test func `a server that a redirect leads to is not asked about the picture of another one`()
        async throws
    {
        let server = try await WebServer.start(in: home)
        let request = FetchRequest(uri: server.uri("hop/301?max-age=60"), entityTag: "\"1\"")
        guard case .fetched(_, let freshness) = try await fetcher(server).fetch(request) else {
            Issue.record("It was not fetched")
            return
        }
        #expect(freshness.entityTag == nil)
        #expect(freshness.lifetime == 60)
        #expect(server.requests.map { $0.contains("If-None-Match") } == [true, false])
    }

    @Test func `the process ends with whoever started it, although its server is silent`()
        async throws
    {
        let server = try await WebServer.start(in: home)
        let program = try server.fetcher(in: home.scratch.appending("programs"))
        let script = """
            import os, signal, socket, subprocess, sys, time
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            child = subprocess.Popen([sys.argv[1]], pass_fds=[3], stdin=subprocess.DEVNULL,
                                     preexec_fn=lambda: os.dup2(theirs.fileno(), 3))
            theirs.close()
            ours.send(bytes.fromhex(sys.argv[2]))
            ours.recv(65536)
            ours.send(bytes.fromhex(sys.argv[3]))
            print(child.pid, flush=True)
            while not os.path.exists(sys.argv[4]):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)
            """
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
        let sign = home.scratch.appending("sign")
        let parent = try ChildProcess(
            "/usr/bin/python3",
            [
                "-c", script, program.string,
                hex(FetchProtocol.encode(FetchRequest(uri: server.uri("silent")))),
                hex(FetchProtocol.encode(Self.server)), sign.string,
            ], environment: home.environment, scratch: home.scratch)
        let process = try await eventually("the process: \(parent.errorText)") {
            parent.outputLines.first.flatMap { pid_t($0) }
        }
        try await eventually("the request") { !server.requests.isEmpty }
        #expect(isAlive(process))
        try home.write([], to: sign)
        try await eventually("the end of the process", within: .seconds(20)) { !isAlive(process) }
    }

    /// Whether a process is there that is more than a status for whoever waits for it.
    private func isAlive(_ process: pid_t) -> Bool {
        let bytes = try? Descriptor.openForReading(FilePath("/proc/\(process)/stat"))
            .read(upTo: 1000)
        let state = String(decoding: bytes ?? [], as: UTF8.self).split(separator: ")").last?
            .split(separator: " ").first
        return state != nil && state != "Z" && state != "X"
    }

    @Test func `S2.29 cancelling ends the process at once`() async throws {
        let server = try await WebServer.start(in: home)
        let fetcher = try fetcher(server)
        let start = ContinuousClock.now
        let fetch = Task { await problem(fetcher, server.uri("silent")) }
        try await eventually("the request") { !server.requests.isEmpty }
        fetch.cancel()
        #expect(await fetch.value == .cancelled)
        #expect(start.duration(to: .now) < .seconds(3))
        let early = Task { await problem(fetcher, server.uri("file/picture.jpg")) }
        early.cancel()
        #expect(await early.value == .cancelled)
    }

    @Test func `a proxy is used, and is not asked for what is private`() async throws {
        let server = try await WebServer.start(in: home)
        // It connects whomever it is asked for with the server, and notes what it was asked for.
        let script = """
            import socket, sys, threading
            listener = socket.create_server(('127.0.0.1', 0))
            print(listener.getsockname()[1], flush=True)
            def copy(a, b):
                while data := a.recv(65536):
                    b.sendall(data)
            while True:
                client, _ = listener.accept()
                head = b''
                while b'\\r\\n\\r\\n' not in head:
                    head += client.recv(4096)
                print(head.split(b'\\r\\n')[0].decode(), flush=True)
                target = socket.create_connection(('127.0.0.2', int(sys.argv[1])))
                client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')
                for pair in [(client, target), (target, client)]:
                    threading.Thread(target=copy, args=pair, daemon=True).start()
            """
        let proxy = try ChildProcess(
            "/usr/bin/python3", ["-c", script, "\(server.port)"], environment: home.environment,
            scratch: home.scratch)
        let port = try await eventually("the proxy: \(proxy.errorText)") {
            proxy.outputLines.first.flatMap { UInt16($0) }
        }
        let routes = Routes(
            .proxy(
                uri: "http://127.0.0.1:\(port)", host: "127.0.0.1", port: port,
                addresses: [[127, 0, 0, 1]]))
        let fetcher = try fetcher(server, routes)
        let name = "pictures.example:\(server.port)"
        #expect(await problem(fetcher, "https://\(name)/file/picture.jpg") == nil)
        #expect(proxy.outputLines.dropFirst() == ["CONNECT \(name) HTTP/1.1"])
        for host in ["localhost", "printer", "nas.local", "10.0.0.1", "[::1]", "127.1"] {
            #expect(await problem(fetcher, "https://\(host)/a.jpg") == .forbidden, "\(host)")
        }
        #expect(proxy.outputLines.count == 2)
    }
}
