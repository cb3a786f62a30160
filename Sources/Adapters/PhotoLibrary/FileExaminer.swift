// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import ImageWork
internal import Processes
internal import SystemPackage

/// Opens files and has decoders examine them.
///
/// - Isolation: its own serial queue, which may block on files, so that several examiners read
///   files while the indexer stores what they found.
actor FileExaminer {
    private nonisolated let queue = SerialQueue(label: "examiner", qos: .utility)
    private let decoders: DecoderPool

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ decoders: DecoderPool) {
        self.decoders = decoders
    }

    /// Examines files concurrently; leaves out those for which no decoder could be started.
    func examine(
        _ files: some Collection<PendingFile> & Sendable, in bounds: LibraryBounds
    ) async -> [Examination] {
        await withTaskGroup(of: Examination?.self) { group in
            for file in files { group.addTask { await self.examine(file, in: bounds) } }
            var examinations: [Examination] = []
            for await examination in group {
                if let examination { examinations.append(examination) }
            }
            return examinations
        }
    }

    private func examine(_ file: PendingFile, in bounds: LibraryBounds) async -> Examination? {
        let opened: Descriptor
        let fingerprint: Fingerprint
        do {
            opened = try bounds.open(file.path)
            guard FileState(try opened.information()) == file.state else {
                return Examination(file: file, finding: .unreadable)
            }
            fingerprint = try Fingerprint(of: opened, size: file.state.size)
        } catch {
            // The library counts the file as skipped, whatever the error was.
            return Examination(file: file, finding: .unreadable)
        }
        let finding: Examination.Finding
        do throws(DecodeError) {
            let facts = try await decoders.run(.probe, on: opened, priority: .background)
            finding = .picture(facts, fingerprint)
        } catch {
            switch error {
            case .unsupported: finding = .notPicture
            case .unavailable, .cancelled: return nil
            case .damaged, .tooLarge, .needsLibheif, .needsLibRaw: finding = .damaged
            // A busy machine or a failing disk may be the cause.
            case .unreadable, .crashed, .timedOut, .stalled, .garbage, .miswritten, .locationStays:
                finding = .unreadable
            }
        }
        return Examination(file: file, finding: finding)
    }
}
