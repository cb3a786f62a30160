// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import ImageWork
internal import Photos
internal import Processes
internal import SystemPackage

/// Opens files and has decoders examine them.
///
/// - Isolation: its own serial queue, which may block on files, so that several examiners read
///   files while the indexer stores what they found.
actor FileExaminer {
    private nonisolated let queue = SerialQueue(label: "examiner", qos: .utility)
    private let decoders: DecoderPool
    private let calls: DiskCalls

    /// The most files that are opened and examined by one call.
    private static let batch = 16
    /// The most batches that are open and wait for a decoder.
    private static let mostWaiting = 4

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ decoders: DecoderPool, _ calls: DiskCalls) {
        self.decoders = decoders
        self.calls = calls
    }

    /// Examines files concurrently; leaves out those for which no decoder could be started, and those that no
    /// decoder has begun with when the task is cancelled.
    func examine(
        _ files: ArraySlice<PendingFile>, in bounds: LibraryBounds
    ) async -> [Examination] {
        await withTaskGroup(of: [Examination].self) { group in
            var rest = files
            var examinations: [Examination] = []
            var waiting = 0
            while !rest.isEmpty {
                if waiting == Self.mostWaiting, let found = await group.next() {
                    waiting -= 1
                    examinations += found
                }
                let opened = open(Array(rest.prefix(Self.batch)), in: bounds)
                waiting += 1
                group.addTask { await self.examine(opened) }
                rest = rest.dropFirst(Self.batch)
            }
            for await found in group { examinations += found }
            return examinations
        }
    }

    // MARK: - Opening

    private struct Opened: Sendable {
        let file: PendingFile
        /// The open file and its fingerprint; nil if it cannot be read.
        let content: (descriptor: Descriptor, fingerprint: Fingerprint)?
    }

    /// An open file whose fingerprint is still to be worked out; nil if it cannot be read.
    private typealias Sampled = (descriptor: Descriptor, sample: Fingerprint.Sample)?

    /// Opens files; those on a disk that does not answer cannot be read.
    private func open(_ files: [PendingFile], in bounds: LibraryBounds) -> [Opened] {
        let sampled = sample(files, in: bounds)
        var fingerprints = Fingerprint.all(of: sampled.compactMap { $0?.sample })[...]
        return zip(files, sampled).map { file, sampled in
            let fingerprint = sampled == nil ? nil : fingerprints.popFirst()
            return Opened(
                file: file,
                content: sampled.flatMap { sampled in
                    fingerprint.map { (sampled.descriptor, $0) }
                })
        }
    }

    private func sample(_ files: [PendingFile], in bounds: LibraryBounds) -> [Sampled] {
        func place(_ file: PendingFile) -> DiskCalls.Place {
            DiskCalls.Place(
                file.path, device: UInt64(bitPattern: file.state.device))
        }
        guard let first = files.first else { return [] }
        if !files.contains(where: { calls.isSilent(place($0)) }) {
            let outcome: DiskCalls.Outcome<[Sampled], PendingFile> = calls.run(
                at: { place($0 ?? first) },
                { progress in
                    files.map { file in
                        progress.note(file)
                        return Self.sample(file, in: bounds)
                    }
                })
            if case .done(let sampled) = outcome { return sampled }
        }
        // Those on other disks, one by one.
        return files.map { file in
            calls.run(at: place(file)) { Self.sample(file, in: bounds) } ?? nil
        }
    }

    private static func sample(_ file: PendingFile, in bounds: LibraryBounds) -> Sampled {
        do {
            let opened = try bounds.open(file.path)
            guard FileState(try opened.information()) == file.state else { return nil }
            return (opened, try Fingerprint.Sample(of: opened, size: file.state.size))
        } catch {
            // The library counts the file as skipped, whatever the error was.
            return nil
        }
    }

    // MARK: - Examining

    /// An open file that a decoder examines.
    private struct Readable: Sendable {
        let file: PendingFile
        let descriptor: Descriptor
        let fingerprint: Fingerprint
    }

    private func examine(_ opened: [Opened]) async -> [Examination] {
        var examinations: [Examination] = []
        var readable: [Readable] = []
        for opened in opened {
            if let (descriptor, fingerprint) = opened.content {
                readable.append(
                    Readable(
                        file: opened.file, descriptor: descriptor, fingerprint: fingerprint))
            } else {
                examinations.append(Examination(file: opened.file, finding: .unreadable))
            }
        }
        // A disk may have stopped answering, and then nothing on it can be closed.
        for files in Dictionary(grouping: readable, by: \.file.folder).values {
            FileCalls.shared.closeHere(
                files.map(\.descriptor), in: files[0].file.path.removingLastComponent())
        }
        async let pictures = probe(readable.filter { !SidecarName.isPossible($0.file.name) })
        examinations += await read(readable.filter { SidecarName.isPossible($0.file.name) })
        return await examinations + pictures
    }

    /// Examines files that may be pictures.
    private func probe(_ files: [Readable]) async -> [Examination] {
        let results = await decoders.run(
            .probe, onEach: files.map(\.descriptor), priority: .background)
        return zip(files, results).compactMap { one, result in
            switch result {
            case .success(let facts):
                Examination(file: one.file, finding: .picture(facts, one.fingerprint))
            case .failure(let error):
                Self.finding(after: error).map { Examination(file: one.file, finding: $0) }
            }
        }
    }

    /// Examines files that may say something about the photos beside them.
    private func read(_ files: [Readable]) async -> [Examination] {
        let results = await decoders.run(
            .sidecar, onEach: files.map(\.descriptor), priority: .background)
        var examinations: [Examination] = []
        var others: [Readable] = []
        for (one, result) in zip(files, results) {
            if case .success(let details) = result {
                examinations.append(Examination(file: one.file, finding: .sidecar(details)))
            } else {
                // Whatever it is, or whatever is wrong with it, is found out as for any other file.
                others.append(one)
            }
        }
        return await examinations + probe(others)
    }

    /// What a file is that could not be decoded; nil if that says nothing about it.
    private static func finding(after error: DecodeError) -> Examination.Finding? {
        switch error {
        case .unsupported: .notPicture
        case .unavailable, .cancelled: nil
        case .damaged, .tooLarge, .needsLibheif, .needsLibRaw: .damaged
        // A busy machine or a failing disk may be the cause.
        case .unreadable, .crashed, .timedOut, .stalled, .garbage, .miswritten, .locationStays:
            .unreadable
        }
    }
}
