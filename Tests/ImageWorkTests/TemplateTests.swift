// SPDX-License-Identifier: MIT

import Files
import Glibc
import Processes
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
        try await eventually("the end of all processes: \(Self.children())") {
            Self.children().isEmpty
        }
    }

    /// The decoder processes that are children of this process, those that have ended included.
    ///
    /// - Source: proc(5), `/proc/PID/stat`.
    private static func children() -> [String] {
        names(in: "/proc").compactMap { name -> String? in
            guard Int32(name.string) != nil,
                let bytes = try? Descriptor.openForReading(
                    FilePath("/proc").appending(name).appending("stat")
                ).read(upTo: 4096)
            else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            let fields = text.drop { $0 != ")" }.split(separator: " ")
            return fields.count > 2 && Int32(fields[2]) == getpid()
                && text.contains("(photo-portal-de") ? text : nil
        }
    }
}
