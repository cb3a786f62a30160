// SPDX-License-Identifier: MIT

import Photos
import SDBus

extension Vardict {
    /// Writes what a person made of a photo; nothing if they left it as it is.
    mutating func write(_ clip: PixelRectangle?, _ rotation: Rotation, _ isTouched: Bool) {
        self["clip"] = clip?.variant
        if rotation.quarters != 0 { self["turn"] = UInt32(rotation.turn).variant }
        if rotation.hundredths != 0 { self["angle"] = rotation.degrees.variant }
        if clip != nil || rotation != .none { self["clip_touched"] = isTouched.variant }
    }

    /// How a photo was turned; nil if `turn` or `angle` has a wrong type or value.
    var rotation: Rotation? {
        var (turn, angle) = (UInt32(0), 0.0)
        if let value = self["turn"] {
            guard let given = UInt32(value) else { return nil }
            turn = given
        }
        if let value = self["angle"] {
            guard let given = Double(value) else { return nil }
            angle = given
        }
        return Rotation(turn: Int(turn), angle: angle)
    }
}
