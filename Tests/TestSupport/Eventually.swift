// SPDX-License-Identifier: MIT

/// The error for a condition that was not met in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// Waits for a condition by polling, never for a fixed time.
///
/// The limit only decides when a test fails; it is long, because a machine may be slow and busy.
///
/// - Parameters:
///   - what: A name for the condition, for the error message.
///   - condition: Returns a value once the condition holds.
package func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(120),
    _ condition: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < deadline else {
            throw NeverHappened(description: "within \(limit) there was no \(what)")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Waits until a value is what it should become; the error names the last one.
package func eventually<Value: Equatable>(
    _ what: String, is wanted: Value, within limit: Duration = .seconds(120),
    _ value: () async throws -> Value
) async throws {
    var last: Value?
    do {
        try await eventually(what, within: limit) {
            last = try await value()
            return last == wanted
        }
    } catch let error as NeverHappened {
        let found = last.map { "\($0)" } ?? "nothing"
        throw NeverHappened(description: "\(error): \(wanted), but \(found)")
    }
}

/// Waits until a condition is true.
package func eventually(
    _ what: String, within limit: Duration = .seconds(120),
    _ condition: () async throws -> Bool
) async throws {
    let _: Void = try await eventually(what, within: limit) {
        try await condition() ? () : nil
    }
}
