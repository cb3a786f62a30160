// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

extension LibraryService {
    func saveImage(
        _ call: IncomingCall<Arguments<String, Descriptor, Vardict>>
    ) async throws(DBusError) -> Arguments<ObjectPath> {
        let (parentWindow, image, options) = call.input.values
        PhotoIntake.takeOver(image)
        let caller = try await access.identify(call.sender)
        try CallText.check(parentWindow, named: "parent_window")
        let question = try AuthorizationAnswer.request(
            of: caller.appID, parentWindow: parentWindow, AccessLevel.add.rawValue,
            options.filter { $0.key != "remind" })
        let album = try LibraryQuery.albumTitle(options)
        switch try await decision(about: caller, .add) {
        case .denied:
            throw PortalError.notAllowed("The person does not let this app add photos")
        case .restricted:
            throw PortalError.notAllowed("The administrator does not let this app use photos")
        case .notDetermined, .authorized, .limited: break
        }
        // Nobody is asked about what cannot be added. A slow disk is waited for when it is copied.
        do throws(IntakeError) {
            _ = try await PhotoIntake.check(image, within: .seconds(2))
        } catch {
            throw error.forApp
        }
        let request = try requests.open(try options.handleToken(), of: caller, nothing: [:])
        request.logger.info("Adds a photo", metadata: ["app": "\(caller.appID)"])
        call.afterReply {
            request.work = Task {
                await self.run(request, question, saving: image, to: album)
                // Until then it counts for the app.
                withExtendedLifetime(call.descriptors) {}
            }
        }
        return Arguments(request.handle)
    }

    private func run(
        _ request: OpenRequest, _ question: AuthorizationRequest, saving image: Descriptor,
        to album: String?
    ) async {
        do throws(DBusError) {
            guard try await authorize(request.caller, question) == .authorized else {
                return request.respond(.cancelled, [:])
            }
        } catch {
            guard !Task.isCancelled else { return }
            request.logger.error(
                "The person could not be asked.", metadata: ["error": "\(error)"])
            request.problem = BackendFailure.message(error)
            return request.respond(.ended, [:])
        }
        do throws(DBusError) {
            request.respond(.success, try await save(image, to: album, of: request.caller))
        } catch {
            guard !Task.isCancelled else { return }
            request.logger.error("A photo was not added.", metadata: ["error": "\(error)"])
            request.problem = error.message
            request.respond(.ended, [:])
        }
    }

    /// Adds one photo, to the folder of its app, and to the album with a title if there is one.
    private func save(
        _ image: Descriptor, to title: String?, of caller: Caller
    ) async throws(DBusError) -> Vardict {
        guard let environment = await startup.finished() else {
            throw PortalError.failed("The service is ending")
        }
        guard let turn = await additions.take(caller.party) else { throw .cancelled }
        defer { withExtendedLifetime(turn) {} }
        let arrivals = try await receive([image], of: caller, environment, turn)
        let names = environment.ids.names(for: caller.identity)
        let results: [LibraryChangeResult]
        do throws(LibraryChangeError) {
            results = try await environment.store.perform(
                Self.changes(adding: title), adding: arrivals, in: environment.roots)
        } catch {
            throw error.error(for: names, isSet: false)
        }
        guard let asset = results.first?.asset else { throw .failed("The photo was not added") }
        await note(results, for: caller, environment)
        var vardict: Vardict = ["id": names.alias(of: asset).description.variant]
        let album = title == nil ? arrivals.first?.album : results.last?.album
        vardict["album"] = album.map { names.alias(of: $0).rawValue.variant }
        return vardict
    }

    /// Adds one file, and puts it into the album with a title.
    private static func changes(adding title: String?) -> [LibraryChange] {
        guard let title else { return [.createAsset(file: 0)] }
        return [
            .createAsset(file: 0), .ensureAlbum(title: title),
            .insert([.made(by: 0)], into: .made(by: 1), index: nil),
        ]
    }

    /// Notes that an app knows the photos that it added.
    ///
    /// It is shown none of those that the library knew before: the person may have named them, adjusted
    /// them or marked them as favorites.
    func note(
        _ results: [LibraryChangeResult], for caller: Caller, _ environment: Environment
    ) async {
        let added = results.filter(\.isNew).compactMap(\.asset)
        guard !added.isEmpty else { return }
        // The photos are there, also for an app that has just given up.
        await Task {
            do throws(LibraryError) {
                try await environment.store.noteGiven(
                    added, whole: Set(added), to: caller.identity.storeID)
            } catch {
                logger.error(
                    "What an app added could not be noted.", metadata: ["error": "\(error)"])
            }
        }.value
    }

    /// Copies files of an app into its folder.
    ///
    /// - Parameters:
    ///   - turn: The turn of the app, which goes on as long as a disk holds one of the files.
    ///   - name: The position of a file in the call, for its error.
    /// - Throws: ``DBusError``; then none of them is kept.
    func receive(
        _ files: [Descriptor], of caller: Caller, _ environment: Environment, _ turn: Turn,
        naming name: (Int, DBusError) -> DBusError = { $1 }
    ) async throws(DBusError) -> [Arrival] {
        let intake = PhotoIntake(
            store: environment.store, roots: environment.roots, decoders: environment.decoders,
            nameKey: environment.ids.nameKey)
        guard let folder = intake.folder(named: await AppFolder.name(of: caller.appID)) else {
            throw IntakeError.noFolder.forApp
        }
        var arrivals: [Arrival] = []
        for (index, file) in files.enumerated() {
            do throws(IntakeError) {
                arrivals.append(
                    try await intake.receive(
                        file, into: folder, for: caller.party.description, during: turn))
            } catch {
                await environment.store.discard(arrivals)
                logger.info(
                    "A file is no photo for the library.",
                    metadata: ["app": "\(caller.appID)", "error": "\(error)"])
                throw name(index, error.forApp)
            }
        }
        return arrivals
    }
}

extension IntakeError {
    /// The error that an app gets.
    var forApp: DBusError {
        switch self {
        case .notFile: PortalError.invalidArgument("The descriptor is not one of a regular file")
        case .empty: PortalError.invalidArgument("The file is empty")
        case .tooLarge(let most):
            PortalError.invalidArgument("The file has more than \(most) bytes")
        case .changed: PortalError.failed("The file changed while it was read")
        case .unreadable: PortalError.invalidArgument("The file cannot be read")
        case .decoding(let error):
            switch error {
            case .unsupported, .damaged, .crashed, .tooLarge, .garbage, .miswritten, .timedOut:
                PortalError.invalidArgument("The file cannot be added: \(error.reason)")
            default: PortalError.failed("The file cannot be added: \(error.reason)")
            }
        case .noFolder:
            PortalError.failed("There is no folder for pictures, or the library leaves it out")
        case .storing(let error):
            PortalError.failed("The file cannot be stored: \(error)")
        case .library(let error):
            PortalError.failed("The library cannot be changed: \(error)")
        }
    }
}
