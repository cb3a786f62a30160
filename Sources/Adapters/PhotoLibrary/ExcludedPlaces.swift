// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import Processes
import Synchronization
internal import SystemPackage

/// Where excluded folders really are, found out without waiting for a disk that does not answer.
///
/// A person may exclude a folder because its disk is slow or often away. While it does not answer, the
/// folder counts as where it was found before, or as a path without links.
final class ExcludedPlaces: Sendable {
    /// A search in progress.
    private struct Search {
        let isOver = DispatchGroup()
        let deadline = DispatchTime.now() + ExcludedPlaces.patience
    }

    private struct Finding {
        /// The path with links resolved; nil if there is no such folder.
        let place: FilePath?
        let time = ContinuousClock.now
    }

    private struct State {
        var findings: [FilePath: Finding] = [:]
        var searches: [FilePath: Search] = [:]
    }

    /// For all folders of the process.
    static let shared = ExcludedPlaces()

    /// How long a disk may take to answer.
    private static let patience = DispatchTimeInterval.seconds(1)
    /// How long a folder is taken to be where it was found.
    private static let freshness = Duration.seconds(1)

    private let state = Mutex(State())

    /// The places of some folders, and their paths.
    ///
    /// - Isolation: any thread; blocks for a moment, and for a second when a disk has just begun not to
    ///   answer.
    func places(of folders: Set<FilePath>) -> [FilePath] {
        for search in folders.compactMap({ search($0) }) {
            _ = search.isOver.wait(timeout: search.deadline)
        }
        return state.withLock { state in
            folders.flatMap { [$0] + [state.findings[$0]?.place].compactMap(\.self) }
        }
    }

    /// Begins to look for a folder, if nobody does; nil if it was found a moment ago.
    private func search(_ folder: FilePath) -> Search? {
        let (search, isNew): (Search?, Bool) = state.withLock { state in
            if let search = state.searches[folder] { return (search, false) }
            if let finding = state.findings[folder],
                finding.time.duration(to: .now) < Self.freshness
            {
                return (nil, false)
            }
            let search = Search()
            search.isOver.enter()
            state.searches[folder] = search
            return (search, true)
        }
        guard isNew, let search else { return search }
        DedicatedThread.start(named: "excluded") { [self] in
            // A folder that does not exist contains nothing that could be shown.
            let place = (try? Place(folder))?.path
            state.withLock { state in
                state.findings[folder] = Finding(place: place)
                state.searches[folder] = nil
            }
            search.isOver.leave()
        }
        return search
    }
}
