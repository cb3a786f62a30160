// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

extension Message {
    /// Makes a message that holds values and is never sent, to test the coding without a daemon.
    ///
    /// - Returns: The sealed message, which can be read.
    static func detached(_ values: some ArgumentList) throws(WireError) -> Message {
        let bus = try unconnectedBus()
        defer { sd_bus_unref(bus) }
        let message = try making("sd_bus_message_new_signal") {
            sd_bus_message_new_signal(bus, &$0, "/", "org.example.Interface", "Member")
        }
        try message.append(values)
        try message.seal()
        return message
    }

    /// A bus without a peer, because libsystemd makes messages only for a bus that was started.
    private static func unconnectedBus() throws(WireError) -> OpaquePointer {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw WireError(code: errno, operation: "socketpair")
        }
        defer { close(ends[1]) }
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus), "sd_bus_new")
        // The bus takes ownership of the descriptor.
        try check(sd_bus_set_fd(bus, ends[0], ends[0]), "sd_bus_set_fd")
        try check(sd_bus_negotiate_fds(bus, 1), "sd_bus_negotiate_fds")
        try check(sd_bus_start(bus), "sd_bus_start")
        guard let bus else { throw .malformed("sd_bus_new") }
        return bus
    }
}
