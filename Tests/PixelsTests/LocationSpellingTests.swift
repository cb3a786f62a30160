// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport
import Testing

@testable import Pixels

/// Places in texts, as people and programs spell them.
@Suite struct LocationSpellingTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    // MARK: - Texts

    @Test(arguments: [
        "lat=48.86;lon=2.29", "lat 48.86, lon 2.29", "Latitud: 48.86, Longitud: 2.29",
        "lat: 48 51 30 lon: 2 17 40", "Breitengrad 48.858, L\u{E4}ngengrad: 2.294",
        "BREITENGRAD 48,86 L\u{C4}NGENGRAD 2,29", "lat/lon: 48.86, 2.29", "latlng=48.86,2.29",
        "{\"lat\": 48.86, \"alt\": 35, \"lng\": 2.29}", "<lat>48.86</lat><lon>2.29</lon>",
        "48.86 lat, 2.29 lon", "lon: 122.42 lat: 37.77", "37.77 lat 122.42 long",
        "\"coordinates\":[2.29,48.86]", "lat. 48,86 long. 2,29", "Lat: 48.86\u{B0} Lon: 2.29\u{B0}",
    ])
    func `a latitude and a longitude with names are a place with few decimals`(text: String) {
        expectPlace(text)
    }

    @Test(arguments: [
        "48.86\u{B0}, 2.29\u{B0}", "48.86\u{BA} / -2.29\u{BA}", "48.86 deg, 2.29 deg",
        "POINT(2.29 48.86)", "SRID=4326;POINT Z (2.29 48.86 35)",
        "POLYGON((2.29 48.86, 2.3 48.86, 2.3 48.87))",
    ])
    func `numbers with marks of positions are a place with few decimals`(text: String) {
        expectPlace(text)
    }

    @Test(arguments: [
        "北纬39.908度，东经116.397度", "纬度：39.908，经度：116.397", "北纬39度54分26秒 东经116度23分29秒",
        "纬度39.90872，拍摄于北京天安门广场附近，经度116.39748", "北纬48.858°，东经2.294°",
        "緯度48.858 経度2.294", "北緯35度39分31秒、東経139度44分44秒", "위도 37.566, 경도 126.978",
        "북위 37.566도 동경 126.978도", "широта 55.752, долгота 37.617",
        "55.752° с. ш. 37.617° в. д.", "٤٨٫٨٥٨٤, ٢٫٢٩٤٥", "خط العرض 48.858 خط الطول 2.294",
        "अक्षांश 28.613, देशांतर 77.209", "４８．８５８４，２．２９４５", "48·8584, 2·2945",
        "48.858°\u{202F}N 2.294°\u{202F}E", "48.858\u{2009}°\u{A0}N, 2.294\u{2009}°\u{A0}E",
        "📍48.858 🧭2.294", "48\u{200B}.8584, 2\u{200B}.2945",
    ])
    func `a position in any script is a place`(text: String) {
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [Array(text.utf8), little, big, Array("UNICODE\0".utf8) + little] {
            #expect(PlaceText.tellsPosition(bytes))
            #expect(PlaceText.describesPlace(bytes))
        }
    }

    @Test(arguments: [
        "48 degrees 51 minutes 30 seconds north, 2 degrees 17 minutes 40 seconds east",
        "48 degrés 51 minutes 30 secondes nord, 2 degrés 17 minutes 40 secondes est",
        "48 Grad 51 Minuten 30 Sekunden nördlicher Breite",
        "48,86 Grad nördlicher Breite und 2,29 Grad östlicher Länge",
        "48 grados 51 minutos norte, 2 grados 17 minutos este",
        "48 gradi 51 minuti nord, 2 gradi 17 minuti est", "48.86 degrees north, 2.29 degrees east",
        "55 градусов 45 минут северной широты",
    ])
    func `a position in words is a place`(text: String) {
        expectPlace(text)
    }

    @Test(arguments: [
        "2 degrees warmer in the east", "Turn by 30 degrees, 5 minutes later by 10", "北京 2024年5月3日",
        "第39度 高速公路116公里", "气温 39.9度，湿度 116.3", "東京タワー 333メートル", "северный 55.7, 37.6",
        "широта души", "The north at 40 degrees and the south at 35.5 degrees", "No. 5 · 2024 · 48",
        "45 degrees north of boring", "3.5 m north, 2.5 m east of the door", "体温38度5分",
        "今天38度15分钟后下雨", "烤箱180度 20分钟", "오븐에서 180도 15분 굽기", "８分咲き 35度9分咲き",
        "Bei 180 Grad 45 Minuten backen, West-Küche", "180 degrees 20 minutes est.",
        "Horno a 180 grados 25 minutos este pastel", "Температура −5 градусов, 10 минут на север",
        "Rotate 90 degrees 5 minutes 10 seconds, South side",
        "15.5 Grad im Norden, 20.5 Grad im Osten",
        "Temperature 21.5 degrees North wing, 23.5 degrees East wing",
        "38.5 Grad Fieber, 2.5 Grad weniger im Osten",
        "５月３日 １０時３０分", "晚上8度半", "٣ مايو ٢٠٢٤", "rotated 12.5 degrees, then 30.2 degrees",

    ])
    func `ordinary captions in any language are no place`(text: String) {
        #expect(!PlaceText.describesPlace(Array(text.utf8)))
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(!PlaceText.describesPlace(wide))
    }

    @Test(arguments: [
        "48&deg;51&#39;30&quot;N 2&deg;17&#39;40&quot;E", "48&#176;51&#x2032; N",
        "48&amp;deg;51&amp;#39;30&amp;quot;N", "48.8584&#44; 2.2945",
    ])
    func `a place with the references of a page is a place`(text: String) {
        expectPlace(text)
    }

    @Test(arguments: [
        "https://www.google.de/maps/place/Eiffel+Tower", "https://google.com.au/maps/@1",
        "https://www.google.com/maps/place/x", "https://maps.google.fr/?q=x",
        "https://wego.here.com/?map=48.86,2.29", "https://www.bing.com/maps?cp=1",
    ])
    func `a link to a map in any country is a place`(text: String) {
        expectPlace(text)
    }

    @Test(arguments: [
        "plate 48.86, belong 2.29", "slat 48.86 along 2.29", "12.5, 30.2 cm", "24-70mm f/2.8",
        "Breite: 12.5 cm, L\u{E4}nge: 30.2 cm", "the latest 48.86, the longest 2.29",
        "a flat of 48.86 m2, 2.29 m high", "lat 48, long 2", "lat 98.5, lon 2.5",
        "translation 48.86 2.29", "12.5\u{B0}, 30.2\u{B0}", "21.55 \u{B0}C, 25.30 \u{B0}C",
        "70.15\u{B0}F, 75.20\u{B0}F", "turned by 12.55\u{B0}, 30.25\u{B0}, 45.10\u{B0}",
        "point (1, 2)", "a point (see 2.29)", "focal point 2.29 48.86", "coordinates 12, 30",
        "1/250 s at f/2.8, 85.0 mm", "long 2.5 km, 48.86 s", "Rhythm & Blues; 12.50, 30.20",
        "https://www.google.com/search?q=maps", "google. Maps are nice", "100% 12.50; 30.20",
    ])
    func `ordinary captions with numbers are no place`(text: String) {
        for bytes in Self.encodings(of: text) { #expect(!PlaceText.describesPlace(bytes)) }
        #expect(!LocationScan.findsCoordinates(text.utf8))
    }

    @Test func `the code of a comment does not hide the word behind it`() {
        #expect(PlaceText.describesPlace(Array("ASCII\0\0\0lat=48.86;lon=2.29".utf8)))
        let wide: [UInt8] = "lat=48.86;lon=2.29".utf8.flatMap { [$0, 0] }
        #expect(PlaceText.describesPlace(Array("UNICODE\0".utf8) + wide))
        #expect(!PlaceText.describesPlace(Array("ASCII\0\0\0plate 48.86, long 2.29".utf8)))
    }

    @Test func `as few texts as possible belong to a position`() {
        func telling(_ texts: String...) -> Set<Int> {
            PlaceParts.tellingPosition(texts.map { Array($0.utf8) })
        }
        #expect(telling("tower", "lat=48.8584", "summer", "lon=2.2945") == [1, 3])
        #expect(telling("48.8584", "2.2945", "tower") == [0, 1])
        #expect(telling("N 48.8584", "E 2.2945", "S 22.9", "W 43.2") == [0, 1, 2, 3])
        #expect(telling("tower", "summer", "f/2.8", "1.5") == [])
        let many = (0..<100).map { "tower \($0)" } + ["48.8584", "2.2945"]
        #expect(PlaceParts.tellingPosition(many.map { Array($0.utf8) }).isSuperset(of: [100, 101]))
    }

    // MARK: - Files

    @Test func `a latitude and a longitude that are two keywords of IPTC are removed`() throws {
        let facts = try cleaned([
            "-IPTC:Keywords=tower", "-IPTC:Keywords=lat=48.8584", "-IPTC:Keywords=lon=2.2945",
            "-IPTC:Keywords=summer",
        ])
        #expect(facts.contains("Keywords: [tower,summer]"), "\(facts)")
    }

    @Test(arguments: ["IPTC:Caption-Abstract", "XMP-dc:Description", "XMP-photoshop:Headline"])
    func `a word for a place with a value is removed from every text`(name: String) throws {
        let facts = try cleaned([
            "-\(name)=Location: Paris", "-IPTC:Keywords=tower", "-XMP-dc:Title=Summer",
        ])
        #expect(!facts.contains { $0.contains("Paris") }, "\(facts)")
        #expect(facts.contains("Keywords: tower") && facts.contains("Title: Summer"))
    }

    @Test(arguments: [
        "IPTC:Caption-Abstract", "IPTC:Keywords", "XMP-dc:Description", "XMP-dc:Subject",
    ])
    func `a word for a place without a value stays in every text`(name: String) throws {
        try tag(["-\(name)=A nice location for lunch, found without a GPS"])
        #expect(try LocationTests.cleaned(bytes()) == nil)
    }

    private static let dji = "xmlns:d=\"http://ns.dji.com/drone-dji/1.0/\""
    private static let packets = [
        ("rdf:about=\"48.8584, 2.2945\"", ""), ("xmlns:q=\"urn:48.8584,2.2945\"", ""),
        (
            "xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\"",
            "<crs:RawFileName>48.8584,2.2945.dng</crs:RawFileName>"
        ),
        (dji, "<d:Note>48.8584, 2.2945</d:Note>"), ("\(dji) d:Note=\"48.8584, 2.2945\"", ""),
        (
            "",
            "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-48.8584-2.2945\">a</rdf:li></rdf:Alt></dc:title>"
        ),
    ]

    @Test(arguments: packets)
    func `a place in the structure or the names of a packet is removed`(
        attributes: String, content: String
    ) throws {
        let packet =
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
            + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            + "dc:format=\"image/jpeg\" \(attributes)>\(content)</rdf:Description></rdf:RDF>"
            + "</x:xmpmeta>"
        let places = try #require(XMPLocation.places(in: Array(packet.utf8)[...]))
        var cleaned = Array(packet.utf8)
        for range in places {
            for index in range { cleaned[index] = 0x20 }
        }
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(!text.contains("48.8584"), "\(text)")
        #expect(text.contains("dc:format=\"image/jpeg\""), "\(text)")
        #expect(XMPLocation.places(in: cleaned[...]) == [])
    }

    private static let settings = [
        "http://ns.adobe.com/camera-raw-settings/1.0/", "http://ns.adobe.com/exif/1.0/aux/",
        "http://ns.adobe.com/xmp/wav/1.0/", "http://ns.google.com/photos/1.0/camera/",
        "http://ns.nikon.com/asteroid/1.0/", "http://pix4d.com/camera/1.0/",
    ]

    private static func packet(_ namespace: String, _ value: String, isElement: Bool) -> String {
        let property = isElement ? ">\n<q:Setting>\(value)</q:Setting>" : " q:Setting=\"\(value)\">"
        return "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\" xmlns:q=\"\(namespace)\"\(property)"
            + "</rdf:Description></rdf:RDF>"
    }

    @Test(
        arguments: settings,
        ["48° 51' 30.24&quot; N, 2° 17' 40.2&quot; E", "at 48.8584, 2.2945", "N 48.8584 E 2.2945"])
    func `a place in a setting is removed`(namespace: String, value: String) throws {
        for isElement in [false, true] {
            let packet = Self.packet(namespace, value, isElement: isElement)
            let places = try #require(XMPLocation.places(in: Array(packet.utf8)[...]))
            #expect(places.count == 1)
        }
    }

    @Test(
        arguments: settings,
        [
            "0.456789 0.123456", "d 0.456789 0.123456", "0.500000, 0.500000", "24/1 105/1 0/0 0/0",
            "centerX = 0.296330, centerY = 0.435120, radius = 0.016042, sourceState = auto",
            "EF24-105mm f/4L IS USM", "N 50mm f/1.8", "15.3", "+0.35", "255, 255", "As Shot",
        ])
    func `a setting that is no place stays`(namespace: String, value: String) {
        for isElement in [false, true] {
            let packet = Self.packet(namespace, value, isElement: isElement)
            #expect(XMPLocation.places(in: Array(packet.utf8)[...]) == [])
        }
    }

    /// The optics of cameras on drones.
    @Test(arguments: ["3.70045,2.77508", "2.40178,1.81156", "1665.2345,0.0,0.0,1665.2345"])
    func `two numbers of a calibration stay`(value: String) {
        let packet = Self.packet(Self.settings[5], value, isElement: true)
        #expect(XMPLocation.places(in: Array(packet.utf8)[...]) == [])
    }

    @Test func `what a drone's camera knows stays`() throws {
        let packet =
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"DJI Meta Data\" \(Self.dji) "
            + "d:DewarpData=\"2018-09-04;3666.66,3672.01,-0.268652,0.114663,0.000015\" "
            + "d:GimbalYawDegree=\"+12.30\"/></rdf:RDF>"
        #expect(XMPLocation.places(in: Array(packet.utf8)[...]) == [])
    }

    /// What costs the square of its length would take minutes.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "с.ш. ", "0", "1.", "1,", "48°", "48° ", "48°51'", "4.85 deg", "٤", "４", "n", "n 4.8 ",
            "4.8 n ", "4 degrees ", "lat", "lat ", "latitude ", "gps ", "gps", "geo:", "location",
            "point(", "point ", " ", "\n", "°", "2+", "+", "<", "<categories>", ">", "\"", "=",
            "http://",
            "maps.", "@4", "&lat=", "&#", "&#48;", "北纬", "四", "度", "u", "\\u", "%", "%30", "\0",
            "4\0",
            "\u{AD}", "4\u{200B}", "е", "1e", "-", "--4", "/", "4/", ":", "4:", "4:5:6 ", "$gpgga",
            "q=",
        ])
    func `a long text of the same words is read in time`(word: String) {
        let text = Array(String(repeating: word, count: 1_000_000 / word.utf8.count).utf8)
        let isFound = PlaceText.describesPlace(text + Array(" 北纬39.908度，东经116.397度 ".utf8))
        #expect(isFound)
    }

    @Test func `two words for places that are two keywords stay`() throws {
        try tag(["-XMP-dc:Subject=a location", "-XMP-dc:Subject=summer", "-XMP-dc:Subject=gps"])
        #expect(try LocationTests.cleaned(bytes()) == nil)
    }

    @Test func `a tree of keywords below places is removed`() throws {
        let categories = { (root: String) in
            "<Categories><Category Assigned=\"0\">\(root)<Category Assigned=\"1\">Paris</Category>"
                + "</Category></Categories>"
        }
        let facts = try cleaned([
            "-XMP-acdsee:Categories=\(categories("Places"))",
            "-XMP-mwg-kw:KeywordInfo={Hierarchy=[{Keyword=Places,Children=[{Keyword=France,"
                + "Children=[{Keyword=Paris}]}]},{Keyword=People,Children=[{Keyword=Ann}]}]}",
        ])
        #expect(!facts.contains { $0.contains("Paris") || $0.contains("France") }, "\(facts)")
        #expect(facts.contains { $0.contains("People") } && facts.contains { $0.contains("Ann") })
        // Others stay.
        try tag([
            "-XMP-acdsee:Categories=\(categories("Friends of Paris"))",
            "-XMP-mwg-kw:KeywordInfo={Hierarchy=[{Keyword=Places},{Keyword=People,"
                + "Children=[{Keyword=Ann}]}]}",
        ])
        #expect(try LocationTests.cleaned(bytes()) == nil)
    }

    @Test func `a latitude and a longitude in two comments are removed`() throws {
        let picture = try Fixtures.bytes("jpeg/grey.jpg")
        func comment(_ text: String) -> [UInt8] {
            [0xFF, 0xFE, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
        }
        let comments = ["Summer", "N 48.8584", "E 2.2945", "Tower"].map(comment)
        let file = Array(picture.prefix(2) + comments.joined() + picture.dropFirst(2))
        let cleaned = try #require(try LocationTests.cleaned(file))
        #expect(LocationTests.coordinates(in: cleaned) == [])
        for text in ["Summer", "Tower"] {
            #expect(cleaned.firstRange(of: Array(text.utf8)) != nil)
        }
        #expect(try LocationTests.cleaned(cleaned) == nil)
    }

    @Test func `a latitude and a longitude in two texts of Windows are removed`() throws {
        let facts = try cleaned([
            "-XPTitle=48.8584 N", "-XPSubject=2.2945 E", "-XPComment=Tower",
        ])
        #expect(facts.contains("XPComment: Tower"), "\(facts)")
        #expect(!facts.contains { $0.contains("XPTitle") || $0.contains("XPSubject") })
    }

    @Test func `a latitude and a longitude in two texts of a PNG file are removed`() throws {
        var file = try Fixtures.bytes("png/rgb.png")
        for text in ["Comment\0N 48.8584", "Title\0Summer", "Description\0E 2.2945"] {
            // Nobody checks the sum of a text.
            let chunk =
                LocationTests.big(text.utf8.count) + Array("tEXt\(text)".utf8)
                + LocationTests.big(0)
            file.insert(contentsOf: chunk, at: 33)
        }
        let cleaned = try #require(try LocationTests.cleaned(file))
        #expect(LocationTests.coordinates(in: cleaned) == [])
        #expect(cleaned.firstRange(of: Array("Title\0Summer".utf8)) != nil)
        #expect(try LocationTests.cleaned(cleaned) == nil)
    }

    // MARK: - Helpers

    private var photo: FilePath { home.scratch.appending("photo.jpg") }

    private func bytes() throws -> [UInt8] {
        Array(try Descriptor.openForReading(photo).read(upTo: 1 << 20))
    }

    /// Makes a photo with metadata.
    private func tag(_ tags: [String]) throws {
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        try ExifTool.run(["-q", "-overwrite_original"] + tags + [photo.string])
    }

    /// What ExifTool reads of a photo with metadata after its location has been removed, and nothing
    /// else.
    private func cleaned(_ tags: [String]) throws -> [String] {
        try tag(tags)
        let cleaned = try #require(try LocationTests.cleaned(bytes()), "nothing was removed")
        #expect(try LocationTests.cleaned(cleaned) == nil, "something was left to remove")
        #expect(LocationTests.coordinates(in: cleaned) == [])
        try home.write(cleaned, to: photo)
        let output = String(
            decoding: try ExifTool.run(["-s2", "-struct", photo.string]), as: UTF8.self)
        return output.split(separator: "\n").map(String.init)
    }

    /// A text as UTF-8, Latin-1 and UTF-16, where it can be written so.
    private static func encodings(of text: String) -> [[UInt8]] {
        let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        guard latin.count == text.unicodeScalars.count else { return [Array(text.utf8)] }
        return [Array(text.utf8), latin, latin.flatMap { [$0, 0] }, latin.flatMap { [0, $0] }]
    }

    private func expectPlace(_ text: String, location: SourceLocation = #_sourceLocation) {
        for bytes in Self.encodings(of: text) {
            #expect(PlaceText.tellsPosition(bytes), sourceLocation: location)
            #expect(PlaceText.describesPlace(bytes), sourceLocation: location)
        }
    }
}
