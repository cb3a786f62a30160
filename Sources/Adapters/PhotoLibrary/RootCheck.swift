// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Files
internal import Processes
import Synchronization
internal import SystemPackage

/// Finds out which roots of the library answer, without waiting for a disk that does not.
///
/// A walk would wait for such a disk for ever, and no new photo in another folder would be found.
final class RootCheck: Sendable {
    /// What is known of the roots at the moment.
    struct Answers: Sendable {
        /// Roots that are not there, or that we may not read.
        fileprivate(set) var missing: Set<FilePath> = []
        /// Roots that are links, as far as that is known; a silent one as it was when it last answered.
        fileprivate(set) var links: Set<FilePath> = []
        /// Roots on a disk that does not answer.
        fileprivate(set) var silent: Set<FilePath> = []

        /// Whether a path is in a root on a disk that does not answer.
        func isSilent(_ path: FilePath) -> Bool {
            silent.contains { path.starts(with: $0) }
        }
    }

    /// A look at a root, in progress.
    private struct Look {
        let isOver = DispatchGroup()
        let deadline = DispatchTime.now() + RootCheck.patience
        /// Whether somebody went on without its result.
        var isLate = false
    }

    private struct State {
        var looks: [FilePath: Look] = [:]
        var missing: Set<FilePath> = []
        var links: Set<FilePath> = []
    }

    /// How long a disk may take to answer; one that has to start to turn answers later.
    private static let patience = DispatchTimeInterval.seconds(2)

    private let state = Mutex(State())
    private let onAnswer: @Sendable () -> Void

    /// - Parameter onAnswer: Called, on any thread, when a root answers that was silent.
    init(onAnswer: @escaping @Sendable () -> Void) {
        self.onAnswer = onAnswer
    }

    /// Looks at roots.
    ///
    /// - Isolation: any thread; blocks for a moment, and for two seconds when a disk has just begun not
    ///   to answer.
    func answers(of roots: [FilePath]) -> Answers {
        let looks = roots.map { ($0, look(at: $0)) }
        var answers = Answers()
        for (root, look) in looks where look.isOver.wait(timeout: look.deadline) == .timedOut {
            // It may have answered just now.
            let isSilent = state.withLock { $0.looks[root]?.isLate = true } != nil
            if isSilent { answers.silent.insert(root) }
        }
        let (missing, links) = state.withLock { ($0.missing, $0.links) }
        answers.missing = missing.intersection(roots).subtracting(answers.silent)
        answers.links = links.intersection(roots)
        return answers
    }

    /// Begins to look at a root, unless a look is in progress.
    private func look(at root: FilePath) -> Look {
        let (look, isNew): (Look, Bool) = state.withLock { state in
            if let look = state.looks[root] { return (look, false) }
            let look = Look()
            look.isOver.enter()
            state.looks[root] = look
            return (look, true)
        }
        guard isNew else { return look }
        DedicatedThread.start(named: "root") { [self] in
            let isMissing = Self.isMissing(root)
            let isLink = Self.isLink(root)
            let wasLate: Bool? = state.withLock { state in
                if isMissing { state.missing.insert(root) } else { state.missing.remove(root) }
                if isLink { state.links.insert(root) } else { state.links.remove(root) }
                return state.looks.removeValue(forKey: root)?.isLate
            }
            look.isOver.leave()
            if wasLate == true { onAnswer() }
        }
        return look
    }

    /// Whether the name of a root itself is a link.
    private static func isLink(_ root: FilePath) -> Bool {
        (try? root.stat(followTargetSymlink: false))?.type == .symbolicLink
    }

    /// Whether a root is not there, or may not be read.
    private static func isMissing(_ root: FilePath) -> Bool {
        guard (try? root.stat()) != nil else { return true }
        do throws(Errno) {
            // What a walk begins with.
            _ = try Descriptor.openFolder(root).isInPseudoFileSystem
            return false
        } catch {
            return error == .permissionDenied
        }
    }
}
