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

    /// Runs code that a C callback was called for on the bus thread.
    ///
    /// Traps on any other thread: that would be a mistake of ours, not of a peer.
    static func assumeIsolated<Result: Sendable>(
        _ operation: @BusActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // What MainActor.assumeIsolated does; global actors of one's own do not get it.
        return try withoutActuallyEscaping(operation) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }
}
