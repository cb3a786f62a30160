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

    /// Examines files concurrently; leaves out those for which no decoder could be started.
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

    private func examine(_ opened: [Opened]) async -> [Examination] {
        var examinations: [Examination] = []
        var pictures: [(file: PendingFile, descriptor: Descriptor, fingerprint: Fingerprint)] = []
        for opened in opened {
            let file = opened.file
            guard let (descriptor, fingerprint) = opened.content else {
                examinations.append(Examination(file: file, finding: .unreadable))
                continue
            }
            if let details = await sidecar(file, descriptor) {
                FileCalls.shared.closeHere(descriptor, of: file.path)
                examinations.append(Examination(file: file, finding: .sidecar(details)))
                continue
            }
            pictures.append((file, descriptor, fingerprint))
        }
        let results = await decoders.run(
            .probe, onEach: pictures.map(\.descriptor), priority: .background)
        for (picture, result) in zip(pictures, results) {
            let finding: Examination.Finding
            switch result {
            case .success(let facts): finding = .picture(facts, picture.fingerprint)
            case .failure(let error):
                // Its disk may not answer, and then does not close it either.
                FileCalls.shared.closeHere(picture.descriptor, of: picture.file.path)
                guard let found = Self.finding(after: error) else { continue }
                finding = found
            }
            examinations.append(Examination(file: picture.file, finding: finding))
        }
        return examinations
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

    /// What a file says about the photo beside it; nil unless it is a sidecar file.
    private func sidecar(_ file: PendingFile, _ descriptor: Descriptor) async -> PhotoDetails? {
        guard SidecarName.isPossible(file.name) else { return nil }
        do throws(DecodeError) {
            return try await decoders.run(.sidecar, on: descriptor, priority: .background)
        } catch {
            // Whatever it is, or whatever is wrong with it, is found out as for any other file.
            return nil
        }
    }
}
