// SPDX-License-Identifier: MIT

import Files
import Glibc
import Processes
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// The process that starts decoder processes.
@Suite(.serialized) struct TemplateTests {
    @Test func `a worker that came too late leaves nothing behind`() async throws {
        for pause in 0..<30 {
            let process = try WorkerProcess(path: ProgramFolder.sibling("photo-portal-decoder"))
            guard case .packet = try process.receive(capacity: 4096, timeout: .seconds(30)) else {
                Issue.record("the decoder did not start")
                return
            }
            let template = WorkerTemplate(process)
            do {
                let worker = try template.startWorker(within: .microseconds(pause * 20))
                worker.end()
            } catch {
                #expect(error == .timedOut)
            }
            template.end()
        }
        try await eventually("the end of all processes", is: []) { Self.children() }
    }

    @Test func `a worker that is killed before it has reported leaves nothing behind`()
        async throws
    {
        let process = try WorkerProcess(path: ProgramFolder.sibling("photo-portal-decoder"))
        guard case .packet = try process.receive(capacity: 4096, timeout: .seconds(30)) else {
            Issue.record("the decoder did not start")
            return
        }
        let templateID = process.processID
        // So that its workers have to wait for a processor, which the killers keep busy.
        #expect(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(templateID), 19) == 0)
        let template = WorkerTemplate(process)
        let killers = Killers()
        killers.start(2) {
            for child in Self.children() where child != templateID { kill(child, SIGKILL) }
        }
        for _ in 0..<40 {
            // Those that come to report are ended here, and the others by the killers.
            if let worker = try? template.startWorker(within: .seconds(30)) { worker.end() }
        }
        try await killers.end()
        template.end()
        try await eventually("the end of all processes", is: []) { Self.children() }
    }

    /// The decoder processes that are children of this process, those that have ended included.
    ///
    /// - Source: proc(5), `/proc/PID/stat`.
    private static func children() -> [pid_t] {
        names(in: "/proc").compactMap { name in
            guard let processID = pid_t(name.string),
                let bytes = try? Descriptor.openForReading(
                    FilePath("/proc").appending(name).appending("stat")
                ).read(upTo: 4096)
            else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            let fields = text.drop { $0 != ")" }.split(separator: " ")
            return fields.count > 2 && Int32(fields[2]) == getpid()
                && text.contains("(photo-portal-de") ? processID : nil
        }
    }
}

/// Threads that do the same thing again and again.
private final class Killers: Sendable {
    private let isOver = Atomic(false)
    private let running = Atomic(0)

    func start(_ count: Int, _ act: @escaping @Sendable () -> Void) {
        running.store(count, ordering: .sequentiallyConsistent)
        for _ in 0..<count {
            DedicatedThread.start(named: "killer") { [self] in
                while !isOver.load(ordering: .sequentiallyConsistent) { act() }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    /// Waits for the threads to end.
    func end() async throws {
        isOver.store(true, ordering: .sequentiallyConsistent)
        try await eventually("the end of the threads", is: 0) {
            running.load(ordering: .sequentiallyConsistent)
        }
    }
}
