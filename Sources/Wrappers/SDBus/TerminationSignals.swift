// SPDX-License-Identifier: MIT

internal import CSDBus
import Processes

/// The signals that end a service, received on the bus thread.
package enum TerminationSignals {
    /// Waits for `terminationSignals` of the module Processes, which all threads must block.
    ///
    /// - Returns: The number of each signal.
    @BusActor
    package static func receive() -> AsyncStream<CInt> {
        let (stream, continuation) = AsyncStream<CInt>.makeStream()
        let context = Unmanaged.passRetained(SignalContext(continuation)).toOpaque()
        for number in terminationSignals {
            let added = sd_event_add_signal(
                BusActor.loop.event, nil, number,
                { _, information, context in
                    guard let information else { return 0 }
                    Unmanaged<SignalContext>.borrow(context)?.continuation
                        .yield(CInt(bitPattern: information.pointee.ssi_signo))
                    return 0
                }, context)
            precondition(added >= 0, "signal \(number) is not blocked in all threads")
        }
        return stream
    }
}

/// Keeps a continuation alive for a C pointer as long as the process runs.
private final class SignalContext: Sendable {
    let continuation: AsyncStream<CInt>.Continuation

    init(_ continuation: AsyncStream<CInt>.Continuation) {
        self.continuation = continuation
    }
}
