// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import Logging
package import PhotoLibrary
internal import Processes
internal import SDBus
internal import SystemPackage

/// Takes from sandboxed apps that were uninstalled what the person allowed them and gave them.
///
/// An app that is installed again later, perhaps from elsewhere, asks again.
package struct UninstalledApps: Sendable {
    private let apps: SandboxedApps
    private let authorizations: AuthorizationStore
    private let library: LibraryStore
    private let pause: Duration
    private let logger: Logger

    /// - Parameter pause: How long an app must be gone: one that is replaced by itself, as
    ///   `flatpak install --reinstall` does, is gone for some seconds.
    package init(
        _ apps: SandboxedApps, _ authorizations: AuthorizationStore, _ library: LibraryStore,
        pause: Duration = .seconds(10), logger: Logger
    ) {
        self.apps = apps
        self.authorizations = authorizations
        self.library = library
        self.pause = pause
        self.logger = logger
    }

    /// Looks for such apps at once, and whenever apps are installed or uninstalled, until the task is
    /// cancelled.
    package func run() async {
        // One event is enough to look at everything.
        let watch = try? FolderWatch(mostUnread: 1)
        if let watch { follow(watch) }
        var known = await forget(formerly: [])
        guard let watch else { return }
        for await _ in watch.events {
            do { try await Task.sleep(for: pause) } catch { return }
            // There may be new folders.
            follow(watch)
            if let now = await forget(formerly: known ?? []) { known = now }
        }
    }

    private func follow(_ watch: FolderWatch) {
        // What cannot be watched is looked at when the service starts again.
        for folder in apps.changingFolders { try? watch.add(folder) }
    }

    /// Forgets the apps that are not installed any more.
    ///
    /// - Parameter former: Apps that were installed a while ago.
    /// - Returns: The installed apps; nil if they are unknown.
    private func forget(formerly former: Set<String>) async -> Set<String>? {
        guard let installed = await look(\.installed) ?? nil else { return nil }
        // Most computers have neither Flatpak nor snapd; then nobody is asked.
        let areUsed = await look(\.areUsed) ?? false
        guard areUsed || !former.isEmpty else { return installed }
        do {
            let known = try await authorizations.apps().union(library.appsWithPhotos())
            let gone = await look { apps in
                known.subtracting(installed).filter {
                    // A program outside any sandbox may have the same name.
                    (former.contains($0) || apps.wasInstalled($0)) && DesktopApp(appID: $0) == nil
                }
            }
            for app in (gone ?? []).sorted() {
                try await authorizations.forget(app)
                try await library.forget(app: app)
                logger.notice(
                    "An app was uninstalled; its permissions were removed.",
                    metadata: ["app": "\(app)"])
            }
            return installed
        } catch {
            guard !Task.isCancelled else { return nil }
            logger.warning(
                "The permissions of uninstalled apps cannot be removed.",
                metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Looks at the disk; nil if it does not answer.
    private func look<Result: Sendable>(
        _ body: @escaping @Sendable (SandboxedApps) -> Result
    ) async -> Result? {
        await FileCalls.shared.run(on: UserFolders.data) { [apps] _ in body(apps) }
    }
}
