// SPDX-License-Identifier: MIT

package import Files
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
    /// The most files of one set.
    package static let mostFiles = 50
    /// The most bytes of the data of all adjustments of one set.
    package static let mostData = 49_152

    /// The adjusted version of a photo.
    package struct AdjustedVersion: Hashable, Sendable {
        package let file: Descriptor
        package let data: AdjustmentData
    }

    package private(set) var changes: [LibraryChange] = []
    /// The files of the photos that it adds.
    package private(set) var files: [Descriptor] = []
    /// The versions that it gives photos.
    package private(set) var versions: [AdjustedVersion] = []

    /// Reads the operations of a call; unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the operation,
    ///   the key, the expected value and the value received; `NotFound` for a text that can be no id.
    package init(_ operations: [ChangeOperation]) throws(DBusError) {
        guard (1...Self.mostOperations).contains(operations.count) else {
            throw PortalError.invalidArgument(
                "Expected 1 to \(Self.mostOperations) changes, got \(operations.count)")
        }
        var names = Placeholders()
        var ids = 0
        for (index, operation) in operations.enumerated() {
            let (name, options) = (operation.first, operation.second)
            do throws(DBusError) {
                let change = try change(name, options, names)
                ids += change.photos.count
                guard ids <= Self.mostIDs else {
                    throw PortalError.invalidArgument(
                        "Expected at most \(Self.mostIDs) ids in all changes")
                }
                changes.append(change)
                guard let placeholder = try options.decoded("placeholder", .placeholder) else {
                    continue
                }
                guard let kind = change.makes else {
                    throw PortalError.invalidArgument("Option 'placeholder' has nothing to name")
                }
                guard names.all.updateValue((index, kind), forKey: placeholder) == nil else {
                    throw PortalError.invalidArgument(
                        "Option 'placeholder': '\(placeholder)' is the name of an earlier change")
                }
            } catch {
                throw error.inChange(index)
            }
        }
    }

    private enum Kind: String, CaseIterable {
        case createAsset = "create-asset"
        case createAlbum = "create-album"
        case ensureAlbum = "ensure-album"
        case renameAlbum = "rename-album"
        case deleteAlbum = "delete-album"
        case insertAssets = "insert-assets"
        case removeAssets = "remove-assets"
        case setFavorite = "set-favorite"
        case setAdjustment = "set-adjustment"
        case revertAdjustment = "revert-adjustment"
    }

    private mutating func change(
        _ name: String, _ options: Vardict, _ names: Placeholders
    ) throws(DBusError) -> LibraryChange {
        func album() throws(DBusError) -> LibraryChange.Target {
            try names.album(try options.required("album", .reference))
        }
        func photos() throws(DBusError) -> [LibraryChange.Photo] {
            try names.photos(try options.required("assets", .idTexts))
        }
        switch Kind(rawValue: name) {
        case .createAsset:
            files.append(try options.required("file", .file))
            try checkTotals()
            return .createAsset(file: files.count - 1)
        case .createAlbum:
            return .createAlbum(title: try options.required("title", .title))
        case .ensureAlbum:
            return .ensureAlbum(title: try options.required("title", .title))
        case .renameAlbum:
            return .renameAlbum(try album(), title: try options.required("title", .title))
        case .deleteAlbum:
            return .deleteAlbum(try album())
        case .insertAssets:
            return .insert(
                try photos(), into: try album(), index: try options.decoded("index", .count))
        case .removeAssets:
            return .remove(try photos(), from: try album())
        case .setFavorite:
            return .setFavorite(try photos(), try options.required("favorite", .flag))
        case .setAdjustment:
            let photo = try names.photo(try options.required("asset", .reference))
            versions.append(
                AdjustedVersion(
                    file: try options.required("file", .file),
                    data: AdjustmentData(
                        format: try options.required("format", .formatName),
                        version: try options.required("version", .formatName),
                        data: try options.decoded("data", .adjustmentData) ?? [])))
            try checkTotals()
            return .setAdjustment(photo, version: versions.count - 1)
        case .revertAdjustment:
            return .revertAdjustment(try photos())
        case nil:
            let known = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw PortalError.invalidArgument(
                "Expected one of \(known), got '\(name.excerpt)'")
        }
    }
}

