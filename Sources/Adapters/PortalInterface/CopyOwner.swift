// SPDX-License-Identifier: MIT

package import SDBus

/// The name under which copies of photos are kept for a connection.
///
/// Unique names are unique on their bus only, and copies may outlast it.
package enum CopyOwner {
    package static func text(of name: BusName, on connection: Connection) async throws(DBusError)
        -> String
    {
        "\(try await connection.busID())-\(name.rawValue.dropFirst(1).replacing(".", with: "_"))"
    }

    /// The connection that copies were made for; nil if it was on another bus.
    package static func name(
        _ text: String, on connection: Connection
    ) async throws(DBusError) -> BusName? {
        let prefix = "\(try await connection.busID())-"
        guard text.hasPrefix(prefix) else { return nil }
        return BusName(":\(text.dropFirst(prefix.count).replacing("_", with: "."))")
    }
}
