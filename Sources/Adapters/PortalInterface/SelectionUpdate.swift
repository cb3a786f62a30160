// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// What an app may change of a request while its window is open.
package enum SelectionUpdate {
    /// The least time between two signals about a choice.
    package static let pause = Duration.milliseconds(100)

    /// The options that may change; what the person has read stays as it is.
    private static let keys: Set = ["max_count", "min_count"]

    /// Reads the options of a call of `Update`.
    ///
    /// - Parameter limits: The limits now, for the options that the call leaves out.
    /// - Returns: The new limits.
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` for a wrong value, for limits
    ///   that contradict each other, and for an option that cannot change.
    package static func decode(
        _ options: Vardict, changing limits: CountLimits = .any
    ) throws(DBusError) -> CountLimits {
        var draft = OptionDraft()
        draft.minimum = limits.minimum
        draft.maximum = limits.maximum
        for option in PickOption.all {
            guard let value = options[option.key] else { continue }
            guard keys.contains(option.key) else {
                throw PortalError.invalidArgument(
                    "Option '\(option.key)' cannot change while the window is open")
            }
            try option.decode(value, into: &draft)
        }
        return try draft.count()
    }

    /// The options of a call of a backend.
    package static func encode(_ limits: CountLimits) -> Vardict {
        [
            "max_count": UInt32(clamping: limits.maximum ?? 0).variant,
            "min_count": UInt32(clamping: limits.minimum).variant,
        ]
    }

    /// Reads the ids of a call of `Deselect`; those that are no ids are left out.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` if there are too many, or if
    ///   one is too long.
    package static func photos(_ ids: [String]) throws(DBusError) -> [AssetID] {
        do {
            return try OptionCoding.assets.decode(ids.variant)
        } catch {
            throw PortalError.invalidArgument("Expected \(error.text) for 'ids'")
        }
    }
}

extension CountLimits {
    /// The limits of `PickImages` if an app states none.
    package static var any: CountLimits { CountLimits(minimum: 1, maximum: nil) ?? .one }
}
