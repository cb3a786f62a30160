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
    /// The requests of one sender that have URIs left, oldest first.
    ///
    /// In two lists, because there may be any number of the one kind before one of the other.
    private struct Own {
        var urgent: [ThumbnailRequest] = []
        var others: [ThumbnailRequest] = []

        var isEmpty: Bool { urgent.isEmpty && others.isEmpty }
    }

    private var requests: [BusName: Own] = [:]
    private var turns: [BusName] = []

    mutating func add(_ request: ThumbnailRequest) {
        guard request.hasWork else { return }
        if requests[request.sender] == nil { turns.append(request.sender) }
        if request.isUrgent {
            requests[request.sender, default: Own()].urgent.append(request)
        } else {
            requests[request.sender, default: Own()].others.append(request)
        }
    }

    /// Takes the next URI and counts it as in progress.
    mutating func next(isUrgentOnly: Bool) -> (request: ThumbnailRequest, uri: String)? {
        for isUrgent in isUrgentOnly ? [true] : [true, false] {
            for (position, sender) in turns.enumerated() {
                let first =
                    isUrgent ? requests[sender]?.urgent.last : requests[sender]?.others.first
                guard let request = first, let uri = request.take() else { continue }
                turns.remove(at: position)
                turns.append(sender)
                if !request.hasWork { remove(request) }
                return (request, uri)
            }
        }
        return nil
    }

    mutating func remove(_ request: ThumbnailRequest) {
        let sender = request.sender
        // The one that is chosen first is found first, and no array is copied.
        if let index = requests[sender]?.urgent.lastIndex(where: { $0 === request }) {
            requests[sender]?.urgent.remove(at: index)
        } else if let index = requests[sender]?.others.firstIndex(where: { $0 === request }) {
            requests[sender]?.others.remove(at: index)
        }
        guard requests[sender]?.isEmpty ?? false else { return }
        requests[sender] = nil
        turns.removeAll { $0 == sender }
    }

    /// Makes the requests of a sender less urgent, as those that came last.
    mutating func demote(_ sender: BusName) {
        guard var own = requests[sender] else { return }
        own.others += own.urgent
        own.urgent = []
        requests[sender] = own
    }
}
