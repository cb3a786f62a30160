// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The versions of the photos that one window has shown.
///
/// A photo that was chosen keeps the version that the person saw then, even if its thumbnail is
/// loaded again later from another file.
@UIActor
final class ShownVersions {
    private var shown: [AssetID: FileVersion] = [:]
    private var chosen: [AssetID: FileVersion] = [:]

    /// Notes the file from which the picture of a photo was made.
    func note(_ version: FileVersion, of id: AssetID) {
        shown[id] = version
    }

    /// The photos whose pictures were shown.
    var ids: [AssetID] { Array(shown.keys) }

    /// Whether a picture was made from another file than this one; not if there is no picture.
    func isOther(_ version: FileVersion, of id: AssetID) -> Bool {
        shown[id].map { $0 != version } ?? false
    }

    /// Forgets what a photo looked like.
    func forget(_ id: AssetID) {
        shown[id] = nil
        chosen[id] = nil
    }

    /// Keeps the versions of the photos that are chosen now.
    func keep(_ ids: [AssetID]) {
        guard ids.count != chosen.count || ids.contains(where: { chosen[$0] == nil }) else {
            return
        }
        var kept: [AssetID: FileVersion] = [:]
        for id in ids { kept[id] = chosen[id] ?? shown[id] }
        chosen = kept
    }

    /// The version of a photo that the person saw; nil if its picture was never on the screen.
    func version(of id: AssetID) -> FileVersion? { chosen[id] ?? shown[id] }
}
