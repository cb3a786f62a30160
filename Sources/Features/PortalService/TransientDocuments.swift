// SPDX-License-Identifier: MIT

import Files
import Logging
import Photos
import Processes
import SDBus
import SystemPackage

/// The documents that an app may read only while it runs.
///
/// The document portal would keep them until the session ends, for every later run of the app. An
/// app runs as long as one of the processes that made its requests: for a Flatpak that is its bus
/// proxy, which lives as long as the sandbox.
@BusActor
final class TransientDocuments {
    private struct App {
        var documents: Set<String> = []
        var processes: [Int32: Process] = [:]
    }

    private struct Process {
        let watch: DescriptorWatch
        /// What a later service recognizes it by; nil if that cannot be found out.
        let start: ProcessStart?
    }

    private let record: TransientRecord
    private let logger: Logger
    private let revoke: @BusActor (_ document: String, AppID) async throws(DBusError) -> Void
    private var apps: [AppID: App] = [:]
    /// How many calls that give documents to an app are in progress.
    private var gifts: [AppID: Int] = [:]
    /// The call in progress that takes a document away from an app.
    private var revocations: [AppID: Task<Void, Never>] = [:]
    /// Those who wait for the end of the calls that give documents.
    private var waiting: [AppID: [CheckedContinuation<Void, Never>]] = [:]
    /// Called when no call that gives documents is in progress any more.
    private var onLastGift: @Sendable () -> Void = {}
    /// What is being taken away from apps that have ended.
    private var ending: [AppID: Set<String>] = [:]
    /// Lists that were put aside, and are needed until the next one is stored.
    private var returned: [FilePath] = []
    /// The list is written often, and the next time would fail like this one.
    private var hasWarned = false
    /// Writes the list, again and again as long as it changes meanwhile.
    private var saving: Task<Void, Never>?
    private var mustSave = false

    /// Makes the list and takes up the one of an earlier service on this bus.
    ///
    /// - Parameters:
    ///   - record: Where the list is kept for a later service.
    ///   - revoke: Takes a document away from an app.
    init(
        record: TransientRecord, logger: Logger,
        revoke: @escaping @BusActor (_ document: String, AppID) async throws(DBusError) -> Void
    ) {
        self.record = record
        self.logger = logger
        self.revoke = revoke
        let content = record.load()
        for problem in content.problems {
            logger.error(
                """
                A list of documents that end with their apps cannot be read. Apps keep what it names \
                until the session ends, or until a later service can read it.
                """, metadata: ["kept": "\(problem)"])
        }
        returned = content.returned
        // Those of a running app are known before what another list says of it.
        let entries = content.entries.map { entry in
            (entry, entry.processes.filter { ProcessStart(of: $0.id) == $0 })
        }
        for (entry, processes) in entries {
            for process in processes { watch(process.id, of: entry.appID) }
        }
        for (entry, _) in entries { note(entry.documents, of: entry.appID) }
    }

    /// Keeps an app's documents at least until a process has ended.
    func keep(of appID: AppID, while processID: Int32) {
        guard apps[appID]?.processes[processID] == nil else { return }
        watch(processID, of: appID)
    }

    /// Adds documents of an app; takes them away at once if none of its processes is left.
    func note(_ documents: [String], of appID: AppID) {
        apps[appID, default: App()].documents.formUnion(documents)
        endIfGone(appID)
        save()
    }

    /// Waits until the list is kept as it is now, or cannot be kept.
    func saved() async {
        await saving?.value
    }

    private func watch(_ processID: Int32, of appID: AppID) {
        do {
            let process = try Descriptor.openProcess(processID)
            let watch = try DescriptorWatch(process) { [weak self] in
                self?.apps[appID]?.processes[processID] = nil
                self?.endIfGone(appID)
                self?.save()
            }
            apps[appID, default: App()].processes[processID] = Process(
                watch: watch, start: ProcessStart(of: processID))
        } catch {
            // It has ended, or we have no descriptors left; both take the documents away.
            logger.debug("A process cannot be watched.", metadata: ["error": "\(error)"])
        }
    }

