// SPDX-License-Identifier: MIT

import Testing

@testable import Web

/// Where a URI leads.
@Suite struct WebPlaceTests {
    @Test(
        arguments: [
            ("https://example.org/a.jpg", "example.org", 443),
            ("HTTPS://Example.org:8443/a?b#c", "Example.org", 8443),
            ("https://[2001:db8::1]:99/", "2001:db8::1", 99),
            // Whatever programs take for an address is one.
            ("https://0x7f.1/", "127.0.0.1", 443), ("https://2130706433/", "127.0.0.1", 443),
            ("https://017700000001/", "127.0.0.1", 443),
        ] as [(String, String, UInt16)])
    func `host and port are read`(uri: String, host: String, port: UInt16) throws {
        let place = try #require(WebPlace(uri))
        #expect(place.host == host)
        #expect(place.port == port)
    }

    @Test(
        arguments: [
            "", "example.org", "http://example.org/", "ftp://example.org/", "file:///etc/passwd",
            "https://", "https://user@example.org/",
            "https://user:word@example.org/", "https://example.org:0/",
            "https://example.org:99999/", "https://[fe80::1%25eth0]/", "https://exa mple.org/",
            "data:image/png;base64,AA==", "https://-example.org/", "https://-/",
            "https://+example.org/",
        ])
    func `any other URI is refused`(uri: String) {
        #expect(WebPlace(uri) == nil)
    }

    @Test(
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("a.localhost", true), ("printer", true),
            ("printer.local", true), ("nas.home.arpa", true), ("db.internal", true),
            ("127.0.0.1", true), ("[::1]", true), ("[::ffff:10.0.0.1]", true),
            ("169.254.169.254", true), ("localhost.", true), ("10.0.0.1.", true),
            ("a.localhost.", true), ("nas.home.arpa.", true), ("a.localdomain", true),
            ("nas.home", true), ("wiki.corp", true), ("a.1", true), ("example.017", true),
            ("a.0x7F", true), ("a.0x", true), ("example.org.", false), ("1.1.1.1.", false),
            ("a.example1", false), ("a.0xorg", false), ("example.org", false),
            ("1.1.1.1", false), ("localhost.example.org", false), ("home.arpa.example", false),
        ])
    func `what a proxy must not be asked for is known by its name`(
        host: String, isPrivate: Bool
    ) throws {
        #expect(try #require(WebPlace("https://\(host)/a.jpg")).isPrivate == isPrivate)
    }
}
