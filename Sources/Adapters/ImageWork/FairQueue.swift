// SPDX-License-Identifier: MIT

/// A queue in which clients take turns; in each turn, a client's oldest element comes first.
///
/// A client with a thousand elements does not delay a client with one.
struct FairQueue<Client: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The elements of one client; those before `first` have already been removed.
    private struct Line {
        var elements: [Element] = []
        var first = 0

        var isEmpty: Bool { first == elements.count }

        mutating func removeFirst() -> Element {
            defer {
                first += 1
                // Shifts the array only rarely, so that the cost of removal does not depend on the
                // length.
                if first > 64, first * 2 > elements.count {
                    elements.removeFirst(first)
                    first = 0
                }
            }
            return elements[first]
        }
    }

    private var lines: [Client: Line] = [:]
    /// The order in which the clients take turns.
    private var turns: [Client] = []

    mutating func append(_ element: Element, of client: Client) {
        if lines[client] == nil { turns.append(client) }
        lines[client, default: Line()].elements.append(element)
    }

    /// Removes and returns the oldest element of the next client.
    mutating func popFirst() -> Element? {
        guard let client = turns.first, var line = lines[client] else { return nil }
        turns.removeFirst()
        let element = line.removeFirst()
        if line.isEmpty {
            lines[client] = nil
        } else {
            lines[client] = line
            turns.append(client)
        }
        return element
    }
}
