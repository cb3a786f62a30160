// SPDX-License-Identifier: MIT

/// Recognizes a keyword of a tree that means places in general, and below which there are others:
/// `Places`, `France`, `Paris`.
struct XMPKeywords {
    /// How programs write a tree: by namespace, the property with a keyword, and the one with the
    /// keywords below it.
    ///
    /// - Source: Metadata Working Group, “Guidelines for Handling Image Metadata” 2.0, 5.11; ExifTool's
    ///   table `XMP::ics`.
    private static let trees: [String: (keyword: String, others: String)] = [
        "http://www.metadataworkinggroup.com/schemas/keywords": ("Keyword", "Children"),
        "http://ns.idimager.com/ics/1.0": ("LabelName", "SubLabels"),
    ]

    private var isRoot = false
    private var hasOthers = false

    /// Whether an element is the root of a tree of places.
    var isPlace: Bool { isRoot && hasOthers }

    /// Takes note of a property of an element.
    mutating func note(_ name: String, in namespace: String?, _ value: ArraySlice<UInt8>) {
        guard let tree = namespace.flatMap({ Self.trees[$0] }) else { return }
        if name == tree.others { hasOthers = true }
        if name == tree.keyword, PlaceCode.isRoot(XMPTexts.unescaped(value).utf8) { isRoot = true }
    }
}
