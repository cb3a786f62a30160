// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The reply of a backend on the bus.
package enum BackendAnswer {
    /// The reply to a backend call.
    package static func encode(_ outcome: PickOutcome) -> Arguments<UInt32, Vardict> {
        switch outcome {
        case .picked(let items, let grants):
            Arguments(
                ResponseCode.success.rawValue,
                [
                    "selection": items.map(\.vardict).variant,
                    "persistent": grants.contains(.persistent).variant,
                    "writable": grants.contains(.writable).variant,
                    "include_location": grants.contains(.location).variant,
                ])
        case .cancelled: Arguments(ResponseCode.cancelled.rawValue, [:])
        case .ended: Arguments(ResponseCode.ended.rawValue, [:])
        }
    }

    /// Reads and validates a reply; backends are not trusted.
    ///
    /// - Parameters:
    ///   - options: The options of the request. Nothing is granted that they do not ask for.
    ///   - limits: The numbers of photos that are allowed; nil for those of the options.
    /// - Throws: ``Garbage`` if the reply is not valid.
    package static func decode(
        _ reply: Arguments<UInt32, Vardict>, to options: PickOptions,
        within limits: [CountLimits]? = nil
    ) throws(Garbage) -> PickOutcome {
        let (code, results) = reply.values
        switch ResponseCode(code) {
        case .cancelled: return .cancelled
        case .ended: return .ended
        case .success: break
        }
        guard let selection = results.value("selection", as: [Vardict].self) else {
            throw Garbage("success without 'selection' of type 'aa{sv}'")
        }
        guard (limits ?? [options.count]).contains(where: { $0.allows(selection.count) }) else {
            throw Garbage("a selection of \(selection.count)")
        }
        return .picked(
            try items(selection, options),
            granting: options.wishes.intersection(try grants(results)))
    }

    /// What a backend says of a choice that is not final.
    package static func encode(choice items: [PickedItem]) -> Vardict {
        ["selection": items.map(\.named.vardict).variant]
    }

    /// Reads and validates a choice that is not final; backends are not trusted.
    ///
    /// - Parameter limits: The numbers of photos that are allowed; fewer may have been chosen so far.
    /// - Throws: ``Garbage`` if it is not valid.
    package static func decode(
        choice results: Vardict, to options: PickOptions, within limits: [CountLimits]
    ) throws(Garbage) -> [PickedItem] {
        guard let selection = results.value("selection", as: [Vardict].self) else {
            throw Garbage("a choice without 'selection' of type 'aa{sv}'")
        }
        guard limits.contains(where: { selection.count <= $0.capacity }) else {
            throw Garbage("a choice of \(selection.count)")
        }
        let names = selection.map { item in item.filter { PickedItem.naming.contains($0.key) } }
        return try items(names, options)
    }

    private static func items(
        _ selection: [Vardict], _ options: PickOptions
    ) throws(Garbage) -> [PickedItem] {
        var items: [PickedItem] = []
        for vardict in selection {
            guard let item = PickedItem(vardict) else { throw Garbage("a malformed item") }
            guard options.sources?.contains(item.source) ?? true else {
                throw Garbage("an item from '\(item.source.rawValue)', which was not asked for")
            }
            items.append(item)
        }
        return items
    }

    private static func grants(_ results: Vardict) throws(Garbage) -> Grants {
        var grants = Grants.none
        for (key, grant) in [
            ("persistent", Grants.persistent), ("writable", .writable),
            ("include_location", .location),
        ] {
            guard let value = results[key] else { continue }
            guard let isGranted = Bool(value) else { throw Garbage("'\(key)' not of type 'b'") }
            if isGranted { grants.insert(grant) }
        }
        return grants
    }

    /// Why the reply of a backend is not valid.
    package struct Garbage: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension PickedItem {
    /// The keys that say which photo it is, and nothing of how it is delivered.
    fileprivate static let naming: Set = ["id", "uri", "source"]

    /// The photo, without how it is delivered.
    fileprivate var named: PickedItem { PickedItem(reference, from: source) }

    fileprivate var vardict: Vardict {
        var vardict: Vardict = ["source": source.rawValue.variant]
        switch reference {
        case .asset(let id): vardict["id"] = id.description.variant
        case .uri(let uri): vardict["uri"] = uri.variant
        }
        vardict["version"] = version?.variant
        vardict.write(clip, rotation, isClipTouched)
        return vardict
    }

    /// Nil unless the item has either `id` or `uri`, a known `source`, and no `clip`, `turn`, `angle` or
    /// `version` of a wrong type or value.
    fileprivate init?(_ vardict: Vardict) {
        guard let name = vardict.value("source", as: String.self),
            let source = Source(rawValue: name)
        else { return nil }
        switch (vardict.value("id", as: String.self), vardict.value("uri", as: String.self)) {
        case (let id?, nil):
            guard let id = AssetID(id) else { return nil }
            self.init(.asset(id), from: source)
        case (nil, let uri?):
            guard source != .library else { return nil }
            self.init(.uri(uri), from: source)
        default: return nil
        }
        if let value = vardict["version"] {
            guard let version = FileVersion(value) else { return nil }
            self.version = version
        }
        guard let rotation = vardict.rotation else { return nil }
        self.rotation = rotation
        if let value = vardict["clip"] {
            guard let clip = PixelRectangle(value) else { return nil }
            self.clip = clip
        }
        isClipTouched = vardict.value("clip_touched") ?? false
    }
}
