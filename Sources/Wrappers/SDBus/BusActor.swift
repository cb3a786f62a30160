// SPDX-License-Identifier: MIT

/// The thread that owns every `sd_bus` of the process.
///
/// Code on this actor must not block: a stalled bus thread delays all clients.
@globalActor
package actor BusActor {
    package static let shared = BusActor()
    static let loop = EventLoopThread(name: "bus")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.loop.asUnownedSerialExecutor()
    }

    /// Runs code for a C callback, which libsystemd calls on the bus thread.
    ///
    /// Traps on any other thread: that would be an error in our code, not in a peer's.
    static func assumeIsolated<Result: Sendable>(
        _ operation: @BusActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // The equivalent of MainActor.assumeIsolated, which Swift does not provide for other global
        // actors.
        return try withoutActuallyEscaping(operation) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }
}
