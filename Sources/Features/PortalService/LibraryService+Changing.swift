// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

extension LibraryService {
    func performChanges(
        _ call: IncomingCall<Arguments<[ChangeOperation]>>
    ) async throws(DBusError) -> Arguments<[Vardict]> {
        let (visitor, environment) = try await open(call.sender)
        guard visitor.view == .everything else {
            throw PortalError.notAllowed(
                "The person lets this app see some photos, but change nothing")
        }
        let set = try await Self.changeSet(call.input.values, of: visitor.names)
        for file in set.files + set.versions.map(\.file) { PhotoIntake.takeOver(file) }
        let results =
            set.files.isEmpty && set.versions.isEmpty
            ? try await perform(set.changes, for: visitor, environment)
            : try await perform(set, for: visitor, environment)
        withExtendedLifetime(call.descriptors) {}
        return Arguments(
            zip(set.changes, results).map { $1.vardict(after: $0, for: visitor.names) })
    }

    private func perform(
        _ changes: [LibraryChange], for visitor: Visitor, _ environment: Environment
    ) async throws(DBusError) -> [LibraryChangeResult] {
        let turn = try await turn(of: visitor)
        defer { withExtendedLifetime(turn) {} }
        do throws(LibraryChangeError) {
            return try await environment.store.perform(changes)
        } catch {
            throw error.error(for: visitor.names)
        }
    }

    /// Performs a set that adds photos or adjusted versions.
    private func perform(
        _ set: ChangeSet, for visitor: Visitor, _ environment: Environment
    ) async throws(DBusError) -> [LibraryChangeResult] {
        // Its turn to read goes on while files are copied.
        guard let addition = await additions.take(visitor.caller.party) else { throw .cancelled }
        defer { withExtendedLifetime(addition) {} }
        let arrivals = try await receive(set.files, of: visitor.caller, environment, addition) {
            file, error in
            let index = set.changes.firstIndex(of: .createAsset(file: file))
            return index.map { error.inChange($0) } ?? error
        }
        let adjustments: [AdjustmentDraft]
        do throws(DBusError) {
            adjustments = try await receive(
                versionsOf: set, of: visitor.caller, environment, addition)
        } catch {
            await environment.store.discard(arrivals)
            throw error
        }
        let results: [LibraryChangeResult]
        do throws(LibraryChangeError) {
            results = try await environment.store.perform(
                set.changes, adding: arrivals, adjusting: adjustments, in: environment.roots)
        } catch {
            throw error.error(for: visitor.names)
        }
        await note(results, for: visitor.caller, environment)
        return results
    }

    /// Reads operations away from the bus, because ten thousand ids take a while.
    @concurrent
    private static func changeSet(
        _ operations: [ChangeOperation], of names: AppAliases
    ) async throws(DBusError) -> ChangeSet {
        try ChangeSet(operations).mapping({ names.asset($0) }, { names.album($0) })
    }
}

extension LibraryChangeError {
    /// The error that an app gets.
    ///
    /// - Parameter isSet: Whether the app knows the changes by their positions.
    func error(for names: AppAliases, isSet: Bool = true) -> DBusError {
        switch self {
        case .refused(let index, let reason):
            isSet ? reason.error(for: names).inChange(index) : reason.error(for: names)
        case .substitute:
            PortalError.failed(
                "The library cannot be changed until the service is started again, because it "
                    + "could not be written; the disk may have been full")
        case .library(let error): PortalError.failed("The library cannot be changed: \(error)")
        }
    }
}

extension LibraryChangeError.Reason {
    fileprivate func error(for names: AppAliases) -> DBusError {
        switch self {
        case .noAlbum(let id?) where id != .nowhere:
            LibraryQuery.noAlbum(names.alias(of: id).rawValue)
        case .noAlbum: PortalError.notFound("There is no such album")
        case .noAsset(let id?):
            PortalError.notFound("There is no photo '\(names.alias(of: id))'")
        case .noAsset(nil), .interrupted:
            PortalError.failed("The photo could not be added; try again")
        case .notFilledByPeople:
            PortalError.invalidArgument("The album follows from files or from a rule")
        case .noPosition(let index):
            // How many there are could tell whether a file that the set adds equals a photo of the album.
            PortalError.invalidArgument(
                "Expected at most the number of the album's other photos for option 'index', "
                    + "got \(index)")
        case .tooManyAlbums(let most):
            DBusError(name: .limitsExceeded, message: "There are \(most) albums already")
        case .tooManyPhotos(let most):
            DBusError(name: .limitsExceeded, message: "An album has at most \(most) photos")
        case .otherKind:
            PortalError.invalidArgument(
                "A version of a picture is a picture, and one of a video a video")
        }
    }
}

extension LibraryChangeResult {
    fileprivate func vardict(after change: LibraryChange, for names: AppAliases) -> Vardict {
        var vardict: Vardict = ["count": UInt32(clamping: count).variant]
        vardict["asset"] = asset.map { names.alias(of: $0).description.variant }
        if let album {
            vardict["album"] = names.alias(of: album).rawValue.variant
            if change.mayMakeAlbum { vardict["created"] = isNew.variant }
        }
        return vardict
    }
}
