// SPDX-License-Identifier: MIT

/// The jobs that wait for a decoder, and the count of the threads that take them.
struct DecoderQueue {
    private var waiting: [FairQueue<String, UInt64>] = DecoderPool.Priority.allCases.map { _ in
        FairQueue()
    }
    private(set) var tickets: [UInt64: DecoderTicket] = [:]
    private(set) var isClosed = false
    var startedWorkers = 0
    var idleWorkers = 0

    /// Adds a job; false if the queue is closed.
    mutating func add(_ ticket: DecoderTicket, _ number: UInt64) -> Bool {
        guard !isClosed else { return false }
        tickets[number] = ticket
        wait(for: ticket, number)
        return true
    }

    /// Gives jobs their place according to a priority that has risen.
    mutating func move(_ urgency: Urgency) {
        for (number, ticket) in tickets where ticket.urgency === urgency {
            // The copy in the old place is skipped, because it has no ticket.
            wait(for: ticket, number)
        }
    }

    private mutating func wait(for ticket: DecoderTicket, _ number: UInt64) {
        waiting[ticket.urgency.priority.rawValue].append(number, of: ticket.client)
    }

    /// Removes and returns the most urgent job; skips cancelled jobs, which are no longer in
    /// `tickets`.
    mutating func popFirst() -> DecoderTicket? {
        for priority in waiting.indices {
            while let number = waiting[priority].popFirst() {
                if let ticket = tickets.removeValue(forKey: number) { return ticket }
            }
        }
        return nil
    }

    mutating func remove(_ number: UInt64) -> DecoderTicket? {
        tickets.removeValue(forKey: number)
    }

    /// Refuses further jobs.
    ///
    /// - Returns: The jobs that were waiting.
    mutating func close() -> [DecoderTicket] {
        isClosed = true
        defer { tickets = [:] }
        return Array(tickets.values)
    }
}
