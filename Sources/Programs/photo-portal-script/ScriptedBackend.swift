// SPDX-License-Identifier: MIT

import Files
import FoundationEssentials
import Glibc
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import Synchronization
import SystemPackage

/// Answers requests from a script and reports each of them on standard output.
final class ScriptedBackend: Sendable {
    private let script: Script
    private let count = Mutex(0)

    init(_ script: Script) {
        self.script = script
    }

    /// Answers the next request for photos.
    func answer(
        _ method: PickMethod, _ request: PickRequest, _ choice: ScriptedChoice
    ) async throws(DBusError) -> PickOutcome {
        report(method, request)
        await choice.open(request.options)
        var grants = Grants.none
        var clip: PixelRectangle?
        var rotation = Rotation.none
        for step in nextSteps() {
            switch step {
            case .delay(let duration): await sleep(for: duration)
            case .grant(let granted): grants.formUnion(granted)
            case .clip(let area): clip = area
            case .turn(let turned): rotation = turned
            case .choose(let photos):
                await choice.choose(try await items(photos, request, choice))
            case .hear: await choice.waitForNews()
            case .answer(let answer):
                let outcome = try await perform(answer, request, choice)
                guard case .picked(let items, _) = outcome else { return outcome }
                return .picked(items.map { $0.clipped(to: clip, rotation) }, granting: grants)
            }
            if Task.isCancelled { return closed() }
        }
        return .ended
    }

    /// Answers the next question about the library.
    func decide(
        _ request: AuthorizationRequest
    ) async throws(DBusError) -> AuthorizationDecision {
        write(
            Question(
                method: "Authorize", app_id: request.appID.rawValue, level: request.level.rawValue,
                reason: request.reason, remind: request.isReminder ? true : nil))
        return try await decision()
    }

    /// Answers the next question whether photos may be deleted.
    func confirm(_ request: DeletionRequest) async throws(DBusError) -> Bool {
        write(
            Deletion(
                method: "ConfirmDeletion", app_id: request.appID.rawValue,
                ids: request.photos.map(\.description), reason: request.reason))
        return try await decision() == .decided(.authorized)
    }

    /// The answer of the next line to a question with few answers.
    private func decision() async throws(DBusError) -> AuthorizationDecision {
        for step in nextSteps() {
            switch step {
            case .delay(let duration): await sleep(for: duration)
            case .grant, .clip, .turn, .choose, .hear: continue
            case .answer(.authorize(let authorization)): return .decided(authorization)
            case .answer(.error(let message)): throw PortalError.failed(message)
            case .answer(.die): exit(1)
            case .answer(.hang): await sleep(for: .seconds(1_000_000))
            case .answer: return .undecided
            }
            if Task.isCancelled {
                _ = closed()
                return .undecided
            }
        }
        return .undecided
    }

    /// Waits, or returns early when the request is closed; callers check for that next.
    func sleep(for duration: Duration) async {
        // The only error is the cancellation that callers check for.
        try? await Task.sleep(for: duration)
    }

    func nextSteps() -> [Script.Step] {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return script.steps(forRequest: number)
    }

    /// Reports that the request was closed before it was answered.
    func closed() -> PickOutcome {
        write(Array("{\"closed\":true}".utf8))
        return .ended
    }

    private func perform(
        _ answer: Script.Answer, _ request: PickRequest, _ choice: ScriptedChoice
    ) async throws(DBusError) -> PickOutcome {
        switch answer {
        case .pick(let photos): return .picked(try await items(photos, request, choice))
        case .cancel: return .cancelled
        case .end, .authorize, .close: return .ended
        case .error(let message): throw PortalError.failed(message)
        case .die: exit(1)
        case .hang:
            await sleep(for: .seconds(1_000_000))
            return closed()
        }
    }

    private func items(
        _ photos: Script.Photos, _ request: PickRequest, _ choice: ScriptedChoice
    ) async throws(DBusError) -> [PickedItem] {
        switch photos {
        case .newest(let count): try await newest(count, request, choice)
        case .ids(let ids): await items(ids)
        case .files(let uris): uris.map { PickedItem(.uri($0), from: .files) }
        case .preselected: await items(request.options.preselected)
        case .chosen: await choice.items
        }
    }