extension ChangeSet {
    /// The same changes of other photos and albums.
    package func mapping(
        _ assets: (AssetID) -> AssetID, _ albums: (AlbumID) -> AlbumID
    ) -> ChangeSet {
        var mapped = self
        mapped.changes = changes.map { $0.mapping(assets, albums) }
        return mapped
    }

    /// Makes sure that the changes together do not take too much.
    private func checkTotals() throws(DBusError) {
        guard files.count + versions.count <= Self.mostFiles else {
            throw PortalError.invalidArgument(
                "Expected at most \(Self.mostFiles) files in all changes")
        }
        guard versions.reduce(0, { $0 + $1.data.data.count }) <= Self.mostData else {
            throw PortalError.invalidArgument(
                "Expected at most \(Self.mostData) bytes of 'data' in all changes")
        }
    }
}

/// The names by which later changes of a set refer to what earlier ones make.
private struct Placeholders {
    enum Kind {
        case photo, album
    }

    var all: [String: (index: Int, kind: Kind)] = [:]

    func album(_ text: String) throws(DBusError) -> LibraryChange.Target {
        guard text.hasPrefix("@") else { return .album(try LibraryQuery.album(text)) }
        return .made(by: try index(text, .album, "album"))
    }

    func photos(_ texts: [String]) throws(DBusError) -> [LibraryChange.Photo] {
        var photos: [LibraryChange.Photo] = []
        for text in texts { photos.append(try photo(text, "assets")) }
        return photos
    }

    func photo(
        _ text: String, _ key: String = "asset"
    ) throws(DBusError) -> LibraryChange.Photo {
        if text.hasPrefix("@") { return .made(by: try index(text, .photo, key)) }
        guard let id = AssetID(text) else {
            throw PortalError.notFound("There is no photo '\(text.excerpt)'")
        }
        return .asset(id)
    }

    private func index(_ text: String, _ kind: Kind, _ key: String) throws(DBusError) -> Int {
        let name = String(text.dropFirst())
        guard let made = all[name] else {
            throw PortalError.invalidArgument(
                "Option '\(key)': no earlier change has the placeholder '\(name.excerpt)'")
        }
        guard made.kind == kind else {
            throw PortalError.invalidArgument(
                "Option '\(key)': '\(name)' is the placeholder of something else")
        }
        return made.index
    }
}

extension LibraryChange {
    /// What a placeholder of the change names; nil if it makes nothing.
    fileprivate var makes: Placeholders.Kind? {
        switch self {
        case .createAsset: .photo
        case .createAlbum, .ensureAlbum: .album
        default: nil
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
}

extension OptionCoding where Value == String {
    /// The title of an album.
    static var title: OptionCoding {
        OptionCoding(
            decode: { text throws(Expectation) in
                guard text.utf8.count <= 1024, text.count <= 256 else {
                    throw Expectation("at most 256 characters and 1024 bytes")
                }
                guard text.printable == text else {
                    throw Expectation("one line without control characters")
                }
                guard !text.isBlank else {
                    throw Expectation("at least one character that can be seen")
                }
                return text
            }, encode: { $0 })
    }

    /// The id of an album, or `@` and a placeholder.
    fileprivate static var reference: OptionCoding {
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

extension OptionCoding where Value == String {
    /// The format of an adjustment, or its version.
    fileprivate static var formatName: OptionCoding {
        OptionCoding(
            decode: { text throws(Expectation) in
                guard (1...255).contains(text.utf8.count), text.printable == text else {
                    throw Expectation(
                        "1 to 255 bytes in one line, without control characters,")
                }
                return text
            }, encode: { $0 })
    }
}

extension OptionCoding where Value == [UInt8] {
    fileprivate static var adjustmentData: OptionCoding {
        OptionCoding(
            decode: { bytes throws(Expectation) in
                guard bytes.count <= AdjustmentData.mostBytes else {
                    throw Expectation("at most \(AdjustmentData.mostBytes) bytes")
                }
                return bytes
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

extension OptionCoding where Value == Descriptor {
    fileprivate static var file: OptionCoding { OptionCoding(decode: { $0 }, encode: { $0 }) }
}
