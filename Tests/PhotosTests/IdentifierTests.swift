// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct IdentifierTests {
    @Test func `an asset id is written the way it was read`() throws {
        let text = "00ff1234567890abcdef00000000beef"
        let id = try #require(AssetID(text))
        #expect(id.description == text)
        #expect(AssetID(bytes: id.bytes) == id)
    }

    @Test(arguments: [
        "", "0", "00FF1234567890ABCDEF00000000BEEF", "00ff1234567890abcdef00000000bee",
        "00ff1234567890abcdef00000000beef0", "00ff1234567890abcdef00000000beeg",
        "+0ff1234567890abcdef00000000beef", "００ff1234567890abcdef000000beef",
    ])
    func `an asset id needs 32 lower-case hexadecimal digits`(text: String) {
        #expect(AssetID(text) == nil)
    }

    @Test func `an asset id needs exactly 16 bytes`() {
        #expect(AssetID(bytes: [UInt8](repeating: 0, count: 15)) == nil)
        #expect(AssetID(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    }

    @Test(arguments: ["", "All", "a b", "../x", "ü", String(repeating: "a", count: 65)])
    func `invalid album ids are rejected`(text: String) {
        #expect(AlbumID(text) == nil)
    }

    @Test(arguments: ["all", "recent", "folder-0123456789abcdef"])
    func `valid album ids are accepted`(text: String) {
        #expect(AlbumID(text)?.rawValue == text)
    }
}
