// SPDX-License-Identifier: MIT

internal import CSDBus

/// A subscription to signals, which ends when this object is released.
@BusActor
package final class Subscription {
    fileprivate let slot = Slot()
    fileprivate let handler: @BusActor (Message) -> Void
    private var installed: CheckedContinuation<Result<Void, DBusError>, Never>?
    /// The senders whose signals are delivered: the sender itself, or every owner of its name since
    /// the subscription began.
    ///
    /// A program that has lost its name may still finish what it began.
    private var trusted: Set<BusName> = []
    private var ownerWatch: Subscription?

    fileprivate init(_ handler: @escaping @BusActor (Message) -> Void) {
        self.handler = handler
    }

    // On the bus thread, because libsystemd calls this object there until the slot is cancelled.
    isolated deinit {
        slot.cancel()
    }

    /// Ends the subscription immediately.
    package func cancel() {
        slot.cancel()
        ownerWatch?.cancel()
    }

    /// Follows the owner of the sender's name from now on.
    ///
    /// The match rule filters broadcasts, but any peer can send a signal directly to us.
    fileprivate func trust(_ sender: BusName, on connection: Connection) async throws(DBusError) {
        guard !sender.isUnique, sender != Bus.name else {
            trusted = [sender]
            return
        }
        ownerWatch = try await connection.watchOwner(of: sender) { [weak self] owner in
            if let owner { self?.trusted.insert(owner) }
        }
        // Changes after this call are signalled after its reply.
        if let owner = try await connection.owner(of: sender) { trusted.insert(owner) }
    }

    private func receive(_ message: Message) {
        guard let sender = message.sender, trusted.contains(sender) else { return }
        handler(message)
    }

    fileprivate func install(_ rule: String, on bus: OpaquePointer) async throws(DBusError) {
        let result = await withCheckedContinuation { continuation in
            installed = continuation
            let started = sd_bus_add_match_async(
                bus, &slot.pointer, rule,
                { message, context, _ in
                    BusActor.assumeIsolated {
                        guard let message else { return }
                        Unmanaged<Subscription>.borrow(context)?
                            .receive(Message(borrowing: message))
                    }
                    return 0
                },
                { reply, context, _ in
                    BusActor.assumeIsolated {
                        let error = reply.flatMap { Message(borrowing: $0).error }
                        Unmanaged<Subscription>.borrow(context)?.finishInstalling(error)
                    }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
            if started < 0 {
                finishInstalling(
                    DBusError(WireError(code: -started, operation: "sd_bus_add_match_async")))
            }
        }
        try result.get()
    }

    /// Ends the wait for the bus to install the match; has no effect later.
    func finishInstalling(_ error: DBusError?) {
        let waiting = installed
        installed = nil
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }
}

extension Connection {
    /// Calls `handler` for every matching signal that arrives after this function returns.
    ///
    /// - Parameters:
    /// - sender: A unique or well-known name; signals from other senders are ignored.
    /// - firstArgument: The required value of the signal's first argument.
    package func subscribe<Content: ArgumentList>(
        to signal: Signal<Content>, of interface: InterfaceName, from sender: BusName,
        at path: ObjectPath? = nil, firstArgument: String? = nil,
        _ handler: @escaping @BusActor (Message, Content) -> Void
    ) async throws(DBusError) -> Subscription {
        guard !isClosed else { throw .disconnected }
        var rule =
            "type='signal',sender='\(sender)',interface='\(interface)',member='\(signal.name)'"
        if let path { rule += ",path='\(path)'" }
        if let firstArgument { rule += ",arg0='\(firstArgument)'" }
        let subscription = Subscription { message in
            // A signal with other argument types is not the one that was subscribed to.
            guard let content = try? message.read(Content.self) else { return }
            handler(message, content)
        }
        try await subscription.trust(sender, on: self)
        // It may have been closed meanwhile.
        guard !isClosed else { throw .disconnected }
        installing[ObjectIdentifier(subscription)] = subscription
        defer { installing[ObjectIdentifier(subscription)] = nil }
        try await subscription.install(rule, on: bus)
        return subscription
    }

    /// Calls `handler` for every change of a name's owner after this function returns.
    ///
    /// - Parameter handler: Receives the new owner, nil if the name no longer has one.
    package func watchOwner(
        of name: BusName, _ handler: @escaping @BusActor (BusName?) -> Void
    ) async throws(DBusError) -> Subscription {
        try await subscribe(
            to: Bus.nameOwnerChanged, of: Bus.interface, from: Bus.name,
            firstArgument: name.rawValue
        ) { _, content in
            let (_, _, newOwner) = content.values
            handler(BusName(newOwner))
        }
    }
}