    private func endIfGone(_ appID: AppID) {
        guard let app = apps[appID], app.processes.isEmpty else { return }
        apps[appID] = nil
        guard !app.documents.isEmpty else { return }
        ending[appID, default: []].formUnion(app.documents)
        Task {
            for document in app.documents { await takeAway(document, from: appID) }
            save()
        }
    }

    // MARK: - Giving and taking

    /// Does something that gives documents to an app, and notes them.
    ///
    /// The portal gives a file to an app that runs again under the same id as before. Meanwhile none is
    /// taken away from the app: the call could end what has just been given.
    func giving<Value: Sendable>(
        to appID: AppID, _ body: @BusActor () async -> Value
    ) async -> Value {
        gifts[appID, default: 0] += 1
        await revocations[appID]?.value
        let value = await body()
        let rest = gifts[appID, default: 1] - 1
        gifts[appID] = rest > 0 ? rest : nil
        if rest == 0 {
            for waiter in waiting.removeValue(forKey: appID) ?? [] { waiter.resume() }
        }
        if gifts.isEmpty { onLastGift() }
        return value
    }

    /// Waits for the end of the calls that give documents, but not for a portal that hangs.
    func finishGiving(within limit: Duration) async {
        guard !gifts.isEmpty else { return }
        let (ends, end) = AsyncStream<Void>.makeStream()
        onLastGift = { end.yield() }
        let deadline = Deadlines.shared.add(after: limit) { end.yield() }
        defer { Deadlines.shared.remove(deadline) }
        for await _ in ends { return }
    }

    /// Takes a document away from an app that has ended, unless it was given to a later run.
    private func takeAway(_ document: String, from appID: AppID) async {
        while true {
            if gifts[appID] != nil {
                await withCheckedContinuation { waiting[appID, default: []].append($0) }
            } else if let other = revocations[appID] {
                await other.value
            } else {
                break
            }
        }
        guard apps[appID]?.documents.contains(document) != true else {
            return forget(document, of: appID)
        }
        let revocation = Task {
            do throws(DBusError) {
                try await revoke(document, appID)
                forget(document, of: appID)
            } catch {
                logger.notice("A document could not be revoked.", metadata: ["error": "\(error)"])
                // A document portal that has ended has forgotten them all. For one that does not
                // answer, or if we end, a later service tries again.
                if ![.noReply, .disconnected].contains(error.name) {
                    forget(document, of: appID)
                }
            }
            revocations[appID] = nil
        }
        revocations[appID] = revocation
        await revocation.value
    }

    private func forget(_ document: String, of appID: AppID) {
        ending[appID]?.remove(document)
        if ending[appID]?.isEmpty == true { ending[appID] = nil }
    }

    private func save() {
        mustSave = true
        guard saving == nil else { return }
        saving = Task {
            while mustSave {
                mustSave = false
                await saveNow()
            }
            saving = nil
        }
    }

    private func saveNow() async {
        var entries = apps.map { appID, app in
            TransientRecord.Entry(
                appID: appID, processes: app.processes.values.compactMap(\.start),
                documents: app.documents.sorted())
        }
        // A later service takes away what this one does not get to.
        entries += ending.map { appID, documents in
            TransientRecord.Entry(appID: appID, processes: [], documents: documents.sorted())
        }
        let saved = await FileCalls.shared.run(on: record.path) { [record, returned, entries] _ in
            Result { () throws(Errno) in
                try record.save(entries)
                try record.remove(returned)
            }
        }
        if case .success? = saved { returned = [] }
        guard case .failure(let error)? = saved, !hasWarned else { return }
        hasWarned = true
        logger.warning(
            """
            The list of documents cannot be stored. If the service ends before an app, the app \
            keeps access to its photos until the session ends.
            """, metadata: ["error": "\(error)"])
    }
}
