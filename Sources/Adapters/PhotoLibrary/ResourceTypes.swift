// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The media types of the files of a photo: of the primary one, then of the raw files beside it.
///
/// A row of `albumContent` counts the photos of an album with the same types, so that counts and covers
/// for any filter follow from these rows.
enum ResourceTypes {
    /// The types of a row of `asset`, in one text.
    static let sql = "mediaType || ifnull(',' || rawTypes, '')"

    static func decode(_ text: String) -> [MediaType] {
        // No name of a type contains a comma.
        text.split(separator: ",").compactMap { MediaType(String($0)) }
    }

    /// A condition on the columns of `asset`: whether a photo has a file of one of these types.
    static func condition(
        _ types: [MediaType], raw rawTypes: [MediaType]
    ) -> (text: String, arguments: StatementArguments) {
        let primary = ("mediaType IN (SELECT value FROM json_each(?))", json(types))
        guard !rawTypes.isEmpty else { return (primary.0, [primary.1]) }
        return (
            """
            (\(primary.0) OR rawTypes IS NOT NULL AND EXISTS (
                SELECT 1 FROM json_each(?)
                WHERE instr(',' || rawTypes || ',', ',' || value || ',')))
            """, [primary.1, json(rawTypes)]
        )
    }

    private static func json(_ types: [MediaType]) -> String {
        // No name of a type contains a quotation mark or a backslash.
        "[" + types.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + "]"
    }
}

extension MediaFilter {
    /// The filter as a condition on the columns of `asset`.
    ///
    /// There are few such texts, however many filters there are, so that prepared statements can be kept.
    ///
    /// - Parameter withRaws: Whether a photo is accepted for a raw file beside its picture, too.
    func sql(withRaws: Bool = true) -> (text: String, arguments: StatementArguments) {
        let (images, videos, others) = families
        // The library has nothing else, and an index may answer the rest.
        if images, videos { return ("TRUE", []) }
        var parts: [String] = []
        if images { parts.append("mediaType LIKE 'image/%'") }
        if videos { parts.append("mediaType LIKE 'video/%'") }
        guard !others.isEmpty || parts.isEmpty else {
            return ("(\(parts.joined(separator: " OR ")))", [])
        }
        let types = ResourceTypes.condition(others, raw: withRaws ? acceptedRawTypes : [])
        parts.append(types.text)
        return ("(\(parts.joined(separator: " OR ")))", types.arguments)
    }
}
