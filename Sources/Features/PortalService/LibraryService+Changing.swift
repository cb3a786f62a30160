// SPDX-License-Identifier: MIT

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
        let turn = try await turn(of: visitor)
        defer { withExtendedLifetime(turn) {} }
        let changes = try await Self.changes(call.input.values, of: visitor.names)
        do {
            let results = try await environment.store.perform(changes)
            return Arguments(results.map { $0.vardict(for: visitor.names) })
        } catch {
            switch error {
            case .refused(let index, let reason):
                throw reason.error(for: visitor).inChange(index)
            case .library(let error):
                throw PortalError.failed("The library cannot be changed: \(error)")
            }
        }
    }

    /// Reads operations away from the bus, because ten thousand ids take a while.
    @concurrent
    private static func changes(
        _ operations: [ChangeOperation], of names: AppAliases
    ) async throws(DBusError) -> [LibraryChange] {
        try ChangeSet(operations).changes.map {
            $0.mapping({ names.asset($0) }, { names.album($0) })
        }
    }
}

extension LibraryChangeError.Reason {
    fileprivate func error(for visitor: Visitor) -> DBusError {
        switch self {
        case .noAlbum: PortalError.notFound("There is no such album")
        case .noAsset(let id):
            PortalError.notFound("There is no photo '\(visitor.names.alias(of: id))'")
        case .notFilledByPeople:
            PortalError.invalidArgument("The album follows from files or from a rule")
        case .noPosition(let count):
            PortalError.invalidArgument("Expected 0 to \(count) for option 'index'")
        case .tooManyAlbums(let most):
            DBusError(name: .limitsExceeded, message: "There are \(most) albums already")
        case .tooManyPhotos(let most):
            DBusError(name: .limitsExceeded, message: "An album has at most \(most) photos")
        }
    }
}

extension LibraryChangeResult {
    fileprivate func vardict(for names: AppAliases) -> Vardict {
        var vardict: Vardict = ["count": UInt32(clamping: count).variant]
        if let album {
            vardict["album"] = names.alias(of: album).rawValue.variant
            vardict["created"] = isNew.variant
        }
        return vardict
    }
}
