// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// One operation of `PerformChanges`, as it is on the bus: a name and its options.
package typealias ChangeOperation = Pair<String, Vardict>

/// The operations of a change set, checked for all that can be checked without the library.
package struct ChangeSet: Hashable, Sendable {
    /// The most operations of one set.
    package static let mostOperations = 1000
    /// The most ids in all operations of one set.
    package static let mostIDs = 10_000

    package private(set) var changes: [LibraryChange] = []

    /// Reads the operations of a call; unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the operation,
    ///   the key, the expected value and the value received; `NotFound` for a text that can be no id.
    package init(_ operations: [ChangeOperation]) throws(DBusError) {
        guard (1...Self.mostOperations).contains(operations.count) else {
            throw PortalError.invalidArgument(
                "Expected 1 to \(Self.mostOperations) changes, got \(operations.count)")
        }
        var names: [String: Int] = [:]
        var ids = 0
        for (index, operation) in operations.enumerated() {
            let (name, options) = (operation.first, operation.second)
            do throws(DBusError) {
                let change = try Self.change(name, options, names)
                ids += change.assets.count
                guard ids <= Self.mostIDs else {
                    throw PortalError.invalidArgument(
                        "Expected at most \(Self.mostIDs) ids in all changes")
                }
                changes.append(change)
                guard let placeholder = try options.decoded("placeholder", .placeholder) else {
                    continue
                }
                guard change.makesAlbum else {
                    throw PortalError.invalidArgument("Option 'placeholder' has nothing to name")
                }
                guard names.updateValue(index, forKey: placeholder) == nil else {
                    throw PortalError.invalidArgument(
                        "Option 'placeholder': '\(placeholder)' is the name of an earlier change")
                }
            } catch {
                throw error.inChange(index)
            }
        }
    }

    private enum Kind: String, CaseIterable {
        case createAlbum = "create-album"
        case ensureAlbum = "ensure-album"
        case renameAlbum = "rename-album"
        case deleteAlbum = "delete-album"
        case insertAssets = "insert-assets"
        case removeAssets = "remove-assets"
        case setFavorite = "set-favorite"
    }

    private static func change(
        _ name: String, _ options: Vardict, _ placeholders: [String: Int]
    ) throws(DBusError) -> LibraryChange {
        func target() throws(DBusError) -> LibraryChange.Target {
            let text = try options.required("album", .albumReference)
            guard text.hasPrefix("@") else {
                return .album(try LibraryQuery.album(text))
            }
            guard let index = placeholders[String(text.dropFirst())] else {
                throw PortalError.invalidArgument(
                    "Option 'album': no earlier change has the placeholder '\(text.dropFirst())'")
            }
            return .made(by: index)
        }
        switch Kind(rawValue: name) {
        case .createAlbum:
            return .createAlbum(title: try options.required("title", .title))
        case .ensureAlbum:
            return .ensureAlbum(title: try options.required("title", .title))
        case .renameAlbum:
            return .renameAlbum(try target(), title: try options.required("title", .title))
        case .deleteAlbum:
            return .deleteAlbum(try target())
        case .insertAssets:
            return .insert(
                try options.assets(), into: try target(),
                index: try options.decoded("index", .count))
        case .removeAssets:
            return .remove(try options.assets(), from: try target())
        case .setFavorite:
            return .setFavorite(try options.assets(), try options.required("favorite", .flag))
        case nil:
            let known = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw PortalError.invalidArgument(
                "Expected one of \(known), got '\(name.printable.prefix(64))'")
        }
    }
}

extension LibraryChange {
    fileprivate var makesAlbum: Bool {
        switch self {
        case .createAlbum, .ensureAlbum: true
        default: false
        }
    }
}

extension DBusError {
    /// The error, with the position of a change at its beginning.
    package func inChange(_ index: Int) -> DBusError {
        DBusError(name: name, message: "Change \(index): \(message)")
    }
}

extension Vardict {
    /// The value of an option that must not be omitted.
    fileprivate func required<Content>(
        _ key: String, _ coding: OptionCoding<Content>
    ) throws(DBusError) -> Content {
        guard let value = try decoded(key, coding) else {
            throw PortalError.invalidArgument("Option '\(key)' is missing")
        }
        return value
    }

    /// The ids of photos in the option `assets`.
    fileprivate func assets() throws(DBusError) -> [AssetID] {
        var ids: [AssetID] = []
        for text in try required("assets", .idTexts) {
            guard let id = AssetID(text) else {
                throw PortalError.notFound("There is no photo '\(text.printable.prefix(64))'")
            }
            ids.append(id)
        }
        return ids
    }
}

extension OptionCoding where Value == String {
    /// The title of an album.
    fileprivate static var title: OptionCoding {
        OptionCoding(
            decode: { text throws(Expectation) in
                guard (1...1024).contains(text.utf8.count), text.count <= 256,
                    text.printable == text,
                    text.unicodeScalars.contains(where: { !$0.properties.isWhitespace })
                else {
                    throw Expectation(
                        "1 to 256 characters in one line, without control characters,")
                }
                return text
            }, encode: { $0 })
    }

    /// The id of an album, or `@` and a placeholder.
    fileprivate static var albumReference: OptionCoding {
        OptionCoding(decode: { $0 }, encode: { $0 })
    }
}

extension OptionCoding where Value == String {
    /// The name of what a change makes.
    fileprivate static var placeholder: OptionCoding {
        OptionCoding(
            decode: { text throws(Expectation) in
                guard text.utf8.count <= 64, HandleToken(text) != nil else {
                    throw Expectation("1 to 64 of [A-Za-z0-9_]")
                }
                return text
            }, encode: { $0 })
    }
}

extension OptionCoding where Value == [String] {
    fileprivate static var idTexts: OptionCoding {
        OptionCoding(
            decode: { texts throws(Expectation) in
                guard texts.count <= ChangeSet.mostIDs else {
                    throw Expectation("at most \(ChangeSet.mostIDs) elements")
                }
                return texts
            }, encode: { $0 })
    }
}
