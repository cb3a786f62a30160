// SPDX-License-Identifier: MIT

internal import CSDBus
package import Files

/// The bus daemon, as a peer.
///
/// - Source: D-Bus Specification, “Message Bus Messages”.
package enum Bus {
    static let name: BusName = "org.freedesktop.DBus"
    static let path: ObjectPath = "/org/freedesktop/DBus"
    static let interface: InterfaceName = "org.freedesktop.DBus"

    static let getID = Method<Arguments<>, Arguments<String>>("GetId", returns: ["id"])
    static let requestName = Method<Arguments<String, UInt32>, Arguments<UInt32>>(
        "RequestName", takes: ["name", "flags"], returns: ["result"])
    static let releaseName = Method<Arguments<String>, Arguments<UInt32>>(
        "ReleaseName", takes: ["name"], returns: ["result"])
    static let getNameOwner = Method<Arguments<String>, Arguments<String>>(
        "GetNameOwner", takes: ["name"], returns: ["unique_name"])
    static let listActivatableNames = Method<Arguments<>, Arguments<[String]>>(
        "ListActivatableNames", returns: ["activatable_names"])
    static let getCredentials = Method<Arguments<String>, Arguments<Vardict>>(
        "GetConnectionCredentials", takes: ["name"], returns: ["credentials"])
    static let peerInterface: InterfaceName = "org.freedesktop.DBus.Peer"
    static let ping = Method<Arguments<>, Arguments<>>("Ping")
    static let nameOwnerChanged = Signal<Arguments<String, String, String>>(
        "NameOwnerChanged", carries: ["name", "old_owner", "new_owner"])
}

/// The credentials of a connection, as the bus daemon attests them.
package struct Credentials: Sendable {
    package let processID: UInt32?
    package let userID: UInt32?
    /// A pidfd of the process, if the daemon provides one.
    package let processDescriptor: Descriptor?
}

/// The result of a request for a well-known name.
package enum NameOwnership: Sendable {
    case owner
    /// The name has another owner, which does not give it up.
    case taken
}

extension Connection {
    /// Requests a well-known name.
    ///
    /// - Parameters:
    /// - replacing: Whether to take the name from an owner that allows it.
    ///   - allowingReplacement: Whether a later process may take it from us.
    package func requestName(
        _ name: BusName, replacing: Bool = false, allowingReplacement: Bool = true
    ) async throws(DBusError) -> NameOwnership {
        let flags: UInt32 = (allowingReplacement ? 1 : 0) | (replacing ? 2 : 0) | doNotQueue
        let answer = try await call(
            Bus.requestName, to: Bus.name, at: Bus.path, on: Bus.interface,
            Arguments(name.rawValue, flags))
        // 1: we have become the owner, 4: we were the owner already.
        return answer.values == 1 || answer.values == 4 ? .owner : .taken
    }

    /// Releases a well-known name; has no effect if we do not own it.
    package func releaseName(_ name: BusName) async throws(DBusError) {
        _ = try await call(
            Bus.releaseName, to: Bus.name, at: Bus.path, on: Bus.interface,
            Arguments(name.rawValue))
    }

    /// The unique name of the owner of a name, or nil if it has no owner.
    ///
    /// Never starts a service.
    package func owner(of name: BusName) async throws(DBusError) -> BusName? {
        do {
            let answer = try await call(
                Bus.getNameOwner, to: Bus.name, at: Bus.path, on: Bus.interface,
                Arguments(name.rawValue))
            return BusName(answer.values)
        } catch {
            guard error.name == .nameHasNoOwner else { throw error }
            return nil
        }
    }

    /// Waits until a peer has read everything that was sent to it, or has left the bus, or the task is
    /// cancelled.
    ///
    /// Libraries answer `org.freedesktop.DBus.Peer.Ping` by themselves; an error is an answer as well.
    package func waitUntilRead(by peer: BusName) async {
        _ = try? await call(
            Bus.ping, to: peer, at: "/", on: Bus.peerInterface, Arguments(), timeout: nil)
    }

    /// The id of the bus, which no other bus has.
    package func busID() async throws(DBusError) -> String {
        try await call(
            Bus.getID, to: Bus.name, at: Bus.path, on: Bus.interface, Arguments()
        ).values
    }

    /// The names that the bus can start a service for.
    package func activatableNames() async throws(DBusError) -> Set<String> {
        let answer = try await call(
            Bus.listActivatableNames, to: Bus.name, at: Bus.path, on: Bus.interface, Arguments())
        return Set(answer.values)
    }

    /// The credentials of a connection.
    ///
    /// - Throws: ``DBusError`` `NameHasNoOwner` if the connection has left the bus.
    package func credentials(of name: BusName) async throws(DBusError) -> Credentials {
        let answer = try await call(
            Bus.getCredentials, to: Bus.name, at: Bus.path, on: Bus.interface,
            Arguments(name.rawValue))
        let found = answer.values
        var process: Descriptor?
        if case .descriptor(let descriptor) = found["ProcessFD"] { process = descriptor }
        return Credentials(
            processID: found.value("ProcessID", as: UInt32.self),
            userID: found.value("UnixUserID", as: UInt32.self),
            processDescriptor: process)
    }
}

// DBUS_NAME_FLAG_DO_NOT_QUEUE
private let doNotQueue: UInt32 = 4
