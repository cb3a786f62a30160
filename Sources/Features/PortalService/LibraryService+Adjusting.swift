// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

extension LibraryService {
    /// Copies the adjusted versions of a set into the library's own folder.
    ///
    /// - Parameter turn: The turn of the app, which goes on as long as a disk holds one of the files.
    /// - Throws: ``DBusError`` that names the position of the change; then none of them is kept.
    func receive(
        versionsOf set: ChangeSet, of caller: Caller, _ environment: Environment, _ turn: Turn
    ) async throws(DBusError) -> [AdjustmentDraft] {
        let intake = PhotoIntake(
            store: environment.store, roots: environment.roots, decoders: environment.decoders,
            nameKey: environment.ids.nameKey)
        var drafts: [AdjustmentDraft] = []
        for (position, change) in set.changes.enumerated() {
            guard case .setAdjustment(let photo, let index) = change,
                set.versions.indices.contains(index)
            else { continue }
            let version = set.versions[index]
            do throws(IntakeError) {
                drafts.append(
                    try await intake.receive(
                        version.file, adjusting: await name(of: photo, environment), version.data,
                        for: caller.party.description, during: turn))
            } catch {
                await environment.store.discard(drafts)
                logger.info(
                    "A file is no version of a photo.",
                    metadata: ["app": "\(caller.appID)", "error": "\(error)"])
                throw error.forApp.inChange(position)
            }
        }
        return drafts
    }

    /// The name of a photo's file, for that of its adjusted version; the change set finds out whether the
    /// photo is there.
    private func name(
        of photo: LibraryChange.Photo, _ environment: Environment
    ) async -> String {
        guard case .asset(let id) = photo else { return "" }
        return (try? await environment.library.listed([id], in: .everything))?.first?.name ?? ""
    }
}
