// SPDX-License-Identifier: MIT

/// Which properties of XMP are kept when the location is removed.
enum XMPNames {
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns"

    /// Whether a property says where a picture was made, or may say so because nobody knows it.
    ///
    /// - Parameters:
    ///   - name: The name without its prefix.
    ///   - namespace: As ``normalized(_:)`` returns it; nil if the packet does not define it.
    ///   - isStrict: Whether only properties that are needed to show the picture are kept.
    static func tellsPlace(
        _ name: String, in namespace: String?, isStrict: Bool
    ) -> Bool {
        guard let namespace else { return true }
        if structure.contains(namespace) { return false }
        let isKnown = appearance.contains(namespace) || !isStrict && harmless.contains(namespace)
        guard isKnown, !drones.contains(namespace) || ofDrones.contains(name) else { return true }
        return isPlace(name.lowercased()) || namesCoordinate(name)
    }

    /// Whether a name in capitals and small letters contains a short word for a coordinate:
    /// `LRFTargetLat`.
    private static func namesCoordinate(_ name: String) -> Bool {
        let letters = Array(name.utf8)
        return ["Lat", "Lon", "Lng", "Alt"].contains { word in
            letters.indices.contains { index in
                guard index > 0, letters[index...].starts(with: word.utf8) else { return false }
                let end = index + word.utf8.count
                // Elsewhere, “Alt” stands for an alternative.
                if end == letters.count { return true }
                return word != "Alt" && !(0x61...0x7A).contains(letters[end])
            }
        }
    }

    /// Whether a key of words with other characters between them names a place.
    static func isPlace(key: some Sequence<UInt8>) -> Bool {
        String(decoding: Array(key), as: UTF8.self).lowercased()
            .split { "_-. :".contains($0) }.contains { isPlace(String($0)) }
    }

    /// Whether the value of a property is a text that somebody wrote freely, or the name of something.
    static func isText(_ name: String, in namespace: String?) -> Bool {
        guard let namespace else { return false }
        return texts.contains(namespace)
            || ["Name", "Path", "URL", "URI"].contains(where: name.hasSuffix)
    }

    /// Titles, descriptions, keywords and comments.
    private static let texts: Set<String> = [
        "http://purl.org/dc/elements/1.1", "http://purl.org/dc/terms",
        "http://ns.adobe.com/photoshop/1.0", "http://ns.adobe.com/exif/1.0",
        "http://cipa.jp/exif/1.0", "http://ns.adobe.com/tiff/1.0", "http://ns.adobe.com/xap/1.0",
        "http://ns.adobe.com/xap/1.0/rights", "http://ns.adobe.com/lightroom/1.0",
        "http://ns.adobe.com/png/1.0", "http://ns.adobe.com/pdf/1.3",
        "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns",
        "http://iptc.org/std/Iptc4xmpExt/2008-02-29", "http://ns.acdsee.com/iptc/1.0",
        "http://ns.microsoft.com/photo/1.0", "http://www.digikam.org/ns/1.0",
        "http://ns.iview-multimedia.com/mediapro/1.0",
        "http://ns.microsoft.com/expressionmedia/1.0",
        "http://ns.adobe.com/xmp/1.0/DynamicMedia", "http://ns.adobe.com/xap/1.0/mm",
        "http://ns.adobe.com/xap/1.0/bj", "http://ns.adobe.com/xap/1.0/PLUS",
        "http://ns.adobe.com/xap/1.0/sType/Job", "http://ns.adobe.com/xap/1.0/sType/ManifestItem",
        "http://ns.adobe.com/xap/1.0/sType/ResourceEvent",
        "http://ns.adobe.com/xap/1.0/sType/ResourceRef",
        "http://ns.adobe.com/xap/1.0/sType/Version", "http://ns.adobe.com/xmp/note",
        "http://ns.adobe.com/album/1.0", "http://ns.adobe.com/creatorAtom/1.0",
        "http://ns.adobe.com/pdfx/1.3", "http://ns.adobe.com/illustrator/1.0",
        "http://creativecommons.org/ns", "http://web.resource.org/cc",
        "http://ns.attribution.com/ads/1.0", "http://ns.camerabits.com/photomechanic/1.0",
        "http://ns.extensis.com/extensis/1.0", "http://ns.fastpictureviewer.com/fpv/1.0",
        "http://ns.idimager.com/ics/1.0", "http://ns.microsoft.com/photo/1.1",
        "http://ns.optimasc.com/dex/1.0", "http://ns.useplus.org/ldf/xmp/1.0",
        "http://prismstandard.org/namespaces/basic/2.0",
        "http://prismstandard.org/namespaces/pmi/2.2",
        "http://prismstandard.org/namespaces/prismusagerights/2.1",
        "http://prismstandard.org/namespaces/prl/2.1",
        "http://prismstandard.org/namespaces/prm/3.0", "http://www.digikam.org/ns/kipi/1.0",
        "http://www.gimp.org/xmp", "http://www.metadataworkinggroup.com/schemas/collections",
        "http://www.metadataworkinggroup.com/schemas/keywords",
        "http://www.metadataworkinggroup.com/schemas/regions",
        "http://xmp.gettyimages.com/gift/1.0",
    ]

