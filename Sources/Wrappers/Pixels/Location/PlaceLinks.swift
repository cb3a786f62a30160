// SPDX-License-Identifier: MIT

/// Recognizes links to a place on a map.
enum PlaceLinks {
    private static let links = [
        "maps.google", "goo.gl/maps", "maps.app.goo.gl", "maps.apple.com", "openstreetmap.org",
        "opentopomap.org", "osm.org/", "what3words.com", "w3w.co/", "wego.here.com",
        "share.here.com", "maps.here.com", "bing.com/maps", "maps.yandex", "map.baidu.com",
        "waze.com/", "mapy.cz", "mapy.com", "plus.codes/", "omaps.app", "osmand.net/map",
        "uri.amap.com",
    ].map { Array($0.utf8) }

    /// Companies that have a page of maps in the domain of each country: `google.de/maps`.
    private static let companies = ["google.", "yandex."].map { Array($0.utf8) }
    private static let page = Array("/maps".utf8)
    /// The longest ending of a domain: `com.au`.
    private static let longestEnding = 8

    /// Whether a text in lower case contains one.
    static func isFound(in text: [UInt8]) -> Bool {
        links.contains { text[...].firstIndex(of: $0, from: 0) != nil }
            || companies.contains { hasPage(of: $0, text) }
    }

    private static func hasPage(of company: [UInt8], _ text: [UInt8]) -> Bool {
        var position = 0
        while let start = text[...].firstIndex(of: company, from: position) {
            position = start + company.count
            let ending = text[position...].prefix(longestEnding).prefix {
                (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".")
            }
            if !ending.isEmpty, text[ending.endIndex...].starts(with: page) { return true }
        }
        return false
    }
}
