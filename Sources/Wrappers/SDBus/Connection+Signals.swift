// SPDX-License-Identifier: MIT

internal import CSDBus

/// An interest in signals; it ends when this object is released.
@BusActor
package final class Subscription {
    fileprivate let slot = Slot()
    fileprivate let handler: @BusActor (Message) -> Void
    private var installed: CheckedContinuation<Result<Void, DBusError>, Never>?
    /// Who is believed: the sender itself, or who owns its name now or did since this began.
    ///
    /// A program that lost its name still ends what it has begun.
    private var trusted: Set<BusName> = []
    private var ownerWatch: Subscription?

    fileprivate init(_ handler: @escaping @BusActor (Message) -> Void) {
        self.handler = handler
    }

    /// Ends the interest now.
    package func cancel() {
        slot.cancel()
        ownerWatch?.cancel()
    }

    /// Follows who owns the sender's name, from now on.
    ///
    /// The rule keeps out the broadcasts of others, but anybody may send a signal to us alone.
    fileprivate func trust(_ sender: BusName, on connection: Connection) async throws(DBusError) {
        guard !sender.isUnique, sender != Bus.name else {
            trusted = [sender]
            return
        }
        ownerWatch = try await connection.watchOwner(of: sender) { [weak self] owner in
            if let owner { self?.trusted.insert(owner) }
        }
        // A change after this call comes after its reply.
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

    private func finishInstalling(_ error: DBusError?) {
        let waiting = installed
        installed = nil
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }
}

extension Connection {
    /// Calls `handler` for every signal that matches, from when this returns.
    ///
    /// - Parameters:
    ///   - sender: A unique or well-known name; signals of others are not seen.
    ///   - firstArgument: What the signal's first argument must be.
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
            // A signal with other types is not the one that was asked for.
            guard let content = try? message.read(Content.self) else { return }
            handler(message, content)
        }
        try await subscription.trust(sender, on: self)
        try await subscription.install(rule, on: bus)
        return subscription
    }

    /// Calls `handler` when the owner of a name changes, from when this returns.
    ///
    /// - Parameter handler: Gets the new owner, nil when nobody owns the name any more.
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
