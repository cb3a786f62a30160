// SPDX-License-Identifier: MIT

import Testing

@testable import Web

/// Which addresses an app may send the person's machine to.
@Suite struct InternetAddressTests {
    @Test(
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
            "127.0.0.1", "127.0.0.2", "127.255.255.255", "169.254.0.1", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
            "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1",
            "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
            "64:ff9b::7f00:1", "64:ff9b::c0a8:1", "64:ff9b:1::808:808", "100::1", "fe80::1",
            "febf::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001::1", "2001:10::1",
            "2001:db8::1", "2002:7f00:1::1", "2002:c0a8:1::1", "3fff::1", "4000::1", "5f00::1",
        ])
    func `an address of this machine, its networks or of no machine is not public`(text: String)
        throws
    {
        #expect(try !#require(InternetAddress(text)).isPublic)
    }

    @Test(
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.1", "169.253.1.1", "172.15.255.255", "172.32.0.0",
            "192.167.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2003::1",
            "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1",
        ])
    func `any other address is public`(text: String) throws {
        let address = try #require(InternetAddress(text))
        #expect(address.isPublic)
        #expect(InternetAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "0x7f.1", "2130706433", "1.2.3.4.5", "fe80::1%eth0", "localhost",
    ])
    func `a text that is no whole address is none`(text: String) {
        #expect(InternetAddress(text) == nil)
    }

    @Test func `an address has 4 or 16 bytes`() {
        #expect(InternetAddress(bytes: [1, 2, 3]) == nil)
        #expect(InternetAddress(bytes: [UInt8](repeating: 0, count: 17)) == nil)
        #expect(InternetAddress(bytes: [1, 2, 3, 4])?.description == "1.2.3.4")
    }
}
