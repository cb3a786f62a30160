// SPDX-License-Identifier: MIT

import SDBus

/// Decides which URI is next.
///
/// Urgent requests come first, and senders take turns. Among the requests of one sender, the latest
/// urgent one comes first, then the oldest of the others.
///
/// - Isolation: the bus thread.
@BusActor
struct ThumbnailSchedule {
    /// The unfinished requests of each sender, oldest first.
    private var requests: [BusName: [ThumbnailRequest]] = [:]
    private var turns: [BusName] = []

    mutating func add(_ request: ThumbnailRequest) {
        if requests[request.sender] == nil { turns.append(request.sender) }
        requests[request.sender, default: []].append(request)
    }

    /// Takes the next URI and counts it as in progress.
    mutating func next(isUrgentOnly: Bool) -> (request: ThumbnailRequest, uri: String)? {
        for isUrgent in isUrgentOnly ? [true] : [true, false] {
            for (position, sender) in turns.enumerated() {
                guard let request = choose(isUrgent, of: sender), let uri = request.take() else {
                    continue
                }
                turns.remove(at: position)
                turns.append(sender)
                if !request.hasWork { remove(request) }
                return (request, uri)
            }
        }
        return nil
    }

    mutating func remove(_ request: ThumbnailRequest) {
        // The one that is chosen first is found first, however many there are.
        let own = requests[request.sender] ?? []
        let index =
            request.isUrgent
            ? own.lastIndex { $0 === request } : own.firstIndex { $0 === request }
        if let index { requests[request.sender]?.remove(at: index) }
        guard requests[request.sender]?.isEmpty ?? false else { return }
        requests[request.sender] = nil
        turns.removeAll { $0 == request.sender }
    }

    private func choose(_ isUrgent: Bool, of sender: BusName) -> ThumbnailRequest? {
        let own = requests[sender] ?? []
        return isUrgent
            ? own.last { $0.isUrgent && $0.hasWork } : own.first { !$0.isUrgent && $0.hasWork }
    }
}
