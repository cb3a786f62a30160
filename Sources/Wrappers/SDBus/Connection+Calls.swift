// SPDX-License-Identifier: MIT

internal import CSDBus

extension Connection {
    /// Calls a method and waits for the reply.
    ///
    /// Cancelling the task ends the wait; the peer is not told.
    ///
    /// - Parameters:
    /// - timeout: How long to wait; nil waits as long as the peer is on the bus. When the time is
    ///   up, the error is `org.freedesktop.DBus.Error.NoReply` or `Timeout`.
    /// - Throws: ``DBusError``: the peer's own error, an error of the bus if the peer does not
    ///   exist or has left, ``DBusError/cancelled``, or ``DBusError/disconnected``.
    package func call<Input: ArgumentList, Output: ArgumentList>(
        _ method: Method<Input, Output>, to destination: BusName, at path: ObjectPath,
        on interface: InterfaceName, _ input: Input, timeout: Duration? = .seconds(25)
    ) async throws(DBusError) -> Output {
        try await answer(
            to: method, of: destination, at: path, on: interface, input, timeout: timeout
        ).output
    }

    /// Calls a method like ``call(_:to:at:on:_:timeout:)``.
    ///
    /// - Returns: The reply, and the connection that sent it, which need not own the name any more.
    package func answer<Input: ArgumentList, Output: ArgumentList>(
        to method: Method<Input, Output>, of destination: BusName, at path: ObjectPath,
        on interface: InterfaceName, _ input: Input, timeout: Duration? = .seconds(25)
    ) async throws(DBusError) -> (output: Output, sender: BusName?) {
        guard !isClosed else { throw .disconnected }
        let pending = PendingCall(on: self)
        let request: Message
        do {
            request = try Message.making("sd_bus_message_new_method_call") {
                sd_bus_message_new_method_call(
                    bus, &$0, destination.rawValue, path.rawValue, interface.rawValue,
                    method.name.rawValue)
            }
            try request.append(input)
        } catch {
            throw DBusError(error)
        }
        openCalls[ObjectIdentifier(pending)] = pending
        defer { openCalls[ObjectIdentifier(pending)] = nil }
        let reply = try await pending.reply(to: request, on: bus, timeout: timeout)
        if let error = reply.error { throw error }
        do {
            return (try reply.read(Output.self), reply.sender)
        } catch {
            throw DBusError(error)
        }
    }

    /// Sends a call without waiting for a reply.
    ///
    /// - Parameter startsService: Whether the bus starts the peer for this call. While the peer is
    ///   starting, the bus delivers only such calls, after earlier ones.
    package func send<Input: ArgumentList, Output: ArgumentList>(
        _ method: Method<Input, Output>, to destination: BusName, at path: ObjectPath,
        on interface: InterfaceName, _ input: Input, startsService: Bool = false
    ) throws(WireError) {
        let request = try Message.making("sd_bus_message_new_method_call") {
            sd_bus_message_new_method_call(
                bus, &$0, destination.rawValue, path.rawValue, interface.rawValue,
                method.name.rawValue)
        }
        try check(
            sd_bus_message_set_expect_reply(request.pointer, 0), "sd_bus_message_set_expect_reply")
        try check(
            sd_bus_message_set_auto_start(request.pointer, startsService ? 1 : 0),
            "sd_bus_message_set_auto_start")
        try request.append(input)
        try request.send()
    }
}

/// A call that waits for its reply; it is resumed exactly once, by the first event that ends it.
@BusActor
final class PendingCall {
    private weak var connection: Connection?
    private let slot = Slot()
    private var continuation: CheckedContinuation<Result<Message, DBusError>, Never>?

    init(on connection: Connection) {
        self.connection = connection
    }

    /// Sends the request and waits.
    func reply(
        to request: Message, on bus: OpaquePointer, timeout: Duration?
    ) async throws(DBusError) -> Message {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Registered before the C call that can resume it.
                self.continuation = continuation
                if Task.isCancelled { return fail(.cancelled) }
                let started = sd_bus_call_async(
                    bus, &slot.pointer, request.pointer,
                    { reply, context, _ in
                        BusActor.assumeIsolated {
                            guard let reply, let call = Unmanaged<PendingCall>.borrow(context)
                            else { return }
                            // No filter sees replies, and they may be large.
                            _ = call.connection?.takeReceivedBytes()
                            call.finish(.success(Message(borrowing: reply)))
                        }
                        return 0
                    }, Unmanaged.passUnretained(self).toOpaque(), timeout.microseconds)
                if started < 0 {
                    fail(DBusError(WireError(code: -started, operation: "sd_bus_call_async")))
                }
            }
        } onCancel: {
            Task { @BusActor in self.fail(.cancelled) }
        }
        return try result.get()
    }

    /// Ends the wait with an error, unless it has already ended.
    func fail(_ error: DBusError) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<Message, DBusError>) {
        guard let waiting = continuation else { return }
        continuation = nil
        slot.cancel()
        waiting.resume(returning: result)
    }
}

extension Duration? {
    /// The timeout as libsystemd expects it: in microseconds, `UINT64_MAX` for none.
    fileprivate var microseconds: UInt64 {
        guard let self else { return .max }
        let (seconds, attoseconds) = self.components
        return UInt64(clamping: seconds) * 1_000_000
            + UInt64(clamping: attoseconds / 1_000_000_000_000)
    }
}
