// SPDX-License-Identifier: MIT

internal import Foundation

extension UserData {
    /// Reads a file, and leaves out what is not of the form of this version.
    ///
    /// - Returns: What could be read, and whether that is everything.
    /// - Throws: `DecodingError` if it is no JSON object.
    static func reading(_ text: Data) throws -> (data: UserData, isComplete: Bool) {
        let file = try JSONDecoder().decode(Lenient.self, from: text)
        var data = UserData()
        data.albums = file.albums.values
        data.favorites = file.favorites.values
        data.given = file.given.values
        data.edited = file.edited.values
        data.adjusted = file.adjusted.values.isEmpty ? nil : file.adjusted.values
        return (data, file.isComplete && file.version == data.version)
    }

    /// The file with its values that are valid.
    private struct Lenient: Decodable {
        let version: Int?
        let albums: ValidElements<Album>
        let favorites: ValidElements<String>
        let given: ValidValues<Gifts>
        let edited: ValidValues<String>
        let adjusted: ValidElements<Adjusted>
        let isComplete: Bool

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case version, albums, favorites, given, edited, adjusted
        }

        private struct AnyKey: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: PartlyDecodable>(_ key: CodingKeys) -> Value {
                guard values.contains(key) else { return Value() }
                return (try? values.decode(Value.self, forKey: key)) ?? Value(isComplete: false)
            }
            version = try? values.decode(Int.self, forKey: .version)
            albums = value(.albums)
            favorites = value(.favorites)
            given = value(.given)
            edited = value(.edited)
            adjusted = value(.adjusted)
            let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
            isComplete =
                [
                    albums.isComplete, favorites.isComplete, given.isComplete, edited.isComplete,
                    adjusted.isComplete,
                ].allSatisfy(\.self)
                && Set(keys).isSubset(of: CodingKeys.allCases.map(\.stringValue))
        }
    }
}

/// A collection whose valid values can be read although others are not.
private protocol PartlyDecodable: Decodable {
    init(isComplete: Bool)
}

extension PartlyDecodable {
    fileprivate init() { self.init(isComplete: true) }
}

/// The valid elements of an array.
private struct ValidElements<Element: Decodable>: PartlyDecodable {
    private(set) var values: [Element] = []
    private(set) var isComplete: Bool

    init(isComplete: Bool) { self.isComplete = isComplete }

    init(from decoder: any Decoder) throws {
        let elements = try decoder.singleValueContainer().decode([Valid<Element>].self)
        values = elements.compactMap(\.value)
        isComplete = values.count == elements.count
    }
}

/// The valid values of an object.
private struct ValidValues<Value: Decodable>: PartlyDecodable {
    private(set) var values: [String: Value] = [:]
    private(set) var isComplete: Bool

    init(isComplete: Bool) { self.isComplete = isComplete }

    init(from decoder: any Decoder) throws {
        let all = try decoder.singleValueContainer().decode([String: Valid<Value>].self)
        values = all.compactMapValues(\.value)
        isComplete = values.count == all.count
    }
}

/// A value, if it is valid.
private struct Valid<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