    /// The name of a namespace, without the slash or hash at its end, which programs confuse.
    static func normalized(_ uri: ArraySlice<UInt8>) -> String {
        var uri = uri
        while let last = uri.last, [UInt8(ascii: "/"), UInt8(ascii: "#")].contains(last) {
            uri.removeLast()
        }
        return String(decoding: uri, as: UTF8.self)
    }

    /// Whether a name, in lower case, is that of a place, a position, or something opaque.
    static func isPlace(_ name: String) -> Bool {
        if exceptions.contains(name) { return false }
        return words.contains(name) || parts.contains { name.contains($0) }
    }

    /// Names that contain a word for a place, but mean a part of the picture or a setting.
    private static let exceptions: Set<String> = ["subjectlocation", "borderlocation"]

    private static let parts = [
        "gps", "latitude", "longitude", "longtitude", "altitude", "location", "locality",
        "coordinate", "georef", "geodetic", "geograph", "geotag", "geoloc", "geohash", "geojson",
        "georss",
        // Encrypted by the camera.
        "makernote", "shot_log",
    ]

    private static let words: Set<String> = [
        "city", "state", "country", "countrycode", "countryname", "countryregion", "province",
        "provincestate", "stateprovince", "worldregion", "municipality", "county", "island",
        "islandgroup", "continent", "waterbody", "footprintwkt", "footprintsrs", "place",
        "placename", "lat", "lon", "long", "lng", "lat_long", "lat_lon", "venue", "address",
        "coverage", "spatial", "landmark", "wgs84",
    ]

    /// The namespaces of DJI's drones, and their properties that tell no place.
    ///
    /// - Source: ExifTool's table `DJI::XMP`; DJI, “Image metadata of enterprise drones”.
    private static let drones: Set<String> = [
        "http://ns.dji.com/drone-dji/1.0", "http://www.dji.com/drone-dji/1.0",
    ]
    private static let ofDrones: Set<String> = [
        "CalibratedFocalLength", "CalibratedOpticalCenterX", "CalibratedOpticalCenterY",
        "CamReverse", "CameraSerialNumber", "CaptureUUID", "DewarpData", "DewarpFlag",
        "DewarpHFlag", "DroneModel", "DroneSerialNumber", "FlightPitchDegree",
        "FlightRollDegree", "FlightXSpeed", "FlightYSpeed", "FlightYawDegree", "FlightZSpeed",
        "GimbalPitchDegree", "GimbalReverse", "GimbalRollDegree", "GimbalYawDegree",
        "ImageSource", "LRFStatus", "LRFTargetDistance", "PictureQuality", "ProductName", "RtkFlag",
        "SelfData", "SensorFPS",
        "SensorID", "SensorTemperature", "ShutterCount", "ShutterType", "SurveyingMode",
        "UTCAtExposure", "Version", "WhiteBalanceCCT",
    ]

