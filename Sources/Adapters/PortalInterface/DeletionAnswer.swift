// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The arguments and the reply of `ConfirmDeletion`, between service and backend.
package enum DeletionAnswer {
    package typealias Input = Arguments<ObjectPath, String, String, [String], Vardict>

    package static func encode(_ request: DeletionRequest, at handle: ObjectPath) -> Input {
        var options: Vardict = [:]
        options["reason"] = request.reason?.variant
        return Input(
            handle, request.appID.rawValue, request.parentWindow,
            request.photos.map(\.description), options)
    }

    /// Reads the arguments of `ConfirmDeletion`.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`, `NotFound` for a text that can be no id.
    package static func decode(_ input: Input) throws(DBusError) -> DeletionRequest {
        let (_, appID, parentWindow, ids, options) = input.values
        return try request(
            of: AppID(vouchedFor: appID), parentWindow: parentWindow, ids, options)
    }

    /// Reads what an app asks for.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`, `NotFound` for a text that can be no id.
    package static func request(
        of appID: AppID, parentWindow: String, _ ids: [String], _ options: Vardict
    ) throws(DBusError) -> DeletionRequest {
        guard (1...DeletionRequest.mostPhotos).contains(ids.count) else {
            throw PortalError.invalidArgument(
                "Expected 1 to \(DeletionRequest.mostPhotos) ids, got \(ids.count)")
        }
        var photos: [AssetID] = []
        var seen: Set<AssetID> = []
        for text in ids {
            guard let id = AssetID(text) else {
                throw PortalError.notFound("There is no photo '\(text.excerpt)'")
            }
            if seen.insert(id).inserted { photos.append(id) }
        }
        return DeletionRequest(
            appID: appID, parentWindow: parentWindow, photos: photos,
            reason: try options.decoded("reason", .text(atMost: PickOption.reasonLength)) ?? nil)
    }
}
