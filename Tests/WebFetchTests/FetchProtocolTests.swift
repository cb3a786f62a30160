// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import SystemPackage
import Testing

@testable import WebFetch

/// The packets of the program that fetches, which a server may have taken over.
@Suite struct FetchProtocolTests {
    @Test func `what is written is read`() throws {
        var freshness = Freshness()
        freshness.lifetime = 60
        freshness.entityTag = "\"1\""
        let file = try MemoryFile.make(named: "web", holding: [1])
        for message in [
            .question(host: "example.org", port: 443), .progress(5, of: 10), .progress(5, of: nil),
            .unchanged(freshness), .failed(.insecure), .fetched(file, freshness),
        ] as [FetchMessage] {
            let (bytes, descriptors) = FetchProtocol.encode(message)
            #expect(try FetchProtocol.decodeMessage(bytes, descriptors) == message)
        }
        let request = FetchRequest(uri: "https://a.example/", entityTag: "\"1\"")
        #expect(try FetchProtocol.decodeRequest(FetchProtocol.encode(request)) == request)
        for route in [
            .none, .direct(addresses: [[1, 2, 3, 4]]),
            .proxy(uri: "http://p:80", host: "p", port: 80, addresses: []),
        ] as [FetchRoute] {
            #expect(try FetchProtocol.decodeRoute(FetchProtocol.encode(route)) == route)
        }
    }

    @Test func `nonsense is refused`() throws {
        let file = try MemoryFile.make(named: "web", holding: [1])
        let open = try Descriptor.openForReading("/dev/zero")
        let (fetched, _) = FetchProtocol.encode(.fetched(file, Freshness()))
        let (question, _) = FetchProtocol.encode(.question(host: "a\nb", port: 443))
        let (empty, _) = FetchProtocol.encode(.question(host: "", port: 443))
        for (bytes, descriptors) in [
            ([], []), ([99], []), ([5, 0], []), ([5, 99], []), ([1], []), (fetched, []),
            (fetched, [open]), (fetched, [file, file]), (fetched + [0], [file]), (question, []),
            (empty, []), (FetchProtocol.encode(.progress(-1, of: nil)).0, []),
            (FetchProtocol.encode(.progress(1 << 40, of: nil)).0, []),
        ] as [([UInt8], [Descriptor])] {
            #expect(throws: PacketError.self, "\(bytes)") {
                try FetchProtocol.decodeMessage(bytes, descriptors)
            }
        }
    }

    @Test func `a file that can still grow is refused`() throws {
        // Neither this nor the seals are imported into Swift.
        typealias Make = @convention(c) (UnsafePointer<CChar>, UInt32) -> CInt
        let make = unsafeBitCast(try #require(dlsym(nil, "memfd_create")), to: Make.self)
        let closeOnExec: UInt32 = 1
        let allowsSealing: UInt32 = 2
        let addSeals: CInt = 1033
        let shrink: CInt = 2
        let grow: CInt = 4
        let write: CInt = 8
        let file = Descriptor(
            owning: FileDescriptor(rawValue: make("web", closeOnExec | allowsSealing)))
        _ = try file.fileDescriptor.writeAll([1])
        let (packet, _) = FetchProtocol.encode(.fetched(file, Freshness()))
        #expect(fcntl(file.rawValue, addSeals, shrink | write) == 0)
        #expect(ftruncate(file.rawValue, 2) == 0)
        #expect(throws: PacketError.self) { try FetchProtocol.decodeMessage(packet, [file]) }
        #expect(throws: (any Error).self) { try MappedMemory(sealed: file) }
        #expect(fcntl(file.rawValue, addSeals, grow) == 0)
        #expect(throws: Never.self) { try FetchProtocol.decodeMessage(packet, [file]) }
    }

    @Test(
        arguments: [
            ("http://proxy.example:3128", "http://proxy.example:3128", "proxy.example", 3128),
            ("http://proxy.example/", "http://proxy.example:80", "proxy.example", 80),
            ("socks://10.0.0.1", "socks5h://10.0.0.1:1080", "10.0.0.1", 1080),
            ("socks5://[::1]:9", "socks5h://[::1]:9", "::1", 9),
        ] as [(String, String, String, UInt16)])
    func `the proxies of the desktop are those of libcurl`(
        text: String, uri: String, host: String, port: UInt16
    ) throws {
        let proxy = try #require(ProxyAddress(text))
        #expect(proxy.uri == uri)
        #expect(proxy.host == host)
        #expect(proxy.port == port)
    }

    @Test(
        arguments: [
            "", "direct://", "ftp://a:1", "http://", "http://a:b", "http://a:99999", "http://a:0",
            "http://user:word@a:1", "socks4://a:1", "http://a b:1", "http://[::1", "//a",
            "https://a:1",
        ])
    func `a proxy of another kind is left out`(text: String) {
        #expect(ProxyAddress(text) == nil)
    }
}
