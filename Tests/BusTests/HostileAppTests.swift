// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A hostile app in a sandbox that floods the service while another app picks photos.
@Suite(.serialized) struct HostileAppTests {
    /// What `hostile.py` sends.
    private static let attacks = [
        "calls", "eager", "silent", "unread", "descriptors", "large", "nested", "mixed",
    ]

    @Test(arguments: [CallerKind.flatpak], attacks)
    func `a flood from 24 connections starves nobody and leaves nothing behind`(
        kind: CallerKind, attack: String
    ) async throws {
        let picker = try await PickerSession(kind)
        _ = try await picker.session.startBackend("pick newest 1")
        let victim = try await Client(picker.session)
        try await pick(victim)
        let before = try Holdings(of: picker.service)
        let hostile = try start(attack, picker)
        try await eventually("the flood: \(hostile.errorText)") {
            hostile.outputText.contains("flooding")
        }
        var slowest = Duration.zero
        var picks = 0
        while hostile.outputText.split(separator: "\n").count < 2 {
            let begin = ContinuousClock.now
            try await pick(victim)
            slowest = max(slowest, ContinuousClock.now - begin)
            picks += 1
        }
        #expect(try await hostile.exitStatus() == 0, "\(hostile.errorText)")
        #expect(picks > 0)
        print("\(kind) \(attack): \(picks) picks, the slowest took \(slowest)")
        print(hostile.outputText)
        // The service still serves everyone, and has given everything back.
        try await pick(victim)
        let later = try await picker.anotherClient()
        try await eventually("a free place for the hostile app") {
            (try? await later.close(later.open())) != nil
        }
        await later.connection.close()
        try await eventually("the end of the descriptors") {
            try Holdings(of: picker.service).descriptors <= before.descriptors
        }
        try await eventually("the end of the memory: \(try Holdings(of: picker.service))") {
            try Holdings(of: picker.service).memory < before.memory + 4 << 10
        }
        print("service before: \(before); after: \(try Holdings(of: picker.service))")
    }

    private func pick(_ client: Client) async throws {
        #expect(try await client.response(client.open()).code == 0)
    }

    private func start(
        _ attack: String, _ picker: PickerSession
    ) throws -> ChildProcess {
        let script = Programs.source.appending("Tests/Clients/hostile/hostile.py")
        let words = [script.string, attack, "24", environmentVariable("PHOTO_PORTAL_FLOOD") ?? "1"]
        guard let app = picker.app else {
            return try picker.session.start("/usr/bin/python3", words)
        }
        return try app.start("/usr/bin/python3", words, files: [script])
    }
}
