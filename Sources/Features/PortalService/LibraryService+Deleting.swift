// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage

extension LibraryService {
    func deleteAssets(
        _ call: IncomingCall<Arguments<String, [String], Vardict>>
    ) async throws(DBusError) -> Arguments<ObjectPath> {
        let (visitor, environment) = try await open(call.sender)
        guard visitor.view == .everything else {
            throw PortalError.notAllowed(
                "The person lets this app see some photos, but change nothing")
        }
        let (parentWindow, ids, options) = call.input.values
        try CallText.check(parentWindow, named: "parent_window")
        var question = try DeletionAnswer.request(
            of: visitor.caller.appID, parentWindow: parentWindow, ids, options)
        question.photos = question.photos.map { visitor.names.asset($0) }
        // What the person is asked about must be there.
        let photos = try await reading(for: visitor) { [question] () async throws(LibraryError) in
            var photos = try await environment.library.located(question.photos, .original)
            for role in ResourceRole.allCases where role != .primary {
                let others = try await environment.library.located(
                    question.photos, .original, role)
                for (id, other) in others { photos[id]?.files += other.files }
            }
            return photos
        }
        for id in question.photos where photos[id]?.files.isEmpty ?? true {
            throw PortalError.notFound("There is no photo '\(visitor.names.alias(of: id))'")
        }
        let request = try requests.open(
            try options.handleToken(), of: visitor.caller, nothing: Self.nothingDeleted)
        request.logger.info(
            "Asks to delete photos",
            metadata: ["app": "\(visitor.caller.appID)", "count": "\(question.photos.count)"])
        call.afterReply {
            request.work = Task { [question] in
                await self.run(request, question, photos, visitor.names, environment)
            }
        }
        return Arguments(request.handle)
    }

    private static var nothingDeleted: Vardict { ["deleted": [String]().variant] }

    private func run(
        _ request: OpenRequest, _ question: DeletionRequest,
        _ photos: [AssetID: LocatedAsset], _ names: AppAliases, _ environment: Environment
    ) async {
        do throws(DBusError) {
            guard let turn = await access.windows.take(request.caller.party) else { return }
            let agreed = try await access.consent.confirm(question)
            withExtendedLifetime(turn) {}
            guard agreed else { return request.respond(.cancelled, Self.nothingDeleted) }
        } catch {
            guard !Task.isCancelled else { return }
            request.logger.error(
                "The person could not be asked.", metadata: ["error": "\(error)"])
            request.problem = BackendFailure.message(error)
            return request.respond(.ended, Self.nothingDeleted)
        }
        // The person has agreed; whoever closes the request now only does not hear of it.
        let agreed = question.photos.compactMap { photos[$0] }
        let work = Task { await self.trash(agreed, environment) }
        let outcome = await work.value
        request.problem = outcome.problem
        request.respond(
            outcome.problem == nil ? .success : .ended,
            ["deleted": outcome.deleted.map { names.alias(of: $0).description }.variant])
    }

    private struct Trashing: Sendable {
        var deleted: [AssetID] = []
        /// Why not all are.
        var problem: String?
    }

    /// Moves all files of photos to the trash, until one cannot be moved.
    private func trash(
        _ photos: [LocatedAsset], _ environment: Environment
    ) async -> Trashing {
        var outcome = Trashing()
        var gone: [FilePath] = []
        search: for photo in photos {
            // A photo goes with all its files, or stays.
            if photo.files.count > 1 {
                for file in photo.files where outcome.problem == nil {
                    outcome.problem = await problem(with: file, in: environment.roots)
                }
                guard outcome.problem == nil else { break search }
            }
            for file in photo.files {
                outcome.problem = await trash(file, in: environment.roots)
                guard outcome.problem == nil else { break search }
                gone.append(file.path)
            }
            outcome.deleted.append(photo.asset.id)
        }
        do throws(LibraryError) {
            try await environment.store.noteGone(gone, of: outcome.deleted)
        } catch {
            // The index notices by itself.
            logger.warning("Deleted files could not be noted.", metadata: ["error": "\(error)"])
        }
        return outcome
    }

    /// Moves one file to the trash, if it is still the one that the person was asked about.
    ///
    /// - Returns: Why that is not possible; nil also if the file is gone already.
    private func trash(_ file: LocatedFile, in roots: LibraryRoots) async -> String? {
        let problem = await FileCalls.shared.run(on: file.path, within: .seconds(60)) {
            [logger] _ -> String? in
            if let problem = Self.problem(with: file, in: roots) { return problem }
            do throws(Trash.Failure) {
                try Trash.move(file.path)
                return nil
            } catch {
                guard !error.isMissing else { return nil }
                // The message may contain the path, which is not meant for apps.
                logger.error(
                    "A photo was not moved to the trash.", metadata: ["error": "\(error)"])
                return "A photo cannot be moved to the trash"
            }
        }
        return problem ?? Self.noAnswer
    }

    private static let noAnswer = "The disk of a photo does not answer"

    /// Why a file must not be moved to the trash; nil also if it is gone already.
    private func problem(with file: LocatedFile, in roots: LibraryRoots) async -> String? {
        let problem = await FileCalls.shared.run(on: file.path, within: .seconds(60)) { _ in
            Self.problem(with: file, in: roots)
        }
        return problem ?? Self.noAnswer
    }

    private nonisolated static func problem(with file: LocatedFile, in roots: LibraryRoots)
        -> String?
    {
        do throws(Errno) {
            let opened = try LibraryBounds.open(file.path, in: roots)
            let version = try FileVersion(of: opened)
            return version == file.seen ? nil : "A photo has changed; try again"
        } catch {
            return error == .noSuchFileOrDirectory ? nil : "A photo cannot be read: \(error)"
        }
    }
}
