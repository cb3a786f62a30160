// SPDX-License-Identifier: MIT

import PortalInterface
import Processes
import SDBus

/// The instance that this one replaces.
@BusActor
final class Predecessor {
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private var watch: Subscription?

    /// Looks for it; nil if there is none.
    init?(on connection: Connection) async throws(DBusError) {
        guard let owner = try await connection.owner(of: PhotoPickerInterface.busName) else {
            return nil
        }
        (ends, end) = AsyncStream.makeStream()
        watch = try await connection.watchOwner(of: owner) { [end] owner in
            if owner == nil { end.yield() }
        }
        // It may have left before we listened.
        if try await connection.owner(of: owner) == nil { end.yield() }
    }

    /// Waits until it has left the bus, but not for one that hangs.
    func waitForEnd(within limit: Duration = .seconds(20)) async {
        let deadline = Deadlines.shared.add(after: limit) { [end] in end.yield() }
        defer { Deadlines.shared.remove(deadline) }
        for await _ in ends { break }
        watch?.cancel()
    }
}
