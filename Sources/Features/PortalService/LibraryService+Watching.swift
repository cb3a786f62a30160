// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

// Apps that follow the library; docs/decisions/0073-following-changes.md says why it is done like this.
extension LibraryService {
    /// The least time between two signals to a connection that has got all that there is.
    private static let pace = Duration.milliseconds(200)
    /// How long it takes until a failed read is tried again.
    private static let retryTime = Duration.seconds(1)

    // MARK: - Methods

    func watchChanges(
        _ call: IncomingCall<Arguments<Vardict>>
    ) async throws(DBusError) -> Arguments<UInt64, Vardict> {
        let (visitor, environment) = try await open(call.sender)
        let since = try LibraryQuery.since(call.input.values)
        var start = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.store.follow(visitor.view)
        }
        var startsOver = false
        if let since {
            startsOver =
                try await reading(for: visitor) { () throws(LibraryError) in
                    try await environment.library.changes(since: since, in: visitor.view, limit: 1)
                } == nil
            if !startsOver { start = since }
        }
        guard access.isPresent(visitor.caller) else { throw .cancelled }
        if since == nil, let watcher = watchers.watcher(of: call.sender),
            watcher.visitor.view == visitor.view
        {
            return Arguments(watcher.position, [:])
        }
        let watcher = ChangeWatcher(visitor, from: start)
        try watchers.add(
            watcher, within: access.limits,
            listeningTo: .init(writes: environment.store.writes, authorizer: access.authorizer))
        call.afterReply {
            watcher.begin { [weak self] in await self?.run($0, environment) }
        }
        var report = ChangeReport(generation: start)
        report.startsOver = startsOver
        return Arguments(start, report.vardict)
    }

    func unwatchChanges(
        _ call: IncomingCall<Arguments<>>
    ) async throws(DBusError) -> Arguments<> {
        // Nobody needs a permission to see less.
        _ = try await access.identify(call.sender)
        watchers.remove(call.sender)
        return Arguments()
    }

    func changes(
        _ call: IncomingCall<Arguments<UInt64, Vardict>>
    ) async throws(DBusError) -> Arguments<UInt64, Vardict> {
        let (visitor, environment) = try await open(call.sender)
        let (since, options) = call.input.values
        let limit = try LibraryQuery.changeLimit(options)
        let (head, summary) = try await reading(for: visitor) { () throws(LibraryError) in
            // From now on changes are noted, so that the app can ask again.
            let head = try await environment.store.follow(visitor.view)
            return (
                head,
                try await environment.library.changes(
                    since: since, in: visitor.view, limit: limit)
            )
        }
        let report = await Self.report(summary, orStartOverFrom: head, for: visitor.names)
        return Arguments(report.generation, report.vardict)
    }

    // MARK: - Signals

    /// Tells a connection what changes, until its watch ends.
    private func run(_ watcher: ChangeWatcher, _ environment: Environment) async {
        // It may have watched before, and not read what it was sent.
        await watchers.confirmations.wait(for: watcher.visitor.caller)
        for await _ in watcher.wakes {
            do throws(DBusError) {
                if watcher.takesCheck() { try await check(watcher) }
                while !Task.isCancelled, try await sendNext(to: watcher, environment) {}
            } catch {
                guard !Task.isCancelled, !watcher.hasEnded else { break }
                // A cancelled sleep ends the loop as well.
                try? await Task.sleep(for: Self.retryTime)
                watcher.wake()
            }
        }
        watchers.remove(watcher)
    }

    /// Sends the next signal, and waits until the connection has read it.
    ///
    /// - Returns: False if there is nothing to send.
    private func sendNext(
        to watcher: ChangeWatcher, _ environment: Environment
    ) async throws(DBusError) -> Bool {
        let (visitor, position) = (watcher.visitor, watcher.position)
        let summary = try await reading(for: visitor) { () throws(LibraryError) in
            try await environment.library.changes(
                since: position, in: visitor.view, limit: ChangeReport.mostIDs)
        }
        var head: UInt64 = 0
        if let summary {
            guard summary.generation != position else { return false }
            guard !summary.isEmpty else {
                watcher.position = summary.generation
                return summary.hasMore
            }
        } else {
            head = try await reading(for: visitor) { () throws(LibraryError) in
                try await environment.store.follow(visitor.view)
            }
        }
        let report = await Self.report(summary, orStartOverFrom: head, for: visitor.names)
        // As late as possible: nobody sees anything after the person has withdrawn the permission.
        try await check(watcher)
        guard !Task.isCancelled, !watcher.hasEnded else { return false }
        emit(report, to: visitor)
        watcher.position = report.generation
        let hasMore = report.hasMore
        // Otherwise what an app does not read would fill the memory of the bus, and then ours.
        await watchers.confirmations.wait(for: visitor.caller)
        if !hasMore { try? await Task.sleep(for: Self.pace) }
        return true
    }

    /// Makes sure that a connection still sees what it saw when its watch began; ends the watch and tells
    /// the app if not.
    private func check(_ watcher: ChangeWatcher) async throws(DBusError) {
        let visitor = watcher.visitor
        let view: LibraryView?
        do throws(DBusError) {
            view = try await self.view(of: visitor.caller)
        } catch {
            guard error.name == .portalNotAllowed else { throw error }
            view = nil
        }
        guard view != visitor.view, !watcher.hasEnded, !Task.isCancelled else { return }
        var report = ChangeReport(generation: 0)
        report.hasEnded = true
        emit(report, to: visitor)
        watchers.remove(watcher)
    }

    private func emit(_ report: ChangeReport, to visitor: Visitor) {
        var changes = report.vardict
        // The next signal has the rest.
        changes["more"] = nil
        do {
            try access.connection.emit(
                PhotoLibraryInterface.changed, of: PhotoLibraryInterface.interface.name,
                from: PhotoPickerInterface.path, to: visitor.caller.name,
                Arguments(report.generation, changes))
        } catch {
            // The connection has ended.
            logger.error("A change could not be sent.", metadata: ["error": "\(error)"])
        }
    }

    /// - Parameter head: The generation to go on from if it is not known what has changed.
    @concurrent
    private static func report(
        _ summary: ChangeSummary?, orStartOverFrom head: UInt64, for names: AppAliases
    ) async -> ChangeReport {
        guard let summary else {
            var report = ChangeReport(generation: head)
            report.startsOver = true
            return report
        }
        var report = ChangeReport(generation: summary.generation)
        report.assets = summary.assets.map { names.alias(of: $0).description }
        report.albums = summary.albums.map { names.alias(of: $0).rawValue }
        report.moments = summary.moments.map { names.alias(of: $0).rawValue }
        report.hasMore = summary.hasMore
        return report
    }
}