    /// Whether most properties of a namespace are numbers that describe a camera or a picture.
    static func isNumeric(_ namespace: String?) -> Bool {
        guard let namespace else { return false }
        return appearance.contains(namespace) || drones.contains(namespace)
            || namespace.hasSuffix("pix4d.com/camera/1.0")
    }

    /// Whether a namespace is that of the structure of a packet.
    static func isStructure(_ namespace: String?) -> Bool {
        namespace.map(structure.contains) ?? false
    }

    /// The structure of a packet.
    private static let structure: Set<String> = [
        rdf, "adobe:ns:meta", "http://www.w3.org/XML/1998/namespace",
        "http://www.w3.org/2000/01/rdf-schema", "http://ns.adobe.com/iX/1.0",
    ]

    /// Gain maps, panoramas, depth, and which pictures a file contains.
    private static let appearance: Set<String> = [
        "http://ns.adobe.com/hdr-gain-map/1.0", "http://ns.adobe.com/hdr-metadata/1.0",
        "http://ns.apple.com/HDRGainMap/1.0", "http://ns.apple.com/HDRToneMap/1.0",
        "http://ns.apple.com/pixeldatainfo/1.0", "http://ns.apple.com/depthData/1.0",
        "http://ns.apple.com/ToneMap/1.0", "http://ns.apple.com/semanticmatte/1.0",
        "http://ns.google.com/photos/1.0/container",
        "http://ns.google.com/photos/1.0/container/item",
        "http://ns.google.com/photos/1.0/camera", "http://ns.google.com/photos/1.0/panorama",
        "http://ns.google.com/videos/1.0/spherical", "http://ns.google.com/photos/1.0/depthmap",
        "http://ns.google.com/photos/1.0/focus", "http://ns.google.com/photos/1.0/creations",
        "http://ns.google.com/photos/dd/1.0/container", "http://ns.google.com/photos/dd/1.0/item",
        "http://ns.google.com/photos/dd/1.0/device", "http://ns.google.com/photos/dd/1.0/profile",
        "http://ns.google.com/photos/dd/1.0/camera", "http://ns.google.com/photos/dd/1.0/image",
        "http://ns.google.com/photos/dd/1.0/depthmap", "http://ns.google.com/photos/dd/1.0/pose",
        "http://ns.google.com/photos/dd/1.0/plane", "http://ns.google.com/photos/dd/1.0/appinfo",
        "http://ns.google.com/photos/dd/1.0/earthpose", "http://ns.adobe.com/tiff/1.0",
    ]

