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
    /// The list is written often, and the next time would fail like this one.
    private var hasWarned = false
    /// Writes the list, again and again as long as it changes meanwhile.
    private var saving: Task<Void, Never>?
    private var mustSave = false

    /// Makes the list and takes up the one of an earlier service of this session.
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
        for entry in record.load() {
            for process in entry.processes where ProcessStart(of: process.id) == process {
                watch(process.id, of: entry.appID)
            }
            note(entry.documents, of: entry.appID)
        }
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
        Task {
            for document in app.documents {
                do throws(DBusError) {
                    try await revoke(document, appID)
                } catch {
                    // A document portal that has ended has forgotten them all.
                    logger.notice(
                        "A document could not be revoked.", metadata: ["error": "\(error)"])
                }
            }
        }
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
        let entries = apps.map { appID, app in
            TransientRecord.Entry(
                appID: appID, processes: app.processes.values.compactMap(\.start),
                documents: app.documents.sorted())
        }
        let saved = await FileCalls.shared.run(on: record.path) { [record] _ in
            Result { () throws(Errno) in try record.save(entries) }
        }
        guard case .failure(let error)? = saved, !hasWarned else { return }
        hasWarned = true
        logger.warning(
            """
            The list of documents cannot be stored. If the service ends before an app, the app \
            keeps access to its photos until the session ends.
            """, metadata: ["error": "\(error)"])
    }
}
