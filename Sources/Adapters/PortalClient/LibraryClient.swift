// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import PortalInterface
package import SDBus

/// Calls the methods of `org.freedesktop.portal.PhotoLibrary` that answer at once.
///
/// ``RequestClient`` asks the person.
package struct LibraryClient: Sendable {
    private let connection: Connection

    package init(on connection: Connection) {
        self.connection = connection
    }

    /// What is decided about this program.
    ///
    /// - Throws: ``DBusError``, as all other methods here.
    package func authorization(
        for level: AccessLevel
    ) async throws(DBusError) -> Authorization? {
        Authorization(
            rawValue: try await call(
                PhotoLibraryInterface.getAuthorization, Arguments(level.rawValue)
            ).values)
    }

    /// What the library is doing, as a dictionary of the interface.
    package func status() async throws(DBusError) -> Vardict {
        try await call(PhotoLibraryInterface.getStatus, Arguments([:])).values
    }

    /// The albums, as dictionaries of the interface.
    package func albums(_ options: Vardict = [:]) async throws(DBusError) -> [Vardict] {
        try await call(PhotoLibraryInterface.getAlbums, Arguments(options)).values
    }

    /// Some of the moments, as dictionaries of the interface, and the number of all of them.
    package func moments(
        _ options: Vardict = [:]
    ) async throws(DBusError) -> (moments: [Vardict], total: UInt64) {
        let (moments, total) = try await call(
            PhotoLibraryInterface.getMoments, Arguments(options)
        ).values
        return (moments, total)
    }

    /// A part of an album, as dictionaries of the interface, and the number of its photos; of those that
    /// the option `search` finds, if there is one.
    package func assets(
        in album: String, _ options: Vardict = [:]
    ) async throws(DBusError) -> (assets: [Vardict], total: UInt64) {
        let (assets, total) = try await call(
            PhotoLibraryInterface.getAssets, Arguments(album, options)
        ).values
        return (assets, total)
    }

    /// The photos with these ids, as dictionaries of the interface; others are left out.
    package func assets(_ ids: [String]) async throws(DBusError) -> [Vardict] {
        try await call(PhotoLibraryInterface.lookupAssets, Arguments(ids)).values
    }

    /// The pixels of a thumbnail, and what they are.
    package func thumbnail(
        of id: String, size: UInt32
    ) async throws(DBusError) -> (pixels: Descriptor, results: Vardict) {
        let (pixels, results) = try await call(
            PhotoLibraryInterface.getThumbnail, Arguments(id, size, [:])
        ).values
        return (pixels, results)
    }

    /// The pixels of a picture whose longest side is at most so long, and what they are.
    package func preview(
        of id: String, maxDimension: UInt32
    ) async throws(DBusError) -> (pixels: Descriptor, results: Vardict) {
        let (pixels, results) = try await call(
            PhotoLibraryInterface.getPreview, Arguments(id, maxDimension, [:])
        ).values
        return (pixels, results)
    }

    /// The file of a photo, open for reading, and what it is.
    package func open(
        _ id: String, _ version: AssetVersion = .current, _ resource: ResourceRole = .primary,
        index: UInt32 = 0
    ) async throws(DBusError) -> (file: Descriptor, results: Vardict) {
        let (file, results) = try await call(
            PhotoLibraryInterface.openAsset,
            Arguments(
                id,
                [
                    "version": version.rawValue.variant, "resource": resource.rawValue.variant,
                    "index": index.variant,
                ])
        ).values
        return (file, results)
    }

    /// Performs changes, all or none, and returns what each of them did.
    package func perform(_ changes: [ChangeOperation]) async throws(DBusError) -> [Vardict] {
        try await call(PhotoLibraryInterface.performChanges, Arguments(changes)).values
    }

    // MARK: - Changes

    /// Lets ``onChange(_:)`` receive changes from now on, or from a generation on.
    ///
    /// - Parameter since: A generation of an earlier reply or signal.
    /// - Returns: The generation after which the signals tell, and whether they cannot tell what has
    ///   changed since the generation that was wanted, so that everything must be read again.
    package func watchChanges(
        since: UInt64? = nil
    ) async throws(DBusError) -> (generation: UInt64, startsOver: Bool) {
        var options: Vardict = [:]
        options["since"] = since?.variant
        let (generation, results) = try await call(
            PhotoLibraryInterface.watchChanges, Arguments(options)
        ).values
        let report = ChangeReport(generation: generation, results)
        return (generation, report.startsOver)
    }

    /// Ends what ``watchChanges(since:)`` began; has no effect if nothing is watched.
    package func unwatchChanges() async throws(DBusError) {
        _ = try await call(PhotoLibraryInterface.unwatchChanges, Arguments())
    }

    /// What has changed since a generation, or a part of it if that is much.
    package func changes(
        since generation: UInt64, _ options: Vardict = [:]
    ) async throws(DBusError) -> ChangeReport {
        let (end, changes) = try await call(
            PhotoLibraryInterface.getChanges, Arguments(generation, options)
        ).values
        return ChangeReport(generation: end, changes)
    }

    /// Calls `handler` for every change that arrives after this function returns.
    ///
    /// Changes arrive after ``watchChanges(since:)``, which has to be called on the same connection.
    package func onChange(
        _ handler: @escaping @BusActor (ChangeReport) -> Void
    ) async throws(DBusError) -> Subscription {
        try await connection.subscribe(
            to: PhotoLibraryInterface.changed, of: PhotoLibraryInterface.interface.name,
            from: PhotoPickerInterface.busName, at: PhotoPickerInterface.path
        ) { _, content in
            let (generation, changes) = content.values
            handler(ChangeReport(generation: generation, changes))
        }
    }

    private func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input
    ) async throws(DBusError) -> Output {
        try await connection.call(
            method, to: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
            on: PhotoLibraryInterface.interface.name, input, timeout: .seconds(60))
    }
}