    /// Namespaces whose properties are known.
    ///
    /// - Source: those that ExifTool 12.57 knows, except `cell`, which names radio cells, and
    ///   `dwc`, whose places are structures.
    private static let harmless: Set<String> = [
        "http://creativecommons.org/ns", "http://web.resource.org/cc",
        "http://cipa.jp/exif/1.0",
        "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns",
        "http://iptc.org/std/Iptc4xmpExt/2008-02-29", "http://ns.acdsee.com/iptc/1.0",
        "http://ns.acdsee.com/regions", "http://ns.acdsee.com/sType/Area",
        "http://ns.adobe.com/DICOM", "http://ns.adobe.com/album/1.0",
        "http://ns.adobe.com/camera-raw-defaults/1.0",
        "http://ns.adobe.com/camera-raw-embedded-lens-profile/1.0",
        "http://ns.adobe.com/camera-raw-saved-settings/1.0",
        "http://ns.adobe.com/camera-raw-settings/1.0", "http://ns.adobe.com/creatorAtom/1.0",
        "http://ns.adobe.com/exif/1.0", "http://ns.adobe.com/exif/1.0/aux",
        "http://ns.adobe.com/lightroom/1.0", "http://ns.adobe.com/pdf/1.3",
        "http://ns.adobe.com/pdfx/1.3", "http://ns.adobe.com/photoshop/1.0",
        "http://ns.adobe.com/photoshop/1.0/camera-profile", "http://ns.adobe.com/png/1.0",
        "http://ns.adobe.com/swf/1.0", "http://ns.adobe.com/xap/1.0",
        "http://ns.adobe.com/xap/1.0/PLUS", "http://ns.adobe.com/xap/1.0/bj",
        "http://ns.adobe.com/xap/1.0/g", "http://ns.adobe.com/xap/1.0/g/img",
        "http://ns.adobe.com/xap/1.0/mm", "http://ns.adobe.com/xap/1.0/rights",
        "http://ns.adobe.com/xap/1.0/sType/Dimensions", "http://ns.adobe.com/xap/1.0/sType/Font",
        "http://ns.adobe.com/xap/1.0/sType/Job", "http://ns.adobe.com/xap/1.0/sType/ManifestItem",
        "http://ns.adobe.com/xap/1.0/sType/ResourceEvent",
        "http://ns.adobe.com/xap/1.0/sType/ResourceRef",
        "http://ns.adobe.com/xap/1.0/sType/Version", "http://ns.adobe.com/xap/1.0/t/pg",
        "http://ns.adobe.com/xmp/1.0/DynamicMedia", "http://ns.adobe.com/xmp/Identifier/qual/1.0",
        "http://ns.adobe.com/xmp/note", "http://ns.adobe.com/xmp/sType/Area",
        "http://ns.adobe.com/xmp/InstanceID", "http://ns.adobe.com/xmp/wav/1.0",
        "http://ns.apple.com/adjustment-settings/1.0", "http://ns.apple.com/faceinfo/1.0",
        "http://ns.apple.com/faceInfo/1.0", "http://ns.attribution.com/ads/1.0",
        "http://ns.dji.com/drone-dji/1.0", "http://www.dji.com/drone-dji/1.0",
        "http://ns.exiftool.ca/1.0", "http://ns.exiftool.org/1.0",
        "http://ns.extensis.com/extensis/1.0", "http://ns.fastpictureviewer.com/fpv/1.0",
        "http://ns.camerabits.com/photomechanic/1.0", "http://ns.google.com/photos/1.0/audio",
        "http://ns.google.com/photos/1.0/image", "http://ns.idimager.com/ics/1.0",
        "http://ns.iview-multimedia.com/mediapro/1.0", "http://ns.leiainc.com/photos/1.0/image",
        "http://ns.microsoft.com/expressionmedia/1.0", "http://ns.microsoft.com/photo/1.0",
        "http://ns.microsoft.com/photo/1.1", "http://ns.microsoft.com/photo/1.2",
        "http://ns.microsoft.com/photo/1.2/t/Region",
        "http://ns.microsoft.com/photo/1.2/t/RegionInfo", "http://ns.nikon.com/asteroid/1.0",
        "http://ns.nikon.com/nine/1.0", "http://ns.nikon.com/sdc/1.0",
        "http://ns.optimasc.com/dex/1.0", "http://ns.useplus.org/ldf/xmp/1.0",
        "http://pix4d.com/camera/1.0", "http://www.pix4d.com/camera/1.0",
        "http://prismstandard.org/namespaces/basic/2.0",
        "http://prismstandard.org/namespaces/pmi/2.2",
        "http://prismstandard.org/namespaces/prismusagerights/2.1",
        "http://prismstandard.org/namespaces/prl/2.1",
        "http://prismstandard.org/namespaces/prm/3.0",
        "http://purl.org/dc/elements/1.1", "http://purl.org/dc/terms",
        "http://www.digikam.org/ns/1.0", "http://www.digikam.org/ns/kipi/1.0",
        "http://www.gimp.org/xmp", "http://www.metadataworkinggroup.com/schemas/collections",
        "http://www.metadataworkinggroup.com/schemas/keywords",
        "http://www.metadataworkinggroup.com/schemas/regions", "http://www.w3.org/2000/svg",
        "http://www.inkscape.org/namespaces/inkscape",
        "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd", "http://www.w3.org/1999/xlink",
        "http://xmp.gettyimages.com/gift/1.0",
        "http://ns.adobe.com/illustrator/1.0",
    ]
}
