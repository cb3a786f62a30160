// SPDX-License-Identifier: MIT

package import Files
package import Photos
internal import Processes
package import SystemPackage

/// Decoder processes: those for pictures, for HEIF, AVIF and JPEG XL, for pictures in rare formats, and for
/// videos.
///
/// A job goes to the pictures' program first. Of files in HEIF, AVIF or JPEG XL it only knows what they
/// are, so their jobs go on to a program of their own. If a job cannot be done with a video, or a sequence
/// of pictures, it goes on to the videos' program; if a picture cannot be decoded, to the program for rare
/// formats, which has more libraries.
package final class DecoderPool: Sendable {
    /// How urgent a job is.
    package enum Priority: Int, CaseIterable, Sendable {
        /// The person is looking at the place where the result will appear.
        case visible = 0
        case background = 1
    }

    /// How much work a process may do before it is replaced.
    package struct Lifetime: Sendable {
        package let jobs: Int
        /// The most bytes of files.
        package let bytes: Int64

        package init(jobs: Int = 1000, bytes: Int64 = 8 << 30) {
            self.jobs = jobs
            self.bytes = bytes
        }
    }

    private let pictures: DecoderWorkers
    private let heif: DecoderWorkers?
    private let rare: DecoderWorkers?
    private let videos: DecoderWorkers?
    /// The same program; what is being played does not wait for thumbnails.
    private let players: DecoderWorkers?
    private let collection: CollectionFolders
    /// Differs whenever one of the programs does.
    ///
    /// A different program may make something else of the same file.
    package let revision: String

    /// The factor by which the time limit grows for a video, of which several frames are decoded.
    private static let patience = 4
    /// The most videos that are played at a time: one in each of a few windows, and one that still ends.
    private static let playerCount = 4
    /// How long a disk may take to read the first bytes, which a decoder has just read.
    private static let headPatience = Duration.seconds(5)

    /// Makes a pool; processes start with the first jobs.
    ///
    /// - Parameters:
    ///   - program: The decoder of pictures.
    ///   - heif: The decoder of HEIF, AVIF and JPEG XL; nil for none. A program that does not exist
    ///     counts as none.
    ///   - rare: The decoder of rare formats; the same.
    ///   - videos: The decoder of videos; the same.
    ///   - workers: The most pictures at a time, and of those in HEIF, AVIF or JPEG XL; there is one
    ///     video and one rare picture at a time.
    ///   - timeout: The time limit for one job; six times as long for making a derived file, and four
    ///     times for a video.
    ///   - idleTime: A process ends after this many seconds without work.
    ///   - lifetime: How much work a process may do before it is replaced.
    ///   - collection: The folders of files with ``FileOrigin/collection``.
    package init(
        program: FilePath, heif: FilePath? = nil, rare: FilePath? = nil, videos: FilePath? = nil,
        workers: Int,
        timeout: Duration = .seconds(5), idleTime: Int = 10, lifetime: Lifetime = Lifetime(),
        collection: [FilePath] = []
    ) {
        pictures = DecoderWorkers(
            program: program, workers: workers, timeout: timeout, idleTime: idleTime,
            lifetime: lifetime)
        func others(
            _ program: FilePath?, _ timeout: Duration, workers: Int = 1,
            lifetime: Lifetime = lifetime
        ) -> DecoderWorkers? {
            // Only whether it is there matters here; a program that cannot be started fails its jobs.
            guard let program, (try? program.stat()) != nil else { return nil }
            return DecoderWorkers(
                program: program, workers: workers, timeout: timeout, idleTime: idleTime,
                lifetime: lifetime)
        }
        self.heif = others(heif, timeout, workers: workers)
        self.rare = others(rare, timeout)
        self.videos = others(videos, timeout * Self.patience)
        // Each process plays one file, of which every frame counts as a job.
        players = others(
            videos, timeout, workers: Self.playerCount,
            lifetime: Lifetime(jobs: .max, bytes: .max))
        self.collection = CollectionFolders(collection)
        revision = [program, heif, rare, videos].map { program in
            // A program that is not there makes nothing.
            guard let file = try? program?.stat() else { return "none" }
            return "\(file.size) \(file.modifiedNanoseconds)"
        }.joined(separator: " ")
    }

    /// Has a decoder do a job.
    ///
    /// Cancelling the task removes a waiting job from the queue. A job that is in progress is
    /// finished and its result discarded.
    ///
    /// - Parameters:
    ///   - priority: Visible jobs come before background jobs of any client.
    ///   - client: Clients with equally urgent jobs take turns.
    ///   - origin: Where the file comes from; nil for where it is.
    /// - Throws: ``DecodeError``, `.cancelled` if the task or the pool was cancelled.
    package func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, priority: Priority, client: String = "",
        origin: FileOrigin? = nil
    ) async throws(DecodeError) -> Job.Reply {
        try await run(
            job, on: file, urgency: Urgency(priority), client: client, origin: origin)
    }

    /// Has a decoder do a job that may become more urgent while it waits.
    package func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, urgency: Urgency, client: String = "",
        origin: FileOrigin? = nil
    ) async throws(DecodeError) -> Job.Reply {
        let place: DecoderTicket.Place
        if let origin {
            place = .origin(origin)
        } else {
            place = .origin(await self.origin(of: file))
        }
        return try await run(job, on: file, Route(urgency, client, place))
    }

    /// Has decoders do the same job on each of several files.
    ///
    /// This takes less time than to call them one by one, because the caller is resumed only once where
    /// the decoder of pictures can do the job.
    ///
    /// - Returns: A result for each file; `.cancelled` for those that were waiting when the task was
    ///   cancelled.
    package func run<Job: DecoderJob>(
        _ job: Job, onEach files: [Descriptor], priority: Priority, client: String = ""
    ) async -> [Result<Job.Reply, DecodeError>] {
        let urgency = Urgency(priority)
        var places: [(file: Descriptor, place: DecoderTicket.Place)] = []
        for file in files { places.append((file, .origin(await origin(of: file)))) }
        var results = await pictures.run(job, onEach: places, urgency: urgency, client: client)
        await withTaskGroup(of: (Int, Result<Job.Reply, DecodeError>).self) { group in
            for (index, result) in results.enumerated() {
                if case .success(let reply) = result, !job.isIncomplete(reply) { continue }
                let (file, place) = places[index]
                group.addTask {
                    let route = Route(urgency, client, place)
                    do throws(DecodeError) {
                        let reply = try await self.complete(result, of: job, on: file, route)
                        return (index, .success(reply))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for await (index, result) in group { results[index] = result }
        }
        return results
    }

    /// Has a decoder of a session do a job.
    func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, in session: DecoderSession
    ) async throws(DecodeError) -> Job.Reply {
        try await run(
            job, on: file,
            Route(
                urgency: Urgency(.visible), client: session.client,
                pictures: .reserved(session.pictures), heif: .reserved(session.heif),
                rare: .reserved(session.rare), videos: .reserved(session.videos)))
    }

    /// Decoders that see no other file than the one that an app receives.
    ///
    /// - Parameter client: Clients with equally urgent jobs take turns.
    package func session(client: String = "") -> DecoderSession {
        DecoderSession(self, client: client)
    }

    /// Plays a video or an animation; nil if there is no program for that.
    package func player(of file: Descriptor) -> FramePlayer? {
        players.map { FramePlayer(file, $0) }
    }

    /// Where an open file comes from.
    package func origin(of file: Descriptor) async -> FileOrigin {
        await collection.origin(of: file)
    }

    /// How a job goes through the queues, and the processes that it needs.
    fileprivate struct Route {
        let urgency: Urgency
        let client: String
        let pictures: DecoderTicket.Place
        let heif: DecoderTicket.Place
        let rare: DecoderTicket.Place
        let videos: DecoderTicket.Place
    }

    private func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, _ route: Route
    ) async throws(DecodeError) -> Job.Reply {
        let answer = await pictures.run(
            job, onEach: [(file, route.pictures)], urgency: route.urgency, client: route.client)
        return try await complete(answer.first ?? .failure(.cancelled), of: job, on: file, route)
    }

    /// Asks other decoders where that of pictures could not do a job, or not all of it.
    ///
    /// - Parameter answer: Of the decoder of pictures.
    private func complete<Job: DecoderJob>(
        _ answer: Result<Job.Reply, DecodeError>, of job: Job, on file: Descriptor, _ route: Route
    ) async throws(DecodeError) -> Job.Reply {
        func ask(
            _ workers: DecoderWorkers, _ place: DecoderTicket.Place
        ) async throws(DecodeError) -> Job.Reply {
            try await workers.run(
                job, on: file, urgency: route.urgency, client: route.client, place: place)
        }
        func askForPicture() async throws(DecodeError) -> Job.Reply {
            do throws(DecodeError) {
                return try answer.get()
            } catch {
                guard error == .unsupported, let heif,
                    MediaType.sniffed(from: try await head(of: file))?.entry?.decoder == .heif
                else { throw error }
                return try await ask(heif, route.heif)
            }
        }
        do throws(DecodeError) {
            let reply = try await askForPicture()
            guard let videos, job.isIncomplete(reply) else { return reply }
            do throws(DecodeError) {
                return try await ask(videos, route.videos)
            } catch {
                // What is known of the video is better than nothing.
                if error == .cancelled { throw error }
                return reply
            }
        } catch {
            guard error == .unsupported, Job.needsPixels else { throw error }
            let head = try await head(of: file)
            guard let type = MediaType.sniffed(from: head) else { throw error }
            if MediaType.isSequence(head) || (type.isVideo && Job.isForVideos) {
                guard let videos else { throw error }
                return try await ask(videos, route.videos)
            }
            guard type.isImage, type.entry?.decoder != .heif, let rare else { throw error }
            return try await ask(rare, route.rare)
        }
    }

    /// The first bytes of a file.
    ///
    /// - Throws: `.cancelled`, `.stalled` if its disk does not answer, `.unreadable`: that it is nothing that
    ///   anybody can decode is not known then.
    private func head(of file: Descriptor) async throws(DecodeError) -> [UInt8] {
        let path = file.resolvedPath ?? "/"
        let head = await FileCalls.shared.run(on: path, within: Self.headPatience) { _ in
            Result { () throws(Errno) in try file.read(upTo: MediaType.sniffedByteCount) }
        }
        guard !Task.isCancelled else { throw .cancelled }
        switch head {
        case .success(let bytes): return bytes
        case .failure: throw .unreadable
        case nil: throw .stalled
        }
    }

    /// Gives jobs the visible priority: those that are waiting, and those that will be added.
    package func hurry(_ urgency: Urgency) {
        guard urgency.raise() else { return }
        for workers in [pictures, heif, rare, videos] { workers?.move(urgency) }
    }

    /// The media types that the decoders on this machine support; empty if no decoder can be
    /// started.
    package func supportedTypes() async -> [MediaType] {
        async let ownTypes = supportedTypes(pictures)
        async let otherTypes = supportedTypes(heif)
        // Nothing can be decoded without the decoder of pictures, which is asked first, and every job reports
        // the reason.
        let types = await ownTypes ?? []
        let heifTypes = await otherTypes
        guard !types.isEmpty else { return [] }
        return MediaType.table.filter { entry in
            switch entry.decoder {
            // One that does not answer now may answer later.
            case .heif: heif != nil && heifTypes?.contains(entry.type) ?? true
            // What these support does not depend on what is installed, and asking would start a process.
            case .rare: rare != nil
            case .usual:
                types.contains(entry.type) || (videos != nil && entry.type.isVideo)
            }
        }.map(\.type)
    }

    /// The media types that a decoder supports itself; nil if it does not answer.
    private func supportedTypes(_ workers: DecoderWorkers?) async -> [MediaType]? {
        guard let workers,
            let file = try? MemoryFile.make(named: "empty", holding: [0])
        else { return nil }
        return try? await workers.run(
            SupportedTypesJob(), on: file, urgency: Urgency(.visible), client: "",
            place: .origin(.elsewhere)
        ).types
    }

    /// Ends all processes; waiting jobs fail with `.cancelled`.
    package func close() {
        for workers in [pictures, heif, rare, videos, players] { workers?.close() }
    }

    /// The number of pictures that wait for a worker.
    package var waitingCount: Int { pictures.waitingCount }
}

extension DecoderPool.Route {
    /// A route on which all processes are in one place.
    fileprivate init(_ urgency: Urgency, _ client: String, _ place: DecoderTicket.Place) {
        self.init(
            urgency: urgency, client: client, pictures: place, heif: place, rare: place,
            videos: place)
    }
}
