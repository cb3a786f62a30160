// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// Objects with the same interface below one path, each of which only its owner can see.
///
/// For other callers there is no such object: `Introspect` does not list it, and calls of its methods
/// fail as they do where nothing is.
///
/// - Source: sd_bus_add_fallback_vtable(3).
@BusActor
package final class PrivateObjects {
    private struct Entry {
        let owner: BusName
        /// Nil while another thread releases it.
        weak var export: Export?
    }

    /// An object's place among the others, until this instance is released.
    @BusActor
    final class Listing {
        private let objects: PrivateObjects
        private let path: String

        fileprivate init(_ path: String, in objects: PrivateObjects) {
            self.path = path
            self.objects = objects
        }

        isolated deinit {
            objects.entries[path] = nil
        }
    }

    private let interface: Interface
    private unowned let connection: Connection
    private var entries: [String: Entry] = [:]
    private let slot = Slot()
    private let rows: VTable

    /// Reserves everything below a path.
    ///
    /// - Parameter interface: The interface of all objects.
    package init(
        _ interface: Interface, below path: ObjectPath, on connection: Connection
    ) throws(WireError) {
        self.interface = interface
        self.connection = connection
        rows = VTable(interface)
        try check(
            sd_bus_add_fallback_vtable(
                connection.bus, &slot.pointer, path.rawValue, interface.name.rawValue, rows.table,
                { bus, path, _, context, found, _ in
                    BusActor.assumeIsolated {
                        guard let bus, let path, let found,
                            let objects = Unmanaged<PrivateObjects>.borrow(context),
                            let export = objects.find(String(cString: path), on: bus)
                        else { return 0 }
                        found.pointee = Unmanaged.passUnretained(export).toOpaque()
                        return 1
                    }
                }, Unmanaged.passUnretained(self).toOpaque()), "sd_bus_add_fallback_vtable")
    }

    // On the bus thread, because libsystemd calls this object there until the slot is cancelled.
    isolated deinit {
        slot.cancel(keeping: rows)
    }

    /// Puts an object on the bus.
    ///
    /// - Parameters:
    /// - owner: The only connection that can see the object.
    /// - implement: Implements all methods and properties.
    /// - Returns: The export; releasing it removes the object from the bus.
    /// - Throws: ``WireError`` with `EEXIST` if there is such an object.
    package func export(
        at path: ObjectPath, of owner: BusName, implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        guard entries[path.rawValue] == nil else {
            throw WireError(code: EEXIST, operation: "export an object")
        }
        let export = Export(interface, on: connection, rows: rows)
        implement(export)
        entries[path.rawValue] = Entry(owner: owner, export: export)
        export.add(Listing(path.rawValue, in: self))
        return export
    }

    /// The object at a path, if it belongs to the sender of the current message.
    private func find(_ path: String, on bus: OpaquePointer) -> Export? {
        guard let entry = entries[path], let message = sd_bus_get_current_message(bus),
            Message(borrowing: message).sender == entry.owner
        else { return nil }
        return entry.export
    }
}
