// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import SystemPackage

/// Decoder processes: those for pictures, and those for videos.
///
/// A job goes to the pictures' program first, which knows every type of file. If it says that the file
/// is a video, the job goes on to the videos' program.
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
    private let videos: DecoderWorkers?
    private let collection: CollectionFolders

    /// The factor by which the time limit grows for a video, of which several frames are decoded.
    private static let patience = 4

    /// Makes a pool; processes start with the first jobs.
    ///
    /// - Parameters:
    ///   - program: The decoder of pictures.
    ///   - videos: The decoder of videos; nil for none. A program that does not exist counts as none.
    ///   - workers: The most pictures at a time; there is one video at a time.
    ///   - timeout: The time limit for one job; six times as long for making a derived file, and four
    ///     times for a video.
    ///   - idleTime: A process ends after this many seconds without work.
    ///   - lifetime: How much work a process may do before it is replaced.
    ///   - collection: The folders of files with ``FileOrigin/collection``.
    package init(
        program: FilePath, videos: FilePath? = nil, workers: Int,
        timeout: Duration = .seconds(5), idleTime: Int = 10, lifetime: Lifetime = Lifetime(),
        collection: [FilePath] = []
    ) {
        pictures = DecoderWorkers(
            program: program, workers: workers, timeout: timeout, idleTime: idleTime,
            lifetime: lifetime)
        // Only whether it is there matters here; a program that cannot be started fails its jobs.
        let installed = videos.flatMap { (try? $0.stat()) == nil ? nil : $0 }
        self.videos = installed.map {
            DecoderWorkers(
                program: $0, workers: 1, timeout: timeout * Self.patience, idleTime: idleTime,
                lifetime: lifetime)
        }
        self.collection = CollectionFolders(collection)
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
        let place = DecoderTicket.Place.origin(origin ?? self.origin(of: file))
        return try await run(
            job, on: file, Route(urgency: urgency, client: client, pictures: place, videos: place))
    }

    /// Has a decoder of a session do a job.
    func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, in session: DecoderSession
    ) async throws(DecodeError) -> Job.Reply {
        try await run(
            job, on: file,
            Route(
                urgency: Urgency(.visible), client: "", pictures: .reserved(session.pictures),
                videos: .reserved(session.videos)))
    }

    /// Decoders that see no other file than the one that an app receives.
    package func session() -> DecoderSession { DecoderSession(self) }

    /// Where an open file comes from.
    package func origin(of file: Descriptor) -> FileOrigin { collection.origin(of: file) }

    /// How a job goes through the queues, and the processes that it needs.
    private struct Route {
        let urgency: Urgency
        let client: String
        let pictures: DecoderTicket.Place
        let videos: DecoderTicket.Place
    }

    private func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, _ route: Route
    ) async throws(DecodeError) -> Job.Reply {
        func askVideos(_ videos: DecoderWorkers) async throws(DecodeError) -> Job.Reply {
            try await videos.run(
                job, on: file, urgency: route.urgency, client: route.client, place: route.videos)
        }
        do throws(DecodeError) {
            let reply = try await pictures.run(
                job, on: file, urgency: route.urgency, client: route.client, place: route.pictures)
            guard let videos, job.isIncomplete(reply) else { return reply }
            do throws(DecodeError) {
                return try await askVideos(videos)
            } catch {
                // What is known of the video is better than nothing.
                if error == .cancelled { throw error }
                return reply
            }
        } catch {
            // A file that cannot be read any more counts as no video, so the first error is reported.
            guard error == .unsupported, Job.isForVideos, let videos,
                let head = try? file.read(upTo: MediaType.sniffedByteCount),
                MediaType.sniffed(from: head)?.isVideo == true
            else { throw error }
            return try await askVideos(videos)
        }
    }

    /// Gives jobs the visible priority: those that are waiting, and those that will be added.
    package func hurry(_ urgency: Urgency) {
        guard urgency.raise() else { return }
        pictures.move(urgency)
        videos?.move(urgency)
    }

    /// The media types that the decoders on this machine support; empty if no decoder can be
    /// started.
    package func supportedTypes() async -> [MediaType] {
        do {
            let file = try MemoryFile.make(named: "empty", holding: [0])
            let types = try await run(.supportedTypes, on: file, priority: .visible).types
            // Those of videos do not depend on what is installed, and asking would start a process.
            return types + (videos == nil ? [] : MediaType.recognized.filter(\.isVideo))
        } catch {
            // Nothing can be decoded without a decoder, and every job reports the reason.
            return []
        }
    }

    /// Ends all processes; waiting jobs fail with `.cancelled`.
    package func close() {
        pictures.close()
        videos?.close()
    }

    /// The number of pictures that wait for a worker.
    package var waitingCount: Int { pictures.waitingCount }
}
