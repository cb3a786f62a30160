// SPDX-License-Identifier: MIT

/// Things that wait, of several clients: each client gets its turn, and in it its oldest thing.
///
/// A client with a thousand things does not keep one with a single thing waiting.
struct FairQueue<Client: Hashable & Sendable, Element: Sendable>: Sendable {
    /// What one client waits for; what was taken lies before `first`.
    private struct Line {
        var elements: [Element] = []
        var first = 0

        var isEmpty: Bool { first == elements.count }

        mutating func removeFirst() -> Element {
            defer {
                first += 1
                // Moved rarely, so that taking costs the same however long the line is.
                if first > 64, first * 2 > elements.count {
                    elements.removeFirst(first)
                    first = 0
                }
            }
            return elements[first]
        }
    }

    private var lines: [Client: Line] = [:]
    /// Whose turn is next.
    private var turns: [Client] = []

    mutating func append(_ element: Element, of client: Client) {
        if lines[client] == nil { turns.append(client) }
        lines[client, default: Line()].elements.append(element)
    }

    /// The oldest thing of the client whose turn it is.
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