    private func items(_ ids: [AssetID]) async -> [PickedItem] {
        var items: [PickedItem] = []
        do {
            let library = try LibraryReader(at: LibraryLocation.current)
            for id in ids { items.append(try await item(id, in: library)) }
        } catch {
            // The ids may be made up; the service finds out what they are.
            items = ids.map { PickedItem(.asset($0), from: .library) }
        }
        return items
    }

    /// A photo in the version that its file has now.
    private func item(
        _ id: AssetID, in library: LibraryReader
    ) async throws(LibraryError) -> PickedItem {
        var item = PickedItem(.asset(id), from: .library)
        let path = try await library.paths(of: id).first
        // Like a window, which shows nothing of a file that is gone.
        item.version = path.flatMap { try? $0.stat() }.map { FileVersion($0) }
        return item
    }

    private func newest(
        _ count: Script.Count, _ request: PickRequest, _ choice: ScriptedChoice
    ) async throws(DBusError) -> [PickedItem] {
        let limits = await choice.limits
        let wanted: Int? =
            switch count {
            case .exactly(let number): number
            case .most: limits.maximum
            case .fewest: limits.minimum
            }
        do {
            let types = request.options.mediaTypes
            let library = try LibraryReader(at: LibraryLocation.current)
            // A test asks as soon as the service runs, and must not depend on how fast it indexes.
            while try await library.status().isIndexing, !Task.isCancelled {
                await sleep(for: .milliseconds(20))
            }
            let album = try await library.albums(types).opened(for: request.options.album)
            let filter = request.options.filter
            let photos = try await library.photos(
                in: album, types, wanted: filter, limit: filter.isEmpty ? wanted : nil)
            var items: [PickedItem] = []
            for id in photos.fitting(0..<photos.count).prefix(wanted ?? .max) {
                items.append(try await item(id, in: library))
            }
            return items
        } catch {
            throw PortalError.failed("\(error)")
        }
    }

    // MARK: - Report

    /// A request for photos as one line of JSON, with the options of the backend interface.
    struct Report: Encodable {
        let method: String
        let app_id: String
        let parent_window: String
        let title: String
        let options: Vardict
    }

    private func report(_ method: PickMethod, _ request: PickRequest) {
        write(
            Report(
                method: method == .openImage ? "OpenImage" : "PickImages",
                app_id: request.appID.rawValue, parent_window: request.parentWindow,
                title: request.title, options: request.options.completeVardict(for: method)))
    }

    /// A question about the library as one line of JSON.
    private struct Deletion: Encodable {
        let method: String
        let app_id: String
        let ids: [String]
        let reason: String?
    }

    private struct Question: Encodable {
        let method: String
        let app_id: String
        let level: String
        let reason: String?
        /// True for a reminder, and left out otherwise.
        let remind: Bool?
    }

    /// Reports what an app that follows the choice did.
    func report(_ news: PickNews) {
        switch news {
        case .left: break
        case .deselected(let ids): write(["deselected": ids.map(\.description).sorted()])
        case .limited(let limits):
            write(["max_count": limits.maximum ?? 0, "min_count": limits.minimum])
        }
    }

    func write(_ report: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            write(Array(try encoder.encode(report)))
        } catch {
            StandardError.print("photo-portal-script: the request cannot be reported: \(error)")
        }
    }

    private func write(_ line: [UInt8]) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(line + [UInt8(ascii: "\n")])
        } catch {
            // The reader of the reports may have exited; the request is answered anyway.
            StandardError.print("photo-portal-script: standard output: \(error)")
        }
    }
}

extension PickedItem {
    fileprivate func clipped(to area: PixelRectangle?, _ rotation: Rotation) -> PickedItem {
        var item = self
        item.clip = area
        item.rotation = rotation
        item.isClipTouched = area != nil || rotation != .none
        return item
    }
}
