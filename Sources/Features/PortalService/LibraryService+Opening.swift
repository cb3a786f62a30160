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
    func openAsset(
        _ call: IncomingCall<Arguments<String, Vardict>>
    ) async throws(DBusError) -> Arguments<Descriptor, Vardict> {
        let (visitor, environment) = try await open(call.sender)
        let (text, options) = call.input.values
        let (version, choice) = (
            try LibraryQuery.version(options), try LibraryQuery.resource(options)
        )
        let role = choice.role
        let id = AssetID(text).map { visitor.names.asset($0) }
        let found = try await reading(for: visitor) { () async throws(LibraryError) in
            let listed = try await environment.library.listed(
                [id].compactMap(\.self), in: visitor.view
            ).first
            let files = try await environment.library.located(
                id, version, choice, in: visitor.view)?.files
            return (listed: listed, files: files ?? [])
        }
        guard let listed = found.listed else {
            throw PortalError.notFound("There is no photo '\(text.excerpt)'")
        }
        // The original may show what the person cut off before the app was given the photo.
        guard version == .current || !listed.isAdjusted || visitor.view == .everything else {
            throw PortalError.notAllowed(
                "The person lets this app see only the current versions of some photos")
        }
        // It shows what the person cut off as well.
        guard role == .primary || visitor.view == .everything else {
            throw PortalError.notAllowed(
                "The person lets this app see only the pictures of some photos")
        }
        guard listed.asset.resources.contains(role) else {
            throw PortalError.notFound(
                "The photo '\(text.excerpt)' has no resource '\(role.rawValue)'")
        }
        guard role != .burst || choice.index < listed.asset.frames else {
            throw PortalError.notFound(
                "The burst of the photo '\(text.excerpt)' has \(listed.asset.frames) pictures")
        }
        let (file, item) =
            role == .pairedVideo && found.files.isEmpty
            ? try await motionVideo(of: listed.asset.id, to: visitor.caller, environment)
            : try await deliver(
                listed.asset.id, found.files, version, choice, to: visitor.caller, environment)
        var results: Vardict = [
            "media_type": item.mediaType.rawValue.variant, "name": item.name.variant,
            "size": item.byteCount.variant, "adjusted": listed.isAdjusted.variant,
        ]
        if version == .original, role == .primary, listed.isAdjusted {
            try await tell(listed.asset.id, for: visitor, environment, in: &results)
        }
        return Arguments(file, results)
    }

    /// Opens the first of a photo's files that is still the one that the library knows: another photo may
    /// have its name now.
    ///
    /// An app in a sandbox gets a document, without the location.
    func deliver(
        _ id: AssetID, _ files: [LocatedFile], _ version: AssetVersion,
        _ choice: ResourceChoice, to caller: Caller, _ environment: Environment
    ) async throws(DBusError) -> (Descriptor, Delivery.Item) {
        var deliverer = environment.deliverer
        let made = deliverer.derived.forOneReader()
        deliverer.derived = made
        if caller.isSandboxed {
            deliverer.documents.keep(of: caller.appID, while: caller.processID)
        }
        let opened: Result<(Descriptor, Delivery.Item), DBusError>
        do throws(DBusError) {
            opened = .success(
                try await deliver(id, files, version, choice, to: caller, by: deliverer))
        } catch {
            opened = .failure(error)
        }
        await made.removeAll()
        return try opened.get()
    }

    private func deliver(
        _ id: AssetID, _ files: [LocatedFile], _ version: AssetVersion,
        _ choice: ResourceChoice, to caller: Caller, by deliverer: Deliverer
    ) async throws(DBusError) -> (Descriptor, Delivery.Item) {
        var options = PickOptions()
        options.mediaTypes = .everything
        var problem = "its file is gone, has changed or cannot be read"
        for examined in files.compactMap(\.examined) {
            var item = PickedItem(.asset(id), from: .library)
            item.version = examined
            let delivery = try await deliverer.deliver(
                [item], version, choice, as: options, to: caller, granting: .none)
            if let delivered = delivery.items.first {
                return (try await open(delivered, for: caller, deliverer), delivered)
            }
            if delivery.failures.first?.code == .location {
                problem = "it tells a place that cannot be removed"
            }
        }
        throw PortalError.failed("The photo cannot be opened: \(problem)")
    }

    private func open(
        _ item: Delivery.Item, for caller: Caller, _ deliverer: Deliverer
    ) async throws(DBusError) -> Descriptor {
        if caller.isSandboxed {
            return try await deliverer.documents.open(item.uri, of: caller.appID)
        }
        guard let path = FileURI.path(item.uri) else { throw .failed("The photo has no path") }
        let file = await FileCalls.shared.run(on: path, within: Deliverer.patience) { _ in
            let file = try? Descriptor.openForReading(path)
            if let file { FileCalls.shared.closeHere(file, of: path) }
            return file
        }
        guard let file = file ?? nil else {
            throw PortalError.failed("The photo cannot be opened: its file is gone")
        }
        return file
    }

    /// Adds how the current version was made of the original.
    private func tell(
        _ id: AssetID, for visitor: Visitor, _ environment: Environment,
        in results: inout Vardict
    ) async throws(DBusError) {
        let adjustment = try await reading(for: visitor) { () async throws(LibraryError) in
            try await environment.library.adjustment(of: id)
        }
        results["format"] = adjustment?.format.variant
        results["version"] = adjustment?.version.variant
        results["data"] = adjustment?.data.variant
    }
}
