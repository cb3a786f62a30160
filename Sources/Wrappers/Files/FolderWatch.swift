// SPDX-License-Identifier: MIT

package import Dispatch
import Glibc
import Synchronization
package import SystemPackage

/// Watches folders for changes of their entries.
///
/// - Source: inotify(7).
package final class FolderWatch: Sendable {
    /// A change, described as coarsely as a rescan needs it.
    package enum Event: Hashable, Sendable {
        /// A name in this folder appeared, changed or disappeared.
        case changed(FilePath)
        /// The folder itself is gone, and is no longer watched.
        case gone(FilePath)
        /// Events were dropped, by the kernel or because nobody read them, so anything may have
        /// changed.
        case overflow
    }

    /// Events in the order in which the kernel reported them; for one reader.
    package let events: AsyncStream<Event>

    private struct State {
        var folders: [CInt: FilePath] = [:]
        var watches: [FilePath: CInt] = [:]
    }

    private let state = Mutex(State())
    private let inotify: Descriptor
    // Sound: dispatch sources are thread-safe, though not declared so.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let continuation: AsyncStream<Event>.Continuation

    private let mask: UInt32
    private let limit: Int
    private let pause: DispatchTimeInterval?
    private let queue = DispatchQueue(label: "folder-watch")

    private static let namesAndFinishedWrites =
        IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// Makes a watch without folders.
    ///
    /// - Parameters:
    ///   - includesWrites: Whether every write to a file is an event, which files that stay open
    ///     need. Otherwise only the end of writing is.
    ///   - limit: The most folders to watch.
    ///   - pause: How long the kernel gathers events after some were read; it keeps
    ///     equal ones that follow each other once.
    ///   - mostUnread: The most events that wait to be read; as many as the kernel keeps by default.
    /// - Throws: `Errno` of inotify_init1(2); `.tooManyOpenFiles` when the user has too many.
    package init(
        includesWrites: Bool = false, limit: Int = .max, pause: DispatchTimeInterval? = nil,
        mostUnread: Int = 16_384
    ) throws(Errno) {
        self.limit = limit
        self.pause = pause
        mask = UInt32(Self.namesAndFinishedWrites | (includesWrites ? IN_MODIFY : 0))
        let number = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard number >= 0 else { throw Errno(rawValue: errno) }
        inotify = Descriptor(owning: FileDescriptor(rawValue: number))
        (events, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(mostUnread))
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { [weak self] in self?.drain() }
        // The descriptor must outlive the source, which ends asynchronously.
        source.setCancelHandler { [inotify] in withExtendedLifetime(inotify) {} }
        source.activate()
    }

    deinit {
        source.cancel()
        continuation.finish()
    }

    /// Watches a folder.
    ///
    /// Adding a folder twice is not an error.
    ///
    /// - Parameter opened: The open folder; nil for what the path leads to.
    /// - Throws: `Errno` of inotify_add_watch(2); `.noSpace` when our limit or the user's
    ///   (`fs.inotify.max_user_watches`) is reached.
    package func add(_ folder: FilePath, _ opened: Descriptor? = nil) throws(Errno) {
        guard state.withLock({ $0.watches[folder] != nil || $0.watches.count < limit }) else {
            throw .noSpace
        }
        let name = opened.map { FilePath($0.ownName) } ?? folder
        let watch = name.withPlatformString { inotify_add_watch(inotify.rawValue, $0, mask) }
        guard watch >= 0 else { throw Errno(rawValue: errno) }
        state.withLock { state in
            // A folder that has moved here keeps the watch that it has, under this name alone.
            if let old = state.folders[watch] { state.watches[old] = nil }
            state.folders[watch] = folder
            let former = state.watches.updateValue(watch, forKey: folder)
            guard let former, former != watch else { return }
            // Another folder had the name, and has moved along with one above it, or has just gone.
            state.folders[former] = nil
            inotify_rm_watch(inotify.rawValue, former)
        }
    }

    /// Stops watching a folder.
    ///
    /// A folder that is not watched is not an error.
    package func remove(_ folder: FilePath) {
        state.withLock {
            guard let watch = $0.watches.removeValue(forKey: folder) else { return }
            $0.folders[watch] = nil
            inotify_rm_watch(inotify.rawValue, watch)
        }
    }

    private func drain() {
        if let pause { rest(pause) }
        // The kernel never splits an event, and one event is at most 16 + 256 bytes.
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            // EAGAIN: everything was read. Any other error comes again with the next event.
            while let count = try? inotify.fileDescriptor.read(into: buffer), count > 0 {
                tell(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    private func rest(_ pause: DispatchTimeInterval) {
        // Sound: dispatch sources are thread-safe, though not declared so.
        nonisolated(unsafe) let source = source
        source.suspend()
        // The source is kept until then: one that is suspended must not be released.
        queue.asyncAfter(deadline: .now() + pause) { source.resume() }
    }

    private func tell(_ records: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= records.count {
            let event = records.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
            guard let told = interpret(event) else { continue }
            // Later than whatever was dropped, even if it takes the place of another event.
            if case .dropped = continuation.yield(told) { continuation.yield(.overflow) }
        }
    }

    private func interpret(_ event: inotify_event) -> Event? {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return .overflow }
        return state.withLock { state in
            guard let folder = state.folders[event.wd] else { return nil }
            let isGone = event.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0
            guard isGone else { return .changed(folder) }
            state.folders[event.wd] = nil
            if state.watches[folder] == event.wd { state.watches[folder] = nil }
            if event.mask & UInt32(IN_MOVE_SELF) != 0 {
                inotify_rm_watch(inotify.rawValue, event.wd)
            }
            return .gone(folder)
        }
    }
}
